import type { Page, Route } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { documentAt, type VaultClient } from "./vault-client.ts";
import { dropFile, pasteImage } from "./file-gestures.ts";
import type { Visitor } from "./visitor.ts";
import type { Size } from "./window.ts";

/** Longer than the pause after which a text is saved. */
const SAVED_IN_MS = 20_000;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

async function visit(size: Size): Promise<void> {
  visitor = await dashboard.visit({ size });
  ({ page, vault } = visitor);
}

describe("documents on a desktop", () => {
  beforeEach(() => visit("desktop"));

  it("creates a note, saves it while it is edited, and shows it after a reload", async () => {
    await page.goto("/documents");
    await page.getByRole("heading", { name: "Your vault is empty" }).waitFor();
    await page.keyboard.press("c");
    await page.getByLabel("Note name").waitFor();
    await page.keyboard.type("Garden");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Roses want sun.\n- [ ] water them\nand again");
    await saved();
    await page.reload();
    await editor().getByText("Roses want sun.").waitFor();
    await expect.poll(() => page.title()).toBe("Garden · Workspace");
    await page.getByRole("checkbox", { name: "To do" }).first().click();
    await saved();
    expect((await vault.read("Garden.md")).content).toBe("Roses want sun.\n- [x] water them\n- [ ] and again");
  });

  it("restores what was typed at the moment the page was killed", async () => {
    const id = await vault.write("Draft.md", "One line.\n");
    await openNote(id, "One line.");
    await visitor.context.setOffline(true);
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED/);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Written without a connection.");
    await page.getByText("Saved on this device").waitFor();
    // The request sent while the page closes may still succeed; either way nothing is lost or duplicated.
    await page.close({ runBeforeUnload: false });

    await visitor.context.setOffline(false);
    page = await visitor.context.newPage();
    await page.goto(`/documents?doc=${id}`);
    await editor().getByText("Written without a connection.").waitFor();
    await saved();
    expect((await vault.read("Draft.md")).content).toBe("One line.\nWritten without a connection.");
  });

  it("shows both sides when somebody else has changed the text, and saves the user's merge", async () => {
    const id = await vault.write("Shared.md", "# Plan\n\nfirst\nsecond\nthird\n");
    await openNote(id, "first");
    visitor.watch.expect(/412/);
    // The other text arrives while the user's is being saved: any earlier, and the page would show it before the typing.
    const changeFirst = async (route: Route): Promise<void> => {
      await vault.write("Shared.md", "# Plan\n\nfirst, theirs\nsecond\nthird\nfourth, theirs\n");
      await route.continue();
    };
    await page.route(/documents\.update/, changeFirst, { times: 1 });
    await editor().getByText("first").click();
    await page.keyboard.press("End");
    await page.keyboard.type(", mine");
    const merge = page.getByRole("region", { name: "Merge two versions" });
    await merge.waitFor();
    expect(await merge.getByRole("textbox", { name: "Merged text" }).evaluate((text) => text.matches(":focus"))).toBe(
      true,
    );
    expect((await vault.read("Shared.md")).content).toContain("first, theirs");
    const marks = merge.getByRole("group", { name: "Difference 1" }).locator("mark");
    await expect.poll(() => marks.allTextContents()).toEqual(["mine", "theirs"]);
    expect(await checkThemes(page, "documents-merge")).toEqual([]);

    await merge.getByRole("button", { name: "1 undecided" }).waitFor();
    await merge.getByRole("group", { name: "Difference 1" }).getByLabel("Both").check();
    await merge.getByRole("textbox", { name: "Merged text" }).getByText("second").click();
    await page.keyboard.press("End");
    await page.keyboard.type(", edited");
    await merge.getByRole("button", { name: "Save the result" }).click();
    await saved();
    expect((await vault.read("Shared.md")).content).toBe(
      "# Plan\n\nfirst, mine\nfirst, theirs\nsecond, edited\nthird\nfourth, theirs\n",
    );
  });

  it("links notes, creates a missing one, and shows where a note is linked from", async () => {
    await vault.write("Projects/Budget.md", "# Budget\n");
    const id = await vault.write("Projects/Plan.md", "About money: ");
    await openNote(id, "About money");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("[[bud");
    await page.getByRole("option", { name: /Budget/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" and [[Later]]\n");
    await saved();
    expect((await vault.read("Projects/Plan.md")).content).toBe("About money: [[Budget]] and [[Later]]\n");

    await editor().getByText("Budget").click();
    await page.getByRole("article", { name: "Budget" }).waitFor();
    await page.getByRole("radio", { name: "Links" }).click();
    await page.getByRole("region", { name: "Linked from" }).getByRole("button", { name: "Plan" }).click();
    await page.getByRole("article", { name: "Plan" }).waitFor();
    await editor().getByText("Later").click();
    await page.getByRole("article", { name: "Later" }).waitFor();
    expect((await vault.read("Projects/Later.md")).content).toBe("");
  });

  it("shows a table as a table, and its source where the caret is", async () => {
    const source = "Costs:\n\n| Item | Price |\n|---|---|\n| **Tent** | [[Old]] |\n| Stove | 20 |\n\nend";
    const id = await vault.write("Table.md", source);
    await openNote(id, "Costs");
    await editor().getByRole("cell", { name: "Tent" }).waitFor();
    await editor().getByRole("cell", { name: "20" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" + 5");
    await editor().getByText("end", { exact: true }).click();
    await editor().getByRole("cell", { name: "20 + 5" }).waitFor();
    await saved();
    expect((await vault.read("Table.md")).content).toBe(source.replace("| 20 |", "| 20 + 5 |"));
    await editor().getByText("Costs:").click();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowDown");
    await editor().getByText("|---|---|").waitFor();
  });

  it("saves a pasted image beside the note and shows it in place", async () => {
    const id = await vault.write("Trips/Lisbon.md", "The view:\n");
    await openNote(id, "The view:");
    await page.keyboard.press("Control+End");
    await pasteImage(editor());
    await editor().locator("img.cm-image").waitFor();
    await saved();
    const { content } = await vault.read("Trips/Lisbon.md");
    const [, path = ""] = /!\[[^\]]*\]\((attachments\/[^)]+\.png)\)/.exec(content) ?? [];
    expect(await vault.exists(`Trips/${decodeURIComponent(path)}`)).toBe(true);
  });

  it("renames in place, moves by drag, deletes with undo, and restores", async () => {
    await vault.write("Inbox/Loose.md", "loose");
    await vault.write("Archive/Old.md", "old");
    await page.goto("/documents");
    await row("Inbox").click();
    await row("Loose").click();
    await page.getByRole("article", { name: "Loose" }).waitFor();
    await row("Loose").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("Renamed");
    await page.keyboard.press("Enter");
    await row("Renamed").waitFor();
    await row("Renamed").dragTo(row("Archive"));
    await expectEventually(() => vault.exists("Archive/Renamed.md"));
    expect(await vault.exists("Inbox/Renamed.md")).toBe(false);

    await row("Renamed").focus();
    await page.keyboard.press("Delete");
    await row("Renamed").waitFor({ state: "detached" });
    await expectEventually(async () => !(await vault.exists("Archive/Renamed.md")));
    await page.waitForFunction(() => document.activeElement?.role === "treeitem");
    await page.keyboard.press("Control+z");
    await row("Renamed").waitFor();
    await expectEventually(() => vault.exists("Archive/Renamed.md"));
    expect((await vault.read("Archive/Renamed.md")).content).toBe("loose");

    await row("Archive").focus();
    await page.keyboard.press("Delete");
    await row("Archive").waitFor({ state: "detached" });
    await expectEventually(async () => !(await vault.exists("Archive/Renamed.md")));
    await page.getByRole("link", { name: "Deleted files" }).click();
    await page.getByRole("button", { name: "Restore Renamed" }).click();
    await expectEventually(() => vault.exists("Archive/Renamed.md"));
  });

  it("moves and selects by keyboard alone", async () => {
    for (const name of ["a", "b", "c"]) await vault.write(`Keys/${name}.md`, name);
    await page.goto("/documents");
    await row("Keys").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByRole("toolbar", { name: "Selected files" }).getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "c" }).waitFor();
    await row("c").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await row("a", "Keys").waitFor({ state: "detached" });
  });

  it("keeps the cursor on a renamed file or folder, whoever renames it, and on nothing when it is gone", async () => {
    for (const path of ["Follow/b.md", "Follow/m.md", "Follow/y/in.md", "Gone.md", "Hold.md"])
      await vault.write(path, "text");
    await page.goto("/documents");
    await row("Follow").click();
    await row("b", "Follow").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await row("x", "Follow").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Delete");
    await expectEventually(async () => !(await vault.exists("Follow/x.md")));
    expect(await vault.exists("Follow/m.md")).toBe(true);

    await row("y").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("a");
    await page.keyboard.press("Enter");
    await row("a").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Delete");
    await expectEventually(async () => !(await vault.exists("Follow/a/in.md")));
    expect(await vault.exists("Follow/m.md")).toBe(true);

    await row("Gone").focus();
    await vault.rename("Gone.md", "Aside.md");
    await row("Aside").and(page.locator(":focus")).waitFor();
    await vault.delete("Aside.md");
    await row("Aside").waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await page.keyboard.press("ArrowDown");
    await page.locator("[role=treeitem]:focus").waitFor();
    expect(await vault.exists("Hold.md")).toBe(true);
  });

  it("moves and deletes the selected files together", async () => {
    for (const name of ["one", "two", "three"]) await vault.write(`Many/${name}.md`, name);
    await vault.write("Target/here.md", "here");
    await page.goto("/documents");
    await row("Many").click();
    await row("one").click();
    await row("two").click({ modifiers: ["ControlOrMeta"] });
    await page.getByRole("toolbar", { name: "Selected files" }).getByText("2 selected").waitFor();
    await takeScreenshot(page, "documents-selection");
    await row("two").dragTo(row("Target"));
    await expectEventually(() => vault.exists("Target/one.md"));
    await expectEventually(() => vault.exists("Target/two.md"));
    expect(await vault.exists("Many/three.md")).toBe(true);

    await row("one").click();
    await row("two").click({ modifiers: ["Shift"] });
    await page.keyboard.press("Delete");
    await row("one").waitFor({ state: "detached" });
    await expectEventually(
      async () => !(await vault.exists("Target/one.md")) && !(await vault.exists("Target/two.md")),
    );
    await page.keyboard.press("Control+z");
    await expectEventually(async () => (await vault.exists("Target/one.md")) && (await vault.exists("Target/two.md")));
  });

  it("shares a note publicly, and stops sharing it", async () => {
    const id = await vault.write("Public.md", "# For everyone\n\nHello, **stranger**.\n");
    await openNote(id, "Hello");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const sharing = page.getByRole("dialog", { name: "Sharing" });
    await sharing.getByLabel("By link").check();
    const address = await sharing.getByLabel("Share link").inputValue();
    await expectEventually(async () => (await documentAt(vault, "Public.md")).shared);

    const stranger = await dashboard.visit({ isSignedIn: false });
    await stranger.page.goto(address);
    await stranger.page.getByRole("heading", { name: "For everyone" }).waitFor();
    await sharing.getByLabel("Not shared").check();
    await expectEventually(async () => !(await documentAt(vault, "Public.md")).shared);
    const response = await stranger.context.request.get(address);
    expect([403, 404]).toContain(response.status());
    expect(await response.text()).not.toContain("stranger");
  });

  it("compares an earlier version and restores it", async () => {
    const id = await vault.write("History.md", "first text\n");
    await vault.write("History.md", "second text\n");
    await openNote(id, "second text");
    await page.getByRole("radio", { name: "Versions" }).click();
    await page.getByRole("list", { name: "Versions" }).getByRole("button").nth(1).click();
    const comparison = page.getByRole("region", { name: "Earlier version" });
    await comparison.getByText("first text").waitFor();
    await takeScreenshot(page, "documents-version");
    await comparison.getByRole("button", { name: "Restore this version" }).click();
    await editor().getByText("first text").waitFor();
    expect((await vault.read("History.md")).content).toBe("first text\n");
  });

  it("finds words in a file's contents in the list and in the palette", async () => {
    await vault.write("Deep/Needle.md", "# Haystack\n\nSomewhere here is the word quixotic, once.\n");
    await page.goto("/documents");
    await row("Deep").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("quixotic");
    await page.getByRole("tree", { name: "Search results" }).getByText("is the word quixotic").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("quixotic");
    const hit = page.getByRole("option", { name: /Haystack/ });
    await hit.locator("mark", { hasText: "quixotic" }).waitFor();
    expect(await checkThemes(page, "palette-everything")).toEqual([]);
    await hit.click();
    await page.getByRole("article", { name: "Haystack" }).waitFor();
    await page.keyboard.press("Control+k");
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED/);
    await visitor.context.setOffline(true);
    await page.keyboard.type("quixotix");
    await page.getByText("The server could not be reached.").waitFor();
    await visitor.context.setOffline(false);
    await page.getByPlaceholder(/^Search everything/).fill("quixotik");
    await page.getByRole("option", { name: /Haystack/ }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("uploads dropped files, and shows or offers to download every kind of file", async () => {
    await page.goto("/documents");
    await dropFile(page, "notes.txt", "plain words", "text/plain");
    await row("notes.txt").click();
    await editor().getByText("plain words").waitFor();
    await dropFile(page, "data.bin", "\u0000\u0001", "application/octet-stream");
    await row("data.bin").click();
    await page.getByRole("heading", { name: "data.bin" }).waitFor();
    await page.getByRole("link", { name: "Download" }).waitFor();
    await dropFile(page, "notes.txt", "another", "text/plain");
    await row("notes 2.txt").waitFor();

    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>';
    await dropFile(page, "picture.png", Buffer.from(PIXEL, "base64"), "image/png");
    await row("picture.png").click();
    const picture = page.getByRole("img", { name: "picture" });
    await expectEventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await dropFile(page, "broken.png", drawing, "image/png");
    await row("broken.png").click();
    await page.getByRole("heading", { name: "The image cannot be shown" }).waitFor();
    await dropFile(page, "paper.pdf", "%PDF-1.4\n%%EOF\n", "application/pdf");
    await row("paper.pdf").click();
    const shown = page.getByTitle("paper", { exact: true }).or(page.getByRole("heading", { name: "paper.pdf" }));
    await shown.first().waitFor();
  });
});

describe("documents on a phone", () => {
  beforeEach(() => visit("phone"));

  it("navigates from the files to a note and back", async () => {
    await vault.write("Phone/Note.md", "Small screen.\n");
    await page.goto("/documents");
    await row("Phone").tap();
    await row("Note").tap();
    await editor().getByText("Small screen.").waitFor();
    await page.getByRole("button", { name: "Properties, links and versions" }).tap();
    await page.getByRole("complementary", { name: "Document details" }).getByLabel("Title").waitFor();
    await page.getByRole("complementary").getByRole("button", { name: "Close" }).tap();
    await page.getByRole("button", { name: "Back to the files" }).tap();
    await row("Note").waitFor();
  });
});

/** A minimal PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function editor() {
  return page.getByRole("textbox", { name: /^Text of/ });
}

function row(name: string, folder?: string) {
  const rows = page.getByRole("treeitem", { name: new RegExp(`^${name}( Actions for .*)?$`) });
  return folder === undefined ? rows : rows.and(page.locator(`[data-folder="${folder}"]`));
}

async function openNote(id: string, text: string): Promise<void> {
  await page.goto(`/documents?doc=${id}`);
  await editor().getByText(text).first().waitFor();
  await editor().focus();
}

async function saved(): Promise<void> {
  await page
    .getByRole("status")
    .getByText("Saved", { exact: true })
    .waitFor({ state: "attached", timeout: SAVED_IN_MS });
}

async function expectEventually(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: SAVED_IN_MS }).toBe(true);
}
