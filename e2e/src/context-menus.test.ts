import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { checkThemes } from "./appearance.ts";
import { createHookSession, SESSION_ID } from "./assistant-data.ts";
import { sendMessage, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { press } from "./gestures.ts";
import { setUpModelDouble } from "./model-double.ts";

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

const LONG_PRESS_MS = 700;

const item = (page: Page, name: string | RegExp) => page.getByRole("menuitem", { name });
const rightClick = (element: Locator) => element.click({ button: "right" });

/** The page behind a menu is hidden from screen readers, and keeps its order of focus. */
async function look(page: Page, name: string): Promise<void> {
  await checkThemes(page, name, { hasAxe: false });
  expect(await findAccessibilityProblems(page, { hasOnlyColours: true })).toEqual([]);
}

const titles = async () =>
  (await dashboard.api.query<{ title: string }[]>("tasks.list", {})).map(({ title }) => title).toSorted();
const statusOf = async (title: string) =>
  (await dashboard.api.query<{ title: string; status: string }[]>("tasks.list", {})).find(
    (task) => task.title === title,
  )?.status;

it("tasks have a menu in the list and on the board, by the mouse and by the keyboard, for one and for the selection", async () => {
  const all = ["Dig the bed", "Fill the can", "Sow the peas"];
  for (const title of all) await dashboard.api.mutateAll("tasks.create", [{ title }]);
  const { page } = await dashboard.visit();
  await page.goto("/tasks?view=list");
  const row = (title: string) => page.locator("#page [data-task-id]").filter({ hasText: title });
  await rightClick(row("Dig the bed"));
  await item(page, "Delete").waitFor();
  await look(page, "context-menu-task");
  await item(page, /^Status/).click();
  await page.getByRole("option", { name: "In progress" }).click();
  await expect.poll(() => statusOf("Dig the bed")).toBe("in_progress");

  await row("Fill the can").focus();
  await page.keyboard.press("ContextMenu");
  await item(page, /^Priority/).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => row("Fill the can").evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Shift+F10");
  await item(page, /^Mark as done/).click();
  await expect.poll(() => statusOf("Fill the can")).toBe("done");

  await page.goto("/tasks?view=board");
  await rightClick(page.getByRole("article", { name: "Sow the peas" }));
  await item(page, /^Select/).click();
  await rightClick(page.getByRole("article", { name: "Dig the bed" }));
  await item(page, /^Select/).click();
  await rightClick(page.getByRole("article", { name: "Dig the bed" }));
  await item(page, "Delete 2 tasks").click();
  await expect.poll(titles).toEqual(["Fill the can"]);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect.poll(titles).toEqual(all);
});

it("notes and folders have a menu, whose deletion is undone", async () => {
  const { page } = await dashboard.visit();
  const post = (path: string, data: object) => page.request.post(`${dashboard.server.url}/api/${path}`, { data });
  await post("fs/write", { path: "Garden/Peas.md", content: "Sow in March." });
  await post("fs/write", { path: "Diary.md", content: "Nothing." });
  const paths = async () =>
    (await dashboard.api.query<{ path: string }[]>("documents.list", {})).map(({ path }) => path).toSorted();
  await page.goto("/documents");
  const entry = (name: string) => page.getByRole("treeitem", { name: new RegExp(`^${name}`) });
  await rightClick(entry("Garden"));
  await item(page, "New note here").waitFor();
  await look(page, "context-menu-folder");
  await page.keyboard.press("Escape");
  await entry("Diary").focus();
  await page.keyboard.press("ContextMenu");
  await item(page, /^Rename/).click();
  await page.getByRole("textbox", { name: "New name for Diary.md" }).fill("Journal");
  await page.keyboard.press("Enter");
  await expect.poll(paths).toEqual(["Garden/Peas.md", "Journal.md"]);
  await rightClick(entry("Garden"));
  await item(page, /^Delete/).click();
  await expect.poll(paths).toEqual(["Journal.md"]);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect.poll(paths).toEqual(["Garden/Peas.md", "Journal.md"]);
});

it("a menu that renames gives the focus to the field, by the mouse, by the keyboard and by touch", async () => {
  await dashboard.api.mutateAll("projects.create", [{ name: "Orchard", color: "#3b82f6" }]);
  const { page } = await dashboard.visit();
  const touched = (await dashboard.visit({ size: "phone" })).page;
  const post = (path: string, data: object) => page.request.post(`${dashboard.server.url}/api/${path}`, { data });
  await post("fs/write", { path: "Shed/Rake.md", content: "#tool" });
  await page.goto("/documents");
  const entry = (name: string, on = page) => on.getByRole("treeitem", { name: new RegExp(`^${name}`) });
  const actions = (name: string, on = page) => entry(name, on).getByRole("button", { name: /^Actions for/ });
  const rename = async (name: string, on = page) => {
    await on.getByRole("menu").waitFor({ state: "hidden" });
    await on.locator(":focus[aria-label*='ame']").waitFor();
    await on.keyboard.type(name);
    await on.keyboard.press("Enter");
  };
  await entry("Shed").hover();
  await actions("Shed").click();
  await item(page, /^Rename/).click();
  await rename("nook");
  await rightClick(entry("nook"));
  await item(page, /^Rename/).click();
  await rename("nest");
  await entry("nest").click();
  await entry("Rake").focus();
  await page.keyboard.press("Shift+F10");
  await item(page, /^Rename/).focus();
  await page.keyboard.press("Enter");
  await rename("net");
  await entry("net").click();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await item(page, /^Rename/).click();
  await rename("nail");
  await page.getByRole("radio", { name: "Tags" }).click();
  await rightClick(page.getByRole("button", { name: /^tool/ }));
  await item(page, /^Rename/).click();
  await rename("new");
  await page.getByRole("button", { name: /^new/ }).waitFor();
  await touched.goto("/documents");
  await actions("nest", touched).tap();
  await item(touched, /^Rename/).tap();
  await rename("nursery", touched);
  await entry("nursery", touched).waitFor();
  await page.goto("/projects");
  await page.getByRole("button", { name: "Actions for Orchard" }).click();
  await item(page, /^Edit/).click();
  await page.locator("[role=dialog] :focus").waitFor();
});

it("conversations are renamed, kept, exported and deleted by the menu in their list", async () => {
  const { page } = await dashboard.visit();
  model.double.reply({ text: "A heron." });
  await page.goto("/chat");
  await sendMessage(page, "Which bird is grey?");
  await waitForAnswer(page, "A heron.");
  const list = page.getByRole("navigation", { name: "Conversations" });
  const entry = (title: string) => list.getByRole("listitem").getByRole("button", { name: title });
  await rightClick(entry("Which bird is grey?"));
  await look(page, "context-menu-conversation");
  await item(page, /^Rename/).click();
  await list.getByRole("textbox", { name: "Title" }).fill("Herons");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Herons" }).waitFor();
  await rightClick(entry("Herons"));
  await item(page, "Add to favourites").click();
  await list.getByRole("region", { name: "Favourites" }).getByText("Herons").waitFor();
  await rightClick(entry("Herons").last());
  const downloaded = page.waitForEvent("download");
  await item(page, "Export as Markdown").click();
  expect((await downloaded).suggestedFilename()).toBe("Herons.md");
  await rightClick(entry("Herons").last());
  await item(page, "Delete permanently…").click();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByText("No conversations yet.").waitFor();
});

it("sessions have a menu, which a long press opens too; a long press of a task selects it", async () => {
  await createHookSession(dashboard.api);
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title: "Hold me" }]);
  const { page } = await dashboard.visit({ size: "phone" });
  await page.goto("/hooks?view=sessions");
  const session = page.locator(`[data-row-id="${SESSION_ID}"]`);
  await press(page, session, LONG_PRESS_MS);
  await item(page, "Copy link").waitFor();
  await look(page, "context-menu-session-phone");
  await item(page, /^Open/).click();
  await page.waitForURL(/\/hooks\/sessions\//);
  await page.goto("/tasks?view=list");
  const row = page.locator(`#page [data-task-id="${task?.id}"]`);
  await row.waitFor();
  await page.waitForLoadState("networkidle");
  await press(page, row, LONG_PRESS_MS);
  await page.getByText("1 selected").waitFor();
  expect(await page.getByRole("menu").count()).toBe(0);
  await page.getByRole("toolbar", { name: "Selected tasks" }).getByRole("button", { name: "All actions" }).tap();
  await look(page, "context-menu-task-phone");
  await item(page, /^Open/).tap();
  await page.getByRole("complementary", { name: "Task" }).waitFor();
});
