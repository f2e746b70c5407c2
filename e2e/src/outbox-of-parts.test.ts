import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, isSent, keptIn, leave, openAndLeave, openTasks, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

interface Task {
  readonly id: string;
  readonly title: string;
  readonly projectId: string | null;
}

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  // Only pages that load all of their code ahead have the browser keep it.
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError/);
});

describe("what belongs to a task, and projects, while the server is away", () => {
  it("comments and items are kept across a reload, and each is sent once", async () => {
    const [task] = await create("Pack for the trip");
    const [item] = await items(task, { add: ["Tent", "Rope", "Soap"] });
    await openAndLeave(visitor);
    await row("Pack for the trip").click();
    await addItem("Stove");
    await comment("Who has the map?");
    await waiting(page, 2);
    await page.reload();
    await panel().getByText("not sent yet").waitFor();
    await panel().getByLabel("Item: Stove").waitFor();
    await visitor.context.setOffline(false);
    await panel().getByLabel("Item: Rope").waitFor();
    await isSent(page);
    await panel().getByText("not sent yet").waitFor({ state: "detached" });
    await visitor.context.setOffline(true);
    await panel().getByRole("checkbox", { name: "Tent" }).click();
    await panel().getByLabel("Item: Rope").fill("Long rope");
    await panel().getByLabel("Item: Rope").blur();
    await panel().getByLabel("Item: Soap").fill("");
    await panel().getByLabel("Item: Soap").blur();
    await waiting(page, 3);
    await comeBack(visitor);
    expect(await items(task)).toEqual([
      { id: item?.id, text: "Tent", isDone: true },
      { id: expect.any(String), text: "Long rope", isDone: false },
      { id: expect.any(String), text: "Stove", isDone: false },
    ]);
    expect(await comments(task)).toEqual(["Who has the map?"]);
  });

  it("what was seen of a task is read after a reload, as old as it is, and changed", async () => {
    const [task] = await create("Read the map");
    await items(task, { add: ["Find the hut"] });
    await dashboard.api.mutateAll("tasks.comment", [{ id: task, text: "North is up" }]);
    await openTasks(page);
    await row("Read the map").click();
    await panel().getByLabel("Item: Find the hut").waitFor();
    await panel().getByText("North is up").waitFor();
    await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["tasks","activity","${task}"]`)).toBe(1);
    await leave(visitor);
    await page.reload();
    await panel().getByLabel("Item: Find the hut").waitFor();
    await panel().getByText("North is up").waitFor();
    await panel()
      .getByText(/^As known/)
      .first()
      .waitFor();
    expect(
      await panel()
        .getByText(/^As known/)
        .count(),
    ).toBe(2);
    await addItem("Boil water");
    await waiting(page, 1);
    await comeBack(visitor);
    expect((await items(task)).map(({ text }) => text)).toEqual(["Find the hut", "Boil water"]);
    await panel()
      .getByText(/^As known/)
      .first()
      .waitFor({ state: "detached" });
  });

  it("a comment and an item are not doubled although the responses are lost", async () => {
    const [task] = await create("Mend the fence");
    await openTasks(page);
    await row("Mend the fence").click();
    await page.route(/tasks\.(comment|changeChecklist)\b/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await addItem("Nails");
    await waiting(page, 1);
    await page.unrouteAll({ behavior: "wait" });
    await isSent(page);
    await page.route(/tasks\.comment\b/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await comment("Nearly done");
    await waiting(page, 1);
    await page.unrouteAll({ behavior: "wait" });
    await isSent(page);
    expect((await items(task)).map(({ text }) => text)).toEqual(["Nails"]);
    expect(await comments(task)).toEqual(["Nearly done"]);
  });

  it("an item that somebody else has renamed too is not overwritten, unless the user says so", async () => {
    const [task] = await create("Bake");
    const [item] = await items(task, { add: ["Flour"] });
    await openTasks(page);
    await row("Bake").click();
    await panel().getByLabel("Item: Flour").waitFor();
    await visitor.context.setOffline(true);
    await panel().getByLabel("Item: Flour").fill("Rye flour");
    await panel().getByLabel("Item: Flour").blur();
    await waiting(page, 1);
    await items(task, { set: [{ id: item?.id, text: "Spelt flour" }] });
    await visitor.context.setOffline(false);
    const mine = problem("Rye flour", "Spelt flour").getByRole("button", { name: "Save mine" });
    await mine.waitFor();
    expect(await items(task)).toMatchObject([{ text: "Spelt flour" }]);
    await mine.click();
    await isSent(page);
    expect(await items(task)).toMatchObject([{ text: "Rye flour" }]);
  });

  it("a project that somebody else has changed since is not deleted, unless the user says so", async () => {
    await create("There before");
    const [project] = await dashboard.api.mutateAll<{ id: string }>("projects.create", [
      { name: "Boat", color: "#3b82f6" },
    ]);
    await openTasks(page);
    await page.getByRole("link", { name: "Boat" }).first().click();
    await page.getByRole("heading", { name: "Boat" }).waitFor();
    await visitor.context.setOffline(true);
    await page.getByRole("button", { name: "Actions for this project" }).click();
    await page.getByRole("menuitem", { name: "Delete project" }).click();
    await waiting(page, 1);
    await dashboard.api.mutateAll("projects.update", [{ id: project?.id, description: "To be sold in May" }]);
    await visitor.context.setOffline(false);
    const isDeleted = async () =>
      (await dashboard.api.query<{ deletedAt: string | null }>("projects.get", { id: project?.id })).deletedAt !== null;
    const anyway = problem("Boat", "so it is still there").getByRole("button", { name: "Delete it anyway" });
    await anyway.waitFor();
    expect(await isDeleted()).toBe(false);
    await anyway.click();
    await isSent(page);
    expect(await isDeleted()).toBe(true);
  });

  it("a project and a task in it are created once each, the project first", async () => {
    await create("There before");
    await openAndLeave(visitor);
    await page.getByRole("link", { name: "Projects", exact: true }).first().click();
    await page.getByRole("button", { name: "New project" }).first().click();
    await page.getByLabel("Name").fill("Garden shed");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByRole("heading", { name: "Garden shed" }).waitFor();
    await page.getByRole("textbox", { name: "New task" }).fill("Buy planks");
    await page.keyboard.press("Enter");
    await waiting(page, 2);
    await page.reload();
    await page.getByRole("heading", { name: "Garden shed" }).waitFor();
    await row("Buy planks").waitFor();
    await comeBack(visitor);
    const projects = await dashboard.api.query<{ id: string; name: string }[]>("projects.list", {});
    const made = projects.filter(({ name }) => name === "Garden shed");
    expect(made).toHaveLength(1);
    const planks = (await list()).filter(({ title }) => title === "Buy planks");
    expect(planks).toMatchObject([{ projectId: made[0]?.id }]);
  });

  it("a project is given what nobody else has changed, whatever the user decides about the rest", async () => {
    const input = { name: "Garden", color: "#3b82f6", description: "Beds" };
    const [project] = await dashboard.api.mutateAll<{ id: string }>("projects.create", [input]);
    await page.goto(`/projects/${project?.id}`);
    await page.getByRole("heading", { name: "Garden" }).waitFor();
    await leave(visitor);
    await page.getByRole("button", { name: "Actions for this project" }).first().click();
    await page.getByRole("menuitem", { name: "Edit project" }).click();
    await page.getByLabel("Name").fill("Orchard");
    await page.getByLabel("Description").fill("Trees");
    await page.getByRole("button", { name: "Save project" }).click();
    await waiting(page, 1);
    await dashboard.api.mutateAll("projects.update", [{ id: project?.id, name: "Meadow", color: "#ef4444" }]);
    await visitor.context.setOffline(false);
    await problem("“Orchard”", "“Meadow”").getByRole("button", { name: "Keep theirs" }).click();
    await isSent(page);
    const after = await dashboard.api.query("projects.get", { id: project?.id });
    expect(after).toMatchObject({ name: "Meadow", color: "#ef4444", description: "Trees" });
    await page.getByRole("heading", { name: "Meadow" }).waitFor();
  });
});

const panel = () => page.getByRole("complementary", { name: "Task" });

/** The items of a checklist, after an edit if one is given. */
async function items(id: string | undefined, edit?: object) {
  if (edit !== undefined) await dashboard.api.mutateAll("tasks.changeChecklist", [{ id, ...edit }]);
  return dashboard.api.query<{ id: string; text: string; isDone: boolean }[]>("tasks.checklist", { id });
}

async function comments(id: string | undefined): Promise<string[]> {
  const entries = await dashboard.api.query<{ text: string }[]>("tasks.activity", { id, only: "comments" });
  return entries.map(({ text }) => text);
}

async function addItem(text: string): Promise<void> {
  await panel().getByRole("textbox", { name: "Add an item, or paste several lines" }).fill(text);
  await page.keyboard.press("Enter");
  await panel().getByLabel(`Item: ${text}`).waitFor();
}

async function comment(text: string): Promise<void> {
  await panel().getByRole("textbox", { name: "Write a comment" }).fill(text);
  await panel().getByRole("button", { name: "Comment", exact: true }).click();
  // The field may not be empty yet.
  await panel().getByText(text).first().waitFor();
}

const row = (title: string) => page.locator("[data-task-id]").getByText(title, { exact: true });
const list = () => dashboard.api.query<Task[]>("tasks.list", {});

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

function problem(mine: string, theirs: string) {
  return page.getByRole("alert").filter({ hasText: mine }).filter({ hasText: theirs });
}
