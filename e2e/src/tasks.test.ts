import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { carryToLastColumn, dragWithMouse, press } from "./gestures.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

describe("on a desktop", () => {
  beforeEach(async () => {
    visitor = await dashboard.visit({ isSignedIn: false });
    ({ page } = visitor);
  });

  it("signs in, and continues to the requested page", async () => {
    await page.goto("/tasks?view=board");
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    expect(await page.getByLabel("Email").evaluate((input) => input === document.activeElement)).toBe(true);

    visitor.watch.expect(/401/);
    await page.getByLabel("Email").fill(dashboard.server.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    expect(await page.getByRole("alert").textContent()).toContain("email or password is incorrect");

    await page.getByLabel("Password").fill(dashboard.server.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    expect(page.url()).toBe(`${dashboard.server.url}/tasks?view=board`);
  });

  it("creates a project and tasks, moves, edits, deletes, undoes and restores them, and all changes persist", async () => {
    await signIn();
    await page.goto("/projects");
    await page.getByRole("button", { name: "Create a project" }).last().click();
    await page.getByLabel("Name").fill("Website");
    await page.getByRole("radio", { name: "Green" }).check({ force: true });
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByRole("heading", { name: "Website", level: 1 }).waitFor();

    await addTasks("Write the copy", "Choose the photos", "Check the links");
    await task("Write the copy").waitFor();
    expect(await rowTitles()).toEqual(["Check the links", "Choose the photos", "Write the copy"]);

    await renameByKeyboard("Check the links", "Check all links");
    await completeByKeyboard();
    await dragOnBoard("Choose the photos", "In progress");
    await moveOnBoardByKeyboard("Write the copy", "In progress");

    await page.reload();
    await page.getByRole("heading", { name: "Website", level: 1 }).waitFor();
    await column("Done").getByText("Check all links").waitFor();
    await expect.poll(() => column("In progress").getByRole("article").count()).toBe(2);

    await deleteAndUndo("Write the copy");
    await deleteAndRestore("Write the copy");
  });

  it("edits every field in the panel, which has its own URL", async () => {
    await signIn();
    await page.goto("/tasks?view=list");
    await addTasks("Panel task");
    await task("Panel task").click();
    const panel = page.getByRole("complementary", { name: "Task" });
    await panel.getByLabel("Title", { exact: true }).fill("Panel task, renamed");
    await panel.getByLabel("Description").fill("With a description.\nIn two lines.");
    await panel.getByRole("button", { name: "Medium" }).click();
    await page.getByRole("option", { name: "High" }).click();
    await panel.getByRole("button", { name: "No due date" }).click();
    await page.getByRole("button", { name: "Tomorrow" }).click();
    await panel.getByRole("button", { name: "No tags" }).click();
    await page.getByRole("combobox", { name: "Change the tags" }).fill("launch");
    await page.getByRole("option", { name: /Add the tag/ }).click();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "No project" }).click();
    await page.getByRole("option", { name: "Website" }).click();
    await panel.getByLabel("Title", { exact: true }).click();
    await settle();

    await page.reload();
    await expectText(panel, ["High", "Tomorrow", "launch", "Website"]);
    expect(await panel.getByLabel("Title", { exact: true }).inputValue()).toBe("Panel task, renamed");
    expect(await panel.getByLabel("Description").inputValue()).toBe("With a description.\nIn two lines.");
    await page.goBack();
    await panel.waitFor({ state: "detached" });
  });

  it("filters by text and field through the URL, and selects and changes several tasks together", async () => {
    await signIn();
    await page.goto("/tasks?view=list");
    await addTasks("Bulk one", "Bulk two", "Bulk three");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("bulk");
    await page.waitForURL(/q=bulk/);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.search.includes("q="));
    await page.getByLabel("Filter by text").fill("bulk");
    await page.waitForURL(/q=bulk/);
    await page.getByLabel("Filter by text").blur();
    expect(await rowTitles()).toEqual(["Bulk three", "Bulk two", "Bulk one"]);

    await page.keyboard.press("Control+a");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("s");
    await page.getByRole("option", { name: "Blocked" }).click();
    await page.getByRole("button", { name: /^Blocked 3/ }).waitFor();
    await settle();
    await page.reload();
    await page.getByRole("button", { name: /^Blocked 3/ }).waitFor();
  });

  it("lets no key of an open picker or dialog reach the page", async () => {
    await signIn();
    await page.goto("/tasks?view=list");
    await addTasks("Keep this title");
    await page.keyboard.press("Escape");
    const row = page.getByRole("row", { name: /Keep this title/ });
    await row.focus();
    await page.keyboard.press("d");
    const picker = page.getByRole("dialog", { name: "Change the due date" });
    await picker.locator(":focus").waitFor();
    await page.keyboard.type("tomorrow e");
    await page.keyboard.press("Enter");
    await picker.getByText("Not a date that can be read.").waitFor();
    await page.keyboard.press("Escape");
    await row.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("d");
    await picker.locator(":focus").waitFor();
    await page.keyboard.type("tom");
    await page.keyboard.press("Enter");
    await row.getByText("Tomorrow").waitFor();

    await page.goto("/connect");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.locator(":focus").evaluate((element) => element instanceof HTMLElement && element.blur());
    await page.keyboard.type("gt");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Connect", level: 1 }).waitFor();
    // Landmarks: the views of a page belong to its main part.
    await page.getByRole("main").getByRole("radiogroup", { name: "View" }).waitFor();
  });

  it("searches, navigates and switches the theme with the palette and the keyboard", async () => {
    await signIn();
    await page.goto("/");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("bulk two");
    await page
      .getByRole("option", { name: /Bulk two/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Task" }).getByText("Bulk two").first().waitFor();
    await page.keyboard.press("Escape");
    // What is named exactly so comes before tasks that only contain it.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("website");
    await page.getByRole("option", { name: "Choose the photos" }).waitFor();
    await page.getByRole("option", { name: "Website", exact: true, selected: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Projects", exact: true }).focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.textContent === "Projects");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "New project" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    // The palette offers all that the account menu does.
    await page.getByRole("option", { name: "Sign out" }).waitFor();
    await page.getByRole("option", { name: "Change password" }).waitFor();
    await page.keyboard.type("dark");
    await page.getByRole("option", { name: "Dark theme" }).click();
    await page.waitForFunction(() => document.documentElement.dataset["theme"] === "dark");
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  });
});

describe("on a phone", () => {
  beforeEach(async () => {
    visitor = await dashboard.visit({ size: "phone" });
    ({ page } = visitor);
  });

  it("adds, opens, changes, drags, deletes and restores by touch", async () => {
    await page.goto("/tasks?view=list");
    await page.getByRole("textbox", { name: "New task" }).tap();
    await page.keyboard.type("Thumb task");
    await page.keyboard.press("Enter");
    await task("Thumb task").tap();
    const panel = page.getByRole("complementary", { name: "Task" });
    await panel.getByRole("button", { name: "To do" }).tap();
    await page.getByRole("option", { name: "Blocked" }).tap();
    await panel.getByRole("button", { name: "Blocked" }).waitFor();
    await panel.getByRole("button", { name: "Back" }).tap();
    await panel.waitFor({ state: "detached" });

    await page.getByRole("radio", { name: "Board" }).tap();
    await column("Blocked").getByText("Thumb task").waitFor();
    await carryToLastColumn(page, page.getByRole("article", { name: "Thumb task" }));
    await column("Done").getByText("Thumb task").waitFor();
    await settle();
    await page.reload();
    await column("Done").getByText("Thumb task").tap();
    await panel.getByRole("button", { name: "Delete" }).tap();
    await task("Thumb task").waitFor({ state: "detached" });
    await settle();

    await page.getByRole("button", { name: "More" }).tap();
    await page.getByRole("menuitem", { name: "Deleted" }).tap();
    await page.getByRole("button", { name: "Restore Thumb task" }).tap();
    await page.getByText("Nothing deleted").waitFor();
    await settle();
    await page.getByRole("link", { name: /^Tasks/ }).tap();
    await column("Done").getByText("Thumb task").waitFor();
  });

  it("shows all filters at once", async () => {
    await page.goto("/tasks?view=list");
    for (const name of ["Status", "Project", "Tag", "Due", "Order: Newest first"]) {
      const button = page.getByRole("button", { name, exact: true });
      await button.waitFor();
      const isInSight = await button.evaluate((element) => {
        const { left, right, top, height } = element.getBoundingClientRect();
        const hit = (x: number) => element.contains(document.elementFromPoint(x, top + height / 2));
        return hit(left + 2) && hit(right - 2);
      });
      expect([name, isInSight]).toEqual([name, true]);
    }
  });

  it("selects with a long press", async () => {
    await page.goto("/tasks?view=list");
    const row = task("Bulk one");
    await row.waitFor();
    await page.getByRole("button", { name: "Status", exact: true }).waitFor();
    await press(page, row, 700);
    await page.getByText("1 selected").waitFor();
    await task("Bulk two").tap();
    await page.getByText("2 selected").waitFor();
  });
});

async function signIn(): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(dashboard.server.email);
  await page.getByLabel("Password").fill(dashboard.server.password);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

async function addTasks(...titles: readonly string[]): Promise<void> {
  await page.getByRole("textbox", { name: "New task" }).waitFor();
  await page.keyboard.press("c");
  for (const title of titles) {
    await page.keyboard.type(title);
    await page.keyboard.press("Enter");
    await task(title).waitFor();
    // The list is ordered by creation time, in milliseconds.
    await settle();
  }
}

function task(title: string) {
  return page.locator("[data-task-id]", { has: page.getByText(title, { exact: true }) });
}

function column(name: string) {
  return page.getByRole("region", { name, exact: true });
}

async function rowTitles(): Promise<string[]> {
  const rows = await page.locator("[data-task-id]").all();
  return Promise.all(rows.map(async (row) => (await row.locator("span.truncate").first().textContent()) ?? ""));
}

/** Moves the cursor to the task and edits its title in place, by keyboard alone. */
async function renameByKeyboard(title: string, renamed: string): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.waitForFunction((text) => document.activeElement?.textContent.includes(text), title);
  await page.keyboard.press("e");
  await page.getByLabel("Title", { exact: true }).fill(renamed);
  await page.keyboard.press("Enter");
  await task(renamed).waitFor();
}

async function completeByKeyboard(): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: /^Done 1/ }).waitFor();
}

async function dragOnBoard(title: string, to: string): Promise<void> {
  await page.keyboard.press("v");
  await dragWithMouse(page, page.getByRole("article", { name: title }), column(to));
  await column(to).getByText(title).waitFor();
}

async function moveOnBoardByKeyboard(title: string, to: string): Promise<void> {
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((text) => document.activeElement?.textContent.includes(text), title);
  await page.keyboard.press("Shift+ArrowRight");
  await column(to).getByText(title).waitFor();
  await settle();
}

async function deleteAndUndo(title: string): Promise<void> {
  await page.getByRole("article", { name: title }).click();
  await page.getByRole("complementary", { name: "Task" }).getByRole("button", { name: "Delete" }).click();
  await task(title).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Undo/ }).click();
  await task(title).waitFor();
}

async function deleteAndRestore(title: string): Promise<void> {
  await page.getByRole("article", { name: title }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary", { name: "Task" }).waitFor({ state: "detached" });
  await page.keyboard.press("Delete");
  await task(title).waitFor({ state: "detached" });
  await settle();
  await page.getByRole("link", { name: "Deleted", exact: true }).click();
  await page.getByRole("button", { name: `Restore ${title}` }).click();
  await page.getByText("Nothing deleted").waitFor();
  await settle();
  await page.getByRole("link", { name: /^Website/ }).click();
  await page.reload();
  await column("In progress").getByText(title).waitFor();
}

async function expectText(within: ReturnType<Page["getByRole"]>, texts: readonly string[]): Promise<void> {
  for (const text of texts) await within.getByText(text, { exact: true }).first().waitFor();
}

/** Waits until all changes have reached the server. */
async function settle(): Promise<void> {
  await visitor.watch.settle();
}
