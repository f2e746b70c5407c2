import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { holdRequests } from "./held-requests.ts";

const dashboard = setUpDashboard();

const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
const editor = (page: Page) => page.locator("[data-pane=main] .cm-content, article .cm-content").first();

/** Opens today's note by its key, which does not exist yet. */
async function visitNewDay() {
  const { page, vault } = await dashboard.visit({ size: "desktop" });
  if (await vault.exists(`Journal/${today()}.md`)) await vault.delete(`Journal/${today()}.md`);
  await page.goto("/tasks");
  await page.getByRole("main", { name: "Tasks" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Text of the note" }).waitFor();
  return { page, vault };
}

describe("the note of a day", () => {
  it("is opened by one key, and created with everything that is typed when something is", async () => {
    const { page, vault } = await visitNewDay();
    expect(await checkThemes(page, "daily-note-new")).toEqual([]);
    expect(await vault.exists(`Journal/${today()}.md`)).toBe(false);
    await page.keyboard.type("Saw a heron at the pond, and nothing was lost.");
    await expect.poll(() => editor(page).textContent()).toContain("nothing was lost.");
    await page.keyboard.type(" Indeed.");
    const saved = async () =>
      (await vault.exists(`Journal/${today()}.md`)) ? (await vault.read(`Journal/${today()}.md`)).content : "";
    await expect.poll(saved, { timeout: 10_000 }).toBe("Saw a heron at the pond, and nothing was lost. Indeed.");
    await page.getByRole("button", { name: "Previous day" }).click();
    await page.getByRole("textbox", { name: "Text of the note" }).waitFor();
    await page.getByRole("button", { name: "Today", exact: true }).click();
    await expect.poll(() => editor(page).textContent()).toContain("Indeed.");
  });

  it("takes what is typed while it is opened, although the page hears before that it exists", async () => {
    const { page, vault } = await visitNewDay();
    const release = await holdRequests(page, "**/api/trpc/documents.get?*");
    const heard = page.waitForResponse(
      async (response) => response.url().includes("notes.daily") && /"id":"[0-9a-f-]{36}"/.test(await response.text()),
    );
    await page.keyboard.type("Saw a heron ");
    await heard;
    await page.keyboard.type("at the pond.");
    release();
    const saved = async () => (await vault.read(`Journal/${today()}.md`)).content;
    await expect.poll(saved, { timeout: 10_000 }).toBe("Saw a heron at the pond.");
  });

  it("is reached on a phone, and leads back to the files", async () => {
    const { page } = await dashboard.visit({ size: "phone" });
    await page.goto("/tasks");
    await page.getByRole("button", { name: "More" }).last().click();
    await page.getByRole("menuitem", { name: "Today's note" }).click();
    await page.getByRole("navigation", { name: "Days" }).waitFor();
    await takeScreenshot(page, "daily-note-phone");
    await page.getByRole("button", { name: "Back to the files" }).click();
    await page.getByRole("heading", { name: "Documents" }).waitFor();
  });
});

describe("while writing", () => {
  it("a slash offers blocks, tasks and templates by keyboard, but not in code", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    await vault.write("Templates/List.md", "## {{title}}\n\n- {{cursor}}\n");
    const id = await vault.write("Slash.md", "");
    await page.goto(`/documents?doc=${id}`);
    await editor(page).click();
    await page.keyboard.type("/head");
    await page.getByRole("option", { name: "Heading 2" }).waitFor();
    expect(await checkThemes(page, "slash-menu")).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Plan");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Feed the ducks /task");
    await page.getByRole("option", { name: "Task from this line" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await expect
      .poll(async () => (await vault.read("Slash.md")).content, { timeout: 15_000 })
      .toMatch(/## Plan\n- \[ \] \[Feed the ducks\]\(http\S+\/tasks\/[0-9a-f-]+\)/);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n/list");
    await page.getByRole("option", { name: "Template: List" }).click();
    await expect.poll(() => editor(page).textContent()).toContain("Slash");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n```\n/head");
    expect(await page.getByRole("option").count()).toBe(0);
  });

  it("tags are completed, listed, and renamed everywhere in one step that is undone", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    await vault.write("A.md", "---\ntags: [wader]\n---\n#bird/heron\n");
    await vault.write("B.md", "#bird\n");
    const id = await vault.write("C.md", "\n");
    await page.goto(`/documents?doc=${id}`);
    await editor(page).click();
    await page.keyboard.type("#bird/h");
    // By keyboard, the editor takes no choice before it was visible for a moment.
    await page.getByRole("option", { name: "bird/heron" }).click();
    await expect.poll(async () => (await vault.read("C.md")).content, { timeout: 10_000 }).toContain("#bird/heron");
    await page.getByRole("radio", { name: "Tags" }).click();
    const list = page.getByRole("list", { name: "Tags" });
    await list.getByRole("button", { name: "bird 1 files" }).focus();
    expect(await checkThemes(page, "tag-list")).toEqual([]);
    await page.keyboard.press("F2");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("animal");
    await page.keyboard.press("Enter");
    await page.getByText("Renamed #bird in 3 notes").waitFor();
    expect((await vault.read("A.md")).content).toBe("---\ntags: [wader]\n---\n#animal/heron\n");
    await list.getByRole("button", { name: /^animal\/heron/ }).click();
    await page.getByRole("treeitem", { name: /^A/ }).waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(async () => (await vault.read("B.md")).content).toBe("#bird\n");
  });
});

describe("around a note", () => {
  it("the outline follows the caret and shows headings", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    const filler = "Water. ".repeat(400);
    const id = await vault.write("Long.md", `# Long\n\n${filler}\n\n## Second\n\n${filler}\n\n## Third\n\n${filler}\n`);
    await page.goto(`/documents?doc=${id}`);
    await page.getByRole("radio", { name: "Outline" }).click();
    const outline = page.getByRole("list", { name: "Outline" });
    await outline.getByRole("button", { name: "Second" }).click();
    await outline.locator("[aria-current]", { hasText: "Second" }).waitFor();
    await page.keyboard.press("Control+End");
    await outline.locator("[aria-current]", { hasText: "Third" }).waitFor();
    expect(await checkThemes(page, "outline")).toEqual([]);
  });

  it("the outline is reached and left by keyboard, also when it was not shown", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    const filler = "Water. ".repeat(400);
    const id = await vault.write("Keys.md", `# Keys\n\n${filler}\n\n## Second\n\n${filler}\n`);
    await page.goto(`/documents?doc=${id}`);
    await editor(page).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("]");
    await page.getByRole("complementary", { name: "Document details" }).waitFor({ state: "detached" });
    await page.keyboard.press("o");
    const outline = page.getByRole("list", { name: "Outline" });
    await outline.locator("button:focus").waitFor();
    await page.keyboard.press("End");
    await outline.locator("button:focus", { hasText: "Second" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".cm-content:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Go to the outline of the note").waitFor();
    await help.getByText("Link to a note, a heading or a block").waitFor();
  });

  it("another note is beside it, the address says so, and both are saved", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    const one = await vault.write("One.md", "Left.\n");
    const other = await vault.write("Other.md", "Right.\n");
    await page.goto(`/documents?doc=${one}&beside=${other}`);
    const [left, right] = ["main", "beside"].map((pane) => page.locator(`[data-pane=${pane}] .cm-content`));
    await left?.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("More left.");
    await page.keyboard.press("F6");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("More right.");
    await expect.poll(async () => (await vault.read("One.md")).content, { timeout: 10_000 }).toBe("Left.\nMore left.");
    await expect
      .poll(async () => (await vault.read("Other.md")).content, { timeout: 10_000 })
      .toBe("Right.\nMore right.");
    expect(await checkThemes(page, "two-panes")).toEqual([]);
    await page.goto(`/documents?doc=${one}&beside=${one}`);
    await right?.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Both.");
    await expect.poll(() => left?.textContent()).toContain("More left. Both.");
    await page.getByRole("separator", { name: "Width of the panes" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("separator", { name: "Width of the panes" }).getAttribute("aria-valuenow")).toBe("55");
    await page.getByRole("button", { name: "Close this pane" }).click();
    expect(new URL(page.url()).searchParams.get("beside")).toBe(null);
  });

  it("its links are drawn, and listed for the keyboard", async () => {
    const { page, vault } = await dashboard.visit({ size: "desktop" });
    const hub = await vault.write("Hub.md", "[[Spoke 1]] [[Spoke 2]]\n");
    await vault.write("Spoke 1.md", "[[Far]]\n");
    await vault.write("Spoke 2.md", "\n");
    await vault.write("Far.md", "\n");
    await page.goto(`/documents?doc=${hub}&beside=graph`);
    await page.getByRole("img", { name: /^Graph of 3 notes/ }).waitFor();
    await page.getByRole("radio", { name: "2 links" }).click();
    await page.getByRole("img", { name: /^Graph of 4 notes/ }).waitFor();
    expect(await checkThemes(page, "graph")).toEqual([]);
    await page.getByRole("radio", { name: "List" }).click();
    await page.getByRole("region", { name: "Two links away" }).getByRole("button", { name: "Far" }).press("Enter");
    await page.getByRole("article", { name: "Far" }).waitFor();
    expect(new URL(page.url()).searchParams.get("beside")).toBe("graph");
  });
});

describe("on a phone", () => {
  it("a tag in a text that is read lists its notes, and the graph is shown instead of the text", async () => {
    const { page, vault } = await dashboard.visit({ size: "phone" });
    await vault.write("Pond.md", "Heron at the pond #birds/heron, not `#code`. See [[Reeds]].\n");
    const id = await vault.write("Reeds.md", "**Reeds** in #birds and issue #12.\n");
    await page.goto(`/documents?doc=${id}`);
    await page.getByRole("button", { name: "Read", exact: true }).click();
    const text = page.getByRole("document", { name: "Text" });
    await text.getByRole("button", { name: "#birds", exact: true }).waitFor();
    expect(await text.getByRole("button").count()).toBe(1);
    expect(await checkThemes(page, "tags-read-phone")).toEqual([]);
    await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Graph" }).click();
    await page.getByRole("img", { name: /^Graph of 2 notes/ }).waitFor();
    expect(await checkThemes(page, "graph-phone")).toEqual([]);
    await page.getByRole("button", { name: "Back to the note" }).click();
    await text.getByRole("button", { name: "#birds", exact: true }).click();
    await page.getByRole("heading", { name: "Documents" }).waitFor();
    await page.getByText("Pond", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Search the documents" }).inputValue()).toBe("#birds");
  });
});

it("favourites have an order, and what was opened last is offered before anything is typed", async () => {
  const { page, vault } = await dashboard.visit({ size: "desktop" });
  for (const name of ["First", "Second"]) {
    const id = await vault.write(`${name}.md`, `${name}.\n`);
    await page.goto(`/documents?doc=${id}`);
    await page.getByRole("button", { name: "Add to favourites" }).click();
    await page.getByRole("button", { name: "Remove from favourites" }).waitFor();
  }
  const favourites = page.getByRole("region", { name: "Favourites" });
  const names = async () =>
    (await favourites.getByRole("link").allTextContents()).filter((name) => /^(First|Second)$/.test(name));
  await expect.poll(names).toEqual(["First", "Second"]);
  await favourites.getByRole("link", { name: "Second" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(names).toEqual(["Second", "First"]);
  await page.waitForResponse((response) => response.url().includes("shelf.get"), { timeout: 10_000 }).catch(() => null);
  await page.keyboard.press("Control+k");
  await page
    .getByRole("option", { name: /^Second/ })
    .first()
    .waitFor();
  expect(await checkThemes(page, "palette-recent")).toEqual([]);
});

it("the files scroll to the note that is opened, wherever it is among them", async () => {
  const { page, vault } = await dashboard.visit({ size: "desktop" });
  const ids: string[] = [];
  for (let number = 10; number < 70; number += 1) ids.push(await vault.write(`Many/Leaf ${number}.md`, "A leaf.\n"));
  const isShown = (number: number) =>
    page.getByRole("treeitem", { name: new RegExp(`^Leaf ${number}`) }).evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await page.goto(`/documents?doc=${ids.at(-1)}`);
  await expect.poll(() => isShown(69)).toBe(true);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Leaf 10");
  await page
    .getByRole("option", { name: /^Leaf 10/ })
    .first()
    .click();
  await page.getByRole("article", { name: "Leaf 10" }).waitFor();
  await expect.poll(() => isShown(10)).toBe(true);
});
