import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Input } from "./api-client.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

async function make<Output>(procedure: string, input: Input): Promise<Output> {
  const [made] = await dashboard.api.mutateAll<Output>(procedure, [input]);
  if (made === undefined) throw new Error(`${procedure} returned nothing.`);
  return made;
}

/** Calls `/api/v1` as an assistant with a key and a session of its own. */
async function startAssistant(name: string) {
  const { key } = await make<{ key: string }>("apiKeys.create", { name, scopes: ["tasks:read", "tasks:write"] });
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "X-Assistant-Session": "session-1",
  };
  return async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${dashboard.server.url}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
}

const activityOf = (page: Page): Locator => page.getByRole("region", { name: "Activity" });
const entryOf = (activity: Locator, text: string): Locator => activity.getByRole("listitem").filter({ hasText: text });

it.each(Object.keys(SIZES) as Size[])("who changed a task is shown, and undone from there, on a %s", async (size) => {
  const assistant = await startAssistant(`Laptop ${size}`);
  const { id } = await make<{ id: string }>("tasks.create", { title: `Repair the pump (${size})` });
  await assistant("PUT", `/tasks/${id}`, { priority: 3, tags: ["pond"], dueDate: "2026-12-24" });
  await assistant("PUT", `/tasks/${id}`, { description: "Replace the seal.\n\n1. Close the valve\n2. Take it apart" });
  const { page } = await dashboard.visit({ size });
  await page.goto(`/tasks?task=${id}`);
  const activity = activityOf(page);
  const change = entryOf(activity, "set the priority to High");
  await change.getByRole("link", { name: "assistant" }).waitFor();

  // What others do appears by itself.
  await assistant("POST", `/tasks/${id}/comments`, { text: "Which **seal** is it? It is `12 mm`." });
  const comment = activity.getByRole("article", { name: `Comment by Laptop ${size}` });
  await comment.locator("strong", { hasText: "seal" }).waitFor();

  await activity.getByRole("button", { name: "Show what changed" }).click();
  await activity.getByRole("table", { name: "Changes of the description" }).waitFor();
  await activity.scrollIntoViewIfNeeded();
  expect(await checkThemes(page, `task-activity-${size}`)).toEqual([]);

  await change.getByRole("button", { name: "Undo" }).click();
  await change.getByText("undone").waitFor();
  await entryOf(activity, "undid a change: set the priority to Medium").waitFor();
  expect(await change.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

it("an undo is refused if the field has been changed since, and says so", async () => {
  const assistant = await startAssistant("Desktop");
  const { id } = await make<{ id: string }>("tasks.create", { title: "Prune the roses" });
  await assistant("PUT", `/tasks/${id}`, { priority: 3 });
  const { page, watch } = await dashboard.visit();
  await page.goto(`/tasks?task=${id}`);
  await assistant("PUT", `/tasks/${id}`, { priority: 1 });
  watch.expect(/409/);
  const activity = activityOf(page);
  await entryOf(activity, "set the priority to Low").waitFor();
  await entryOf(activity, "set the priority to High").getByRole("button", { name: "Undo" }).click();
  await page.getByText("The priority has been changed since. Nothing was undone.").waitFor();
});

it("a comment is written by keyboard, kept over a reload and an outage, edited and deleted", async () => {
  const { id } = await make<{ id: string }>("tasks.create", { title: "Order seeds" });
  const { page, context, watch } = await dashboard.visit();
  // Who can be mentioned is known before anybody asks, so that the list does not fill, and move, once it is open.
  const mentionable = page.waitForResponse(/tasks\.mentionable/);
  await page.goto(`/tasks?task=${id}`);
  const activity = activityOf(page);
  const field = activity.getByRole("textbox", { name: "Write a comment" });
  await mentionable;
  await field.fill("Beans, and ");
  await activity.getByRole("button", { name: "Mention somebody" }).click();
  await page.getByRole("option", { name: "Ada Lindqvist" }).click();
  expect(await field.inputValue()).toBe("Beans, and @Ada Lindqvist ");
  await field.pressSequentially("knows");
  await page.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe("Beans, and @Ada Lindqvist knows");

  // What is typed while the server has not responded is kept, too.
  await page.route(/tasks\.comment/, async (route) => {
    await field.press("End");
    await field.pressSequentially(" more");
    await route.continue();
  });
  await field.press("ControlOrMeta+Enter");
  const comment = activity.getByRole("article", { name: "Comment by Ada Lindqvist" });
  await comment.getByText("Mentions Ada Lindqvist").waitFor();
  expect(await field.inputValue()).toBe("Beans, and @Ada Lindqvist knows more");
  await page.unroute(/tasks\.comment/);

  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await field.press("ControlOrMeta+Enter");
  await activity.getByText("Your comment, not sent yet").waitFor();
  expect(await field.inputValue()).toBe("");
  await context.setOffline(false);
  await comment.getByText("knows more").waitFor();
  expect(await comment.count()).toBe(2);
  const last = comment.filter({ hasText: "knows more" });
  await last.getByRole("button", { name: "Delete the comment" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await last.waitFor({ state: "detached" });

  await comment.getByRole("button", { name: "Edit the comment" }).click();
  const edited = comment.getByRole("textbox", { name: "Edit the comment" });
  await edited.fill("Peas");
  await comment.getByRole("button", { name: "Save" }).click();
  await comment.getByText("· edited").waitFor();
  await comment.getByText("Peas").waitFor();
  await comment.getByRole("button", { name: "Delete the comment" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await comment.waitFor({ state: "detached" });
});
