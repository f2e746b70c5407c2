import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { setUpDashboard } from "./dashboard.ts";
import { holdRequests } from "./held-requests.ts";
import { tryAgain, type Visitor } from "./visitor.ts";

const SLOW = { timeout: 20_000 };
const REASON = "The disk of the server is full.";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  await dashboard.api.mutateAll("tasks.create", [{ title: "Water the plants" }]);
});

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

describe("a refused change", () => {
  it("is shown immediately, rolled back visibly, explained, and can be retried", async () => {
    const refusal = await refuse("tasks.update");
    await openTasks();
    await row().click();
    await panel().getByRole("button", { name: "To do" }).click();
    await page.getByRole("option", { name: "Blocked" }).click();
    await panel().getByRole("button", { name: "Blocked" }).waitFor();
    refusal.answer();
    await panel().getByRole("button", { name: "To do" }).waitFor();
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toContain(REASON);

    await refusal.stop();
    await alert.getByRole("button", { name: "Try again" }).click();
    await panel().getByRole("button", { name: "Blocked" }).waitFor();
    await visitor.watch.settle();
    await page.keyboard.press("Control+z");
    await panel().getByRole("button", { name: "To do" }).waitFor();
    await visitor.watch.settle();
  });

  it("keeps unsaved text, even across a reload, until it is saved or discarded", async () => {
    const refusal = await refuse("tasks.update");
    refusal.answer();
    await openTasks();
    await row().click();
    await panel().getByLabel("Description").fill("Every other day");
    await panel().getByLabel("Description").blur();
    await panel().getByText(`Not saved: ${REASON}`).waitFor();
    await page.reload();
    await panel().getByText("Unsaved from an earlier visit").waitFor();
    expect(await panel().getByLabel("Description").inputValue()).toBe("Every other day");

    await refusal.stop();
    await panel().getByRole("button", { name: "Save" }).click();
    await panel().getByText("Unsaved from an earlier visit").waitFor({ state: "detached" });
    await page.reload();
    await panel().getByText("Every other day").waitFor();
  });
});

describe("a text changed elsewhere while it is edited", () => {
  it("is shown beside the user's own, and overwritten only on request", async () => {
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED/);
    await openTasks();
    await row().click();
    const description = panel().getByLabel("Description");
    await description.fill("Every day");
    await description.blur();
    await visitor.watch.settle();
    const taskId = new URL(page.url()).searchParams.get("task");
    const changeElsewhere = (text: string) =>
      dashboard.api.mutateAll("tasks.update", [{ id: taskId, description: text }]);

    await description.pressSequentially(", with rain water");
    await changeElsewhere("Every other day");
    await panel().getByText("this was changed elsewhere while you were editing it").waitFor();
    await panel().getByText("Every other day").waitFor();
    await description.blur();
    await visitor.watch.settle();
    await panel().getByRole("button", { name: "Keep theirs" }).click();
    expect(await description.inputValue()).toBe("Every other day");

    await description.fill("Twice a week");
    await changeElsewhere("Once a week");
    await panel().getByText("Once a week").waitFor();
    await panel().getByRole("button", { name: "Save mine" }).click();
    await panel().getByRole("button", { name: "Save mine" }).waitFor({ state: "detached" });
    await visitor.watch.settle();
    await page.reload();
    await panel().getByText("Twice a week").waitFor();
  });
});

describe("without a connection", () => {
  it("says so, keeps changes, and sends them afterwards", async () => {
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED/);
    await openTasks();
    // Otherwise the page might not know everything yet, and not say of when it is.
    await visitor.watch.settle();
    await visitor.context.setOffline(true);
    await page.getByText("Offline. You see what was known at").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Made on the train");
    await page.keyboard.press("Enter");
    await page.getByText("Offline, 1 change will be sent.").waitFor();
    const saved = page.waitForResponse(/tasks\.create/);
    await visitor.context.setOffline(false);
    await page.getByText("Offline, 1 change will be sent.").waitFor({ state: "detached" });
    expect((await saved).ok()).toBe(true);
    await page.reload();
    await page.getByText("Made on the train").waitFor();
  });

  it("opens no page or part whose code is not loaded yet, but says so, and opens it when the server responds", async () => {
    visitor.watch.expect(/ERR_FAILED|RequestError|dynamically imported module|preload CSS|502/);
    await page.route(/\/(health|usage-page.*|usage-calls.*)$/, (route) => route.abort());
    await openTasks();
    const usage = page.getByRole("link", { name: "Usage" });
    const unreachable = page.getByText("Workspace is unreachable");
    await usage.click();
    await unreachable.waitFor();
    await page.getByRole("link", { name: /^Tasks/ }).click();
    await row().waitFor();
    // What a proxy responds while there is no server behind it.
    await page.route(/\/(health|usage-page.*)$/, (route) => route.fulfill({ status: 502 }));
    await usage.click();
    await unreachable.waitFor();
    await page.unroute(/\/(health|usage-page.*)$/);
    await page.unroute(/\/(health|usage-page.*|usage-calls.*)$/);
    await page.route(/\/(health|usage-calls.*)$/, (route) => route.abort());
    await tryAgain(page, page.getByRole("heading", { name: "Usage", level: 1 }));
    await page.getByRole("radio", { name: "Calls" }).click();
    await unreachable.waitFor();
    await page.unroute(/\/(health|usage-calls.*)$/);
    await tryAgain(page, page.getByText("No calls"));
  });

  it("opens every page that has been loaded ahead while nothing else was to do", async () => {
    await visitor.close();
    visitor = await dashboard.visit({ loadsAhead: true });
    ({ page } = visitor);
    visitor.watch.expect(/ERR_FAILED|RequestError/);
    // Parts are loaded one after the other, so those of the usage page are there when one of a later page is.
    const later = page.waitForResponse(/\/credits-view/);
    await openTasks();
    await later;
    await page.route("**/*", (route) => route.abort());
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.getByRole("radio", { name: "Calls" }).click();
    await page.getByText("could not be loaded").waitFor();
  });

  it("says on loading that the server does not respond, and continues when it does", async () => {
    visitor.watch.expect(/ERR_FAILED|RequestError/);
    // From the first page on: what was loaded before is kept, and shown then.
    await page.route("**/api/**", (route) => route.abort());
    await page.goto("/tasks?view=list");
    await page.getByText("Workspace is unreachable").waitFor();
    await page.unroute("**/api/**");
    await tryAgain(page, row());
  });
});

describe("a changed password", () => {
  it("keeps this session with its live changes, and ends the others", async () => {
    const account = { name: "Grace", email: "grace@example.com", password: "long enough" };
    const { page: here, watch } = await dashboard.visit({ isSignedIn: false });
    const { page: elsewhere } = await dashboard.visit({ isSignedIn: false });
    // A request may be on its way with the cookie of before.
    watch.expect(/400|401/);
    await here.goto("/sign-up");
    for (const [label, text] of [
      ["Name", account.name],
      ["Email", account.email],
      ["Password", account.password],
    ] as const)
      await here.getByLabel(label).fill(text);
    await here.keyboard.press("Enter");
    await here.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await elsewhere.goto("/sign-in");
    await elsewhere.getByLabel("Email").fill(account.email);
    await elsewhere.getByLabel("Password").fill(account.password);
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await here.goto("/tasks?view=list");
    await here.locator("[data-task-id]").first().waitFor();

    await here.getByRole("button", { name: "Grace" }).click();
    await here.getByRole("menuitem", { name: "Change password" }).click();
    const dialog = here.getByRole("dialog", { name: "Change password" });
    expect(await findAccessibilityProblems(here)).toEqual([]);
    await dialog.getByLabel("Current password").fill("wrong");
    await dialog.getByLabel("New password").fill("even longer");
    await here.keyboard.press("Enter");
    await dialog.getByText("This is not your password.").waitFor();
    await dialog.getByLabel("Current password").fill(account.password);
    await here.keyboard.press("Enter");
    await here.getByText("Your password has been changed").waitFor();
    await dialog.waitFor({ state: "detached" });

    await dashboard.api.mutateAll("tasks.create", [{ title: "Made after the change" }]);
    await here.getByText("Made after the change").waitFor();
    await elsewhere.getByText("Your session has ended.").waitFor();
    await elsewhere.getByLabel("Password").fill("even longer");
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });
});

describe("a closed sign-up", () => {
  it("is explained, with a link back to the sign-in page", async () => {
    visitor.watch.expect(/403/);
    await visitor.context.clearCookies();
    await page.route("**/api/auth/sign-up/email", (route) =>
      route.fulfill({
        status: 403,
        json: { statusCode: 403, statusMessage: "Forbidden", message: "Sign-up is closed." },
      }),
    );
    await page.goto("/sign-up");
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("Email").fill("grace@example.com");
    await page.getByLabel("Password").fill("long enough");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign-up is closed" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
  });
});

it("deletes a file whose rename is not answered yet, and undoes that deletion", async () => {
  const { vault } = visitor;
  const file = (name: string) => page.getByRole("treeitem", { name });
  await vault.write("Slow/first.md", "text");
  await page.goto("/documents");
  await file("Slow").click();
  const release = await holdRequests(page, "**/fs.rename?*", "**/fs.delete?*");
  await file("first").focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("second");
  await page.keyboard.press("Enter");
  await file("second").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Delete");
  await file("second").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  release();
  await file("second").waitFor();
  await expect.poll(() => vault.exists("Slow/second.md"), SLOW).toBe(true);
  await page.keyboard.press("Control+z");
  await file("first").waitFor();
  await expect.poll(() => vault.exists("Slow/first.md"), SLOW).toBe(true);
});

describe("text being typed", () => {
  it("survives a reload in the quick add, with the fields chosen for it", async () => {
    await openTasks();
    await page.keyboard.press("c");
    await page.keyboard.type("Half a thought");
    await page.locator("form").getByRole("button", { name: "Priority: Medium" }).click();
    await page.getByRole("option", { name: "High" }).click();
    await page.reload();
    await page.locator("form").getByRole("button", { name: "Priority: High" }).waitFor();
    expect(await page.getByRole("textbox", { name: "New task" }).inputValue()).toBe("Half a thought");
  });

  it("survives the end of the session, and signing in leads back to it", async () => {
    visitor.watch.expect(/401/);
    await openTasks();
    await row().click();
    await panel().getByLabel("Description").waitFor();
    // The session ends while the text is being saved.
    await page.route("**/api/trpc/tasks.update?*", async (route) => {
      await visitor.context.clearCookies();
      await route.continue();
    });
    await panel().getByLabel("Description").fill("And not too much");
    await page.getByText("Your session has ended. Sign in to continue").waitFor();
    await page.getByLabel("Email").fill(dashboard.server.email);
    await page.getByLabel("Password").fill(dashboard.server.password);
    await page.keyboard.press("Enter");
    await panel().getByText("Unsaved from an earlier visit").waitFor();
    expect(await panel().getByLabel("Description").inputValue()).toBe("And not too much");
  });

  it("for a palette that is still loading does not reach the text beneath, and none of it is lost", async () => {
    const release = await holdRequests(page, "**/assets/with-palette-*.js");
    await openTasks();
    await row().click();
    await panel().getByLabel("Description").fill("Every day");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("plamt");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("n");
    release();
    const search = page.getByRole("combobox", { name: "Search or run a command" });
    await search.waitFor();
    await page.keyboard.type("ts");
    expect(await search.inputValue()).toBe("plants");
    await page.keyboard.press("Escape");
    expect(await panel().getByLabel("Description").inputValue()).toBe("Every day");
  });

  it("is kept from the page no longer when the palette cannot be loaded", async () => {
    visitor.watch.expect(/ERR_FAILED/);
    await page.route("**/assets/with-palette-*.js", (route) => route.abort());
    await openTasks();
    await page.keyboard.press("Control+k");
    await page.getByText("This part of the page could not be loaded").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Half a thought");
    expect(await page.getByRole("textbox", { name: "New task" }).inputValue()).toBe("Half a thought");
  });
});

async function openTasks(): Promise<void> {
  await page.goto("/tasks?view=list");
  await row().waitFor();
}

function row() {
  return page.locator("[data-task-id]", { hasText: "Water the plants" });
}

function panel() {
  return page.getByRole("complementary", { name: "Task" });
}

/** Makes every call of a procedure fail, once the test calls `answer`. */
async function refuse(procedure: string): Promise<{ answer(): void; stop(): Promise<void> }> {
  visitor.watch.expect(/500/);
  const url = `**/api/trpc/${procedure}?*`;
  await page.route(url, async (route) => {
    const error = { message: REASON, code: -32603, data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 } };
    await route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify([{ error }]) });
  });
  // Routes set later are asked first.
  const answer = await holdRequests(page, url);
  return { answer, stop: () => page.unroute(url) };
}
