import { randomInt } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, isSent, keptIn, leave, openAndLeave, openTasks, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly priority: number;
}

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  // Only pages that load all of their code ahead have the browser keep it.
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script/);
});

describe("changes that are made while the server is away", () => {
  it("are shown, survive a reload, and are sent once", async () => {
    const [kept, gone] = await create("Water the plants", "Throw away the box");
    await openAndLeave(visitor);
    await add("Made on the train");
    await rename("Water the plants", "Water all plants");
    await complete("Made on the train");
    await remove("Throw away the box");
    await waiting(page, 4);
    await page.reload();
    await waiting(page, 4);
    await row("Made on the train").waitFor();
    await row("Water all plants").waitFor();
    expect(await row("Throw away the box").count()).toBe(0);
    await comeBack(visitor);
    expect(await titles()).toEqual(["Made on the train", "Water all plants"]);
    expect(await read(kept)).toMatchObject({ title: "Water all plants" });
    expect(await dashboard.api.query("tasks.get", { id: gone })).toMatchObject({ deletedAt: expect.any(String) });
    expect((await list()).find(({ title }) => title === "Made on the train")?.status).toBe("done");
    await page.reload();
    await row("Made on the train").waitFor();
    expect(await row("Made on the train").count()).toBe(1);
  });

  it("are not made over those of others in the same field, unless the user says so", async () => {
    const [mine, theirs, both] = await create("Buy flour", "Buy sugar", "Buy salt");
    await openAndLeave(visitor);
    await rename("Buy flour", "Buy rye flour");
    await rename("Buy sugar", "Buy brown sugar");
    await rename("Buy salt", "Buy sea salt");
    await waiting(page, 3);
    await change(mine, { title: "Buy wheat flour" });
    await change(theirs, { title: "Buy white sugar" });
    await change(both, { priority: 3 });
    await visitor.context.setOffline(false);
    await problem("Buy rye flour", "Buy wheat flour").getByRole("button", { name: "Save mine" }).click();
    await problem("Buy brown sugar", "Buy white sugar").getByRole("button", { name: "Keep theirs" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => read(mine)).toMatchObject({ title: "Buy rye flour" });
    expect(await read(theirs)).toMatchObject({ title: "Buy white sugar" });
    await expect.poll(() => read(both)).toMatchObject({ title: "Buy sea salt", priority: 3 });
    await row("Buy white sugar").waitFor();
  });

  it("do not delete what others have changed since, unless the user says so", async () => {
    const [described, renamed, own] = await create("Sell the boat", "Sell the car", "Sell the cart");
    await openAndLeave(visitor);
    await rename("Sell the cart", "Sell the old cart ");
    for (const title of ["Sell the old cart", "Sell the boat", "Sell the car"]) await remove(title);
    await waiting(page, 4);
    await change(described, { description: "Somebody wants to keep it." });
    await change(renamed, { title: "Wash the car" });
    await visitor.context.setOffline(false);
    await problem("Sell the boat", "so it is still there").getByRole("button", { name: "Keep it" }).click();
    await problem("Sell the car", "so it is still there").getByRole("button", { name: "Delete it anyway" }).click();
    await isSent(page);
    expect(await read(described)).toMatchObject({ deletedAt: null, description: "Somebody wants to keep it." });
    for (const id of [renamed, own]) expect(await read(id)).toMatchObject({ deletedAt: expect.any(String) });
    await row("Sell the boat").waitFor();
  });

  it("are sent once although the response to one is lost", async () => {
    await openTasks(page);
    await page.route("**/api/trpc/tasks.create*", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await add("Stored without a response");
    await waiting(page, 1);
    await page.unrouteAll({ behavior: "wait" });
    await isSent(page);
    expect((await titles()).filter((title) => title === "Stored without a response")).toHaveLength(1);
    expect(await row("Stored without a response").count()).toBe(1);
  });

  it("are sent by one of two tabs, and seen in both", async () => {
    await openTasks(page);
    const other = await visitor.context.newPage();
    await other.goto("/tasks?view=list");
    await other.locator("[data-task-id]").first().waitFor();
    await visitor.context.setOffline(true);
    await add("Seen in both");
    await waiting(page, 1);
    await other.locator("[data-task-id]").getByText("Seen in both").waitFor();
    await comeBack(visitor);
    expect((await titles()).filter((title) => title === "Seen in both")).toHaveLength(1);
    await expect.poll(() => other.locator("[data-task-id]").getByText("Seen in both").count()).toBe(1);
  });

  it("are discarded by signing out only if the user says so", async () => {
    // What the page still asks for when the session has ended.
    visitor.watch.expect(/401/);
    await openTasks(page);
    await page.route("**/api/trpc/tasks.create*", (route) => route.abort());
    await add("Never sent");
    await waiting(page, 1);
    await signOut();
    await page.getByText("1 change has not been sent").waitFor();
    await page.getByRole("button", { name: "Sign out and discard" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    expect(await titles()).not.toContain("Never sent");
    await waiting(page, 0);
  });

  it("are still there if signing out fails, and sent later", async () => {
    await create("There before");
    await openAndLeave(visitor);
    await add("Not to be lost");
    await waiting(page, 1);
    await signOut();
    const warning = page.getByRole("alert").filter({ hasText: "1 change has not been sent" });
    await warning.waitFor();
    expect(
      await warning.locator("p").evaluateAll((lines) => lines.some((line) => line.scrollHeight > line.clientHeight)),
    ).toBe(false);
    await warning.getByRole("button", { name: "Sign out and discard" }).click();
    const failure = page.getByRole("alert").filter({ hasText: "Could not sign out" });
    await failure.waitFor();
    await waiting(page, 1);
    // Longer than the toast takes that asked.
    await page.waitForTimeout(1_000);
    await failure.getByRole("button", { name: "Dismiss" }).click();
    await failure.waitFor({ state: "detached" });
    await row("Not to be lost").waitFor();
    await comeBack(visitor);
    expect(await titles()).toEqual(["Not to be lost", "There before"]);
  });
});

it("a note that was opened is read and changed while the server is away, and saved afterwards", async () => {
  await create("Water the plants");
  const id = await visitor.vault.write("Trip.md", "# Trip\n\nPack the tent.\n");
  await openPage(`/documents?doc=${id}`, ".cm-content");
  await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["documents","one","${id}"]`)).toBe(1);
  await leave(visitor);
  await page.reload();
  const editor = page.locator(".cm-content");
  await editor.getByText("Pack the tent.").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("And the stove.");
  await page.getByText("Saved on this device").waitFor();
  await page.getByText(/, the text of 1 note will be sent\./).waitFor();
  await page.reload();
  await editor.getByText("And the stove.").waitFor();
  await page.getByText(/, the text of 1 note will be sent\./).waitFor();
  await signOut();
  await page.getByText("1 note has unsaved text").waitFor();
  await visitor.context.setOffline(false);
  await expect
    .poll(() => visitor.vault.read("Trip.md"), { timeout: 30_000 })
    .toMatchObject({
      content: expect.stringContaining("And the stove."),
    });
});

it("changes of somebody are not sent for whoever is signed in afterwards", async () => {
  await create("There before");
  await openAndLeave(visitor);
  await add("Of the first user");
  await waiting(page, 1);
  const { request } = visitor.context;
  const account = { name: "Grace", email: "grace@example.com", password: "long enough" };
  await request.post("/api/auth/sign-up/email", { data: account, headers: { origin: dashboard.server.url } });
  // The page of the first user may ask once more before it is left.
  visitor.watch.expect(/401/);
  await visitor.context.setOffline(false);
  await page.goto("/tasks?view=list");
  await page.getByRole("button", { name: "Grace" }).waitFor();
  await row("There before").waitFor();
  await add("Of the second user");
  await expect.poll(titles).toContain("Of the second user");
  expect(await titles()).not.toContain("Of the first user");
  await waiting(page, 1);
});

it("of 40 changes made offline while others make theirs, none is lost and none is made twice", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Shared ${index}`);
  const ids = await create(...names);
  await openAndLeave(visitor);
  const expected = new Map<string, number>();
  for (let step = 0; step < 40; step += 1) {
    const index = randomInt(names.length);
    if (step % 4 === 0) await add(`Added ${step}`);
    else {
      const priority = 1 + randomInt(3);
      await setPriority(names[index] ?? "", priority);
      expected.set(ids[index] ?? "", priority);
    }
  }
  await Promise.all(ids.map((id, index) => change(id, { description: `By others ${index}` })));
  await page.reload();
  await comeBack(visitor);
  const tasks = await list();
  const added = tasks.map(({ title }) => title).filter((title) => title.startsWith("Added"));
  expect(added.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `Added ${index * 4}`).toSorted());
  for (const [index, id] of ids.entries()) {
    expect(await read(id)).toMatchObject({
      description: `By others ${index}`,
      ...(expected.has(id) && { priority: expected.get(id) }),
    });
  }
});

const row = (title: string) => page.locator("[data-task-id]").getByText(title, { exact: true });
const read = (id: string | undefined) => dashboard.api.query<Task>("tasks.get", { id });
const list = () => dashboard.api.query<Task[]>("tasks.list", {});
const titles = async () => (await list()).map(({ title }) => title).toSorted();
const change = (id: string | undefined, fields: object) => dashboard.api.mutateAll("tasks.update", [{ id, ...fields }]);

/** Removes all other tasks, and creates these. */
async function create(...names: string[]): Promise<string[]> {
  await dashboard.api.mutateAll(
    "tasks.delete",
    (await list()).map(({ id }) => ({ id })),
  );
  const made = await dashboard.api.mutateAll<Task>(
    "tasks.create",
    names.map((title) => ({ title })),
  );
  return made.map(({ id }) => id);
}

async function openPage(path: string, content: string): Promise<void> {
  await page.goto(path);
  await page.locator(content).first().waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole("button", { name: "Ada Lindqvist" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

async function add(title: string): Promise<void> {
  await page.getByRole("textbox", { name: "New task" }).fill(title);
  await page.keyboard.press("Enter");
  await row(title).waitFor();
}

async function rename(from: string, to: string): Promise<void> {
  await row(from).click();
  const panel = page.getByRole("complementary", { name: "Task" });
  await panel.getByLabel("Title", { exact: true }).fill(to);
  await panel.getByLabel("Title", { exact: true }).blur();
  await row(to.trim()).waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
}

async function complete(title: string): Promise<void> {
  await rowOf(title)
    .getByRole("button", { name: /^Status/ })
    .click();
  await page.getByRole("option", { name: "Done" }).click();
}

async function remove(title: string): Promise<void> {
  await row(title).click();
  await page.getByRole("complementary", { name: "Task" }).getByRole("button", { name: "Delete" }).click();
  await row(title).waitFor({ state: "detached" });
}

const rowOf = (title: string) => page.locator("[data-task-id]", { has: page.getByText(title, { exact: true }) });

async function setPriority(title: string, priority: number): Promise<void> {
  await rowOf(title)
    .getByRole("button", { name: /^Priority/ })
    .click();
  await page.getByRole("option", { name: ["Low", "Medium", "High"][priority - 1] ?? "" }).click();
}

function problem(mine: string, theirs: string) {
  return page.getByRole("alert").filter({ hasText: mine }).filter({ hasText: theirs });
}
