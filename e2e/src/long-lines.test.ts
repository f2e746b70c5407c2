import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { VaultClient } from "./vault-client.ts";
import type { Visitor } from "./visitor.ts";

const SAVED_IN_MS = 20_000;
/** A line of half a megabyte, of numbers that say their own position. */
const NUMBERS = Array.from({ length: 65_536 }, (_, index) => `${index * 8}`.padEnd(8)).join("");
const TEXT = `Before\n\n${NUMBERS}\n\nAfter\n`;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page, vault } = visitor);
});

describe("a line of half a megabyte", () => {
  it("is shown and edited at its ends, and saved completely", async () => {
    await openNote("Ends.md");
    expect(await folds().allTextContents()).toEqual(["… 522,288 more characters …"]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await editor().getByText("Before", { exact: true }).click();
    await press("End", "ArrowDown", "ArrowDown", "Home");
    await page.keyboard.type("(start)");
    await press("ArrowDown", "Control+End", "ArrowUp", "ArrowUp", "ArrowUp", "End");
    await page.keyboard.type("(end)");
    await putCaretAt("before");
    await page.keyboard.type("(head)");
    await putCaretAt("after");
    await page.keyboard.type("(tail)");
    const [head, tail] = [NUMBERS.slice(0, 1_000), NUMBERS.slice(-1_000)];
    const hidden = NUMBERS.slice(1_000, -1_000);
    await expectSaved("Ends.md", `Before\n\n(start)${head}(head)${hidden}(tail)${tail}(end)\n\nAfter\n`);
    expect(await folds().count()).toBe(1);
  });

  it("is revealed by the caret, and before a key deletes omitted characters", async () => {
    await openNote("Keys.md");
    await putCaretAt("before");
    await press("ArrowRight");
    await editor().getByText("2240").waitFor();
    await putCaretAt("after");
    await press("Backspace");
    await editor().getByText("523280").waitFor();
    expect(await folds().count()).toBe(1);
    await press("Delete");
    await page.keyboard.type("|");
    await expectSaved("Keys.md", TEXT.replace("523288", "|23288"));
  });

  it("is selected by a double click only in part, although it is a single word", async () => {
    await openNote("Word.md", "a".repeat(100_000));
    await editor()
      .locator(".cm-line")
      .first()
      .dblclick({ position: { x: 40, y: 8 } });
    await page.keyboard.type("b");
    const saved = async () => (await vault.read("Word.md")).content;
    await expect.poll(saved, { timeout: SAVED_IN_MS }).toContain("b");
    expect((await saved()).length).toBeGreaterThan(85_000);
    expect((await saved()).length).toBeLessThan(96_000);
  });

  it("is revealed by clicks, a bit at a time", async () => {
    await openNote("Further.md");
    await folds().click();
    await editor().getByText("3488").waitFor();
    expect(await folds().allTextContents()).toEqual(["… 519,788 more characters …"]);
    for (let round = 0; round < 8; round += 1) await folds().last().click();
    // Parts that were revealed earlier are omitted again.
    expect(await shownLength()).toBeLessThan(8_000);
    await press("Control+Home");
    await page.keyboard.type("Still complete. ");
    await expectSaved("Further.md", `Still complete. ${TEXT}`);
  });

  it("is revealed around a search match, which can be replaced", async () => {
    await openNote("Found.md");
    await press("Control+f");
    await page.keyboard.type("262144");
    await press("Enter");
    await editor().locator(".cm-searchMatch-selected").getByText("262144").waitFor();
    expect(await folds().count()).toBe(2);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    const search = page.getByRole("search");
    await search.getByLabel("Replace with").fill("found");
    await search.getByRole("button", { name: "Replace", exact: true }).click();
    await search.getByRole("status").getByText("No match").waitFor();
    await press("Escape");
    await expectSaved("Found.md", TEXT.replace("262144", "found"));
    await press("Control+f");
    await search.getByLabel("Find").fill("2");
    await search.getByRole("button", { name: "Replace all" }).click();
    await search.getByRole("status").getByText("Replaced 53,703 matches").waitFor();
    await expectSaved("Found.md", TEXT.replace("262144", "found").replaceAll("2", "found"));
  });

  it("is accessible in both themes and on a phone", async () => {
    await openNote("Look.md");
    await press("Control+f");
    await page.keyboard.type("2624");
    await press("Enter", "Enter");
    await folds().last().scrollIntoViewIfNeeded();
    expect(await checkThemes(page, "documents-long-line")).toEqual([]);
    const phone = await dashboard.visit({ size: "phone" });
    ({ page } = phone);
    await openNote("Look.md");
    await folds().scrollIntoViewIfNeeded();
    expect(await checkThemes(page, "documents-long-line-phone")).toEqual([]);
    await folds().tap();
    await editor().getByText("3488").waitFor();
  });
});

function editor(): Locator {
  return page.getByRole("textbox", { name: /^Text of/ });
}

function folds(): Locator {
  return editor().getByRole("button", { name: /more characters/ });
}

async function openNote(path: string, text = TEXT): Promise<void> {
  const id = await vault.write(path, text);
  await page.goto(`/documents?doc=${id}`);
  await folds().waitFor();
  await editor().focus();
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Puts the caret next to the button: into the adjacent text, and from there with the arrow keys. */
async function putCaretAt(side: "before" | "after"): Promise<void> {
  await folds().evaluate((fold, isBefore) => {
    const texts = document.createTreeWalker(fold.closest(".cm-line") ?? fold, NodeFilter.SHOW_TEXT);
    const all: Node[] = [];
    while (texts.nextNode() !== null) all.push(texts.currentNode);
    const wanted = isBefore ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const sideTexts = all.filter((text) => (fold.compareDocumentPosition(text) & wanted) !== 0 && !fold.contains(text));
    const text = sideTexts.at(isBefore ? -1 : 0);
    if (text === undefined) throw new Error("There is no text on this side.");
    document.getSelection()?.collapse(text, isBefore ? (text.textContent?.length ?? 0) - 2 : 1);
  }, side === "before");
  await page.waitForTimeout(100);
  await press(...(side === "before" ? ["ArrowRight", "ArrowRight"] : ["ArrowLeft"]));
}

async function shownLength(): Promise<number> {
  return editor().evaluate((text) => text.textContent.length);
}

async function expectSaved(path: string, content: string): Promise<void> {
  await expect.poll(async () => (await vault.read(path)).content === content, { timeout: SAVED_IN_MS }).toBe(true);
}
