import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { busyTime } from "./busy-time.ts";
import { setUpDashboard } from "./dashboard.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import type { VaultClient } from "./vault-client.ts";

/**
 * The processor time of a frozen page, which these texts once kept busy for minutes, and more than a slow machine needs.
 * `bench/src/page-stalls.ts` measures the actual time.
 */
const FREEZE_MS = 2_000;
/** Rendering a text that cannot be rendered is given up after some time; then it is shown as plain text. */
const WITHIN = { timeout: 90_000 };
/** As above, for a note of half a megabyte that each attempt reads. */
const STORED_WITHIN = { ...WITHIN, interval: 500 };

const dashboard = setUpDashboard();
let page: Page;
let vault: VaultClient;

beforeEach(async () => {
  ({ page, vault } = await dashboard.visit());
});

describe.each(Object.entries(HOSTILE_TEXTS))("half a megabyte of %s", (name, source) => {
  it("can be read while the page stays responsive", async () => {
    await openList(name, source, "Read");
    const { taskMs } = await busyTime(dashboard.browser, async () => {
      await row(name).click();
      await renderedText(name).waitFor(WITHIN);
    });
    expect(taskMs).toBeLessThan(FREEZE_MS);
  });

  it("can be edited while the page stays responsive", async () => {
    await openList(name, source, "Write");
    const { taskMs } = await busyTime(dashboard.browser, async () => {
      await row(name).click();
      await page.locator(`article[aria-label="${name}"] .cm-content`).focus();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("Typed. ");
      await page.keyboard.press("Control+End");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Control+End");
      await page.keyboard.type("End.");
      await expect
        .poll(async () => (await vault.read(`${name}.md`)).content, STORED_WITHIN)
        .toBe(`Typed. ${source}End.`);
    });
    expect(taskMs).toBeLessThan(FREEZE_MS);
  });
});

it("shows a text that cannot be rendered as plain text, with a notice", async () => {
  // Nested too deeply.
  const source = ">".repeat(400_000);
  const name = "Hard";
  await openList(name, source, "Read");
  await row(name).click();
  await page.getByText("This text is too hard to lay out").waitFor(WITHIN);
  const text = renderedText(name);
  await text.waitFor(WITHIN);
  expect(await text.evaluate((shown) => shown.textContent.replaceAll("\n", ""))).toBe(source);
  // It does not delay the next note.
  const id = await vault.write("Usual.md", "# Usual\n\nA **bold** word.\n");
  await page.goto(`/documents?doc=${id}`);
  await renderedText("Usual").getByText("bold", { exact: true }).waitFor();
});

it("renders the beginning of a very long text, and shows the rest as plain text after a notice", async () => {
  const paragraph = "Some **bold** words.\n\n";
  await openList("Book", paragraph.repeat(70_000), "Read");
  await row("Book").click();
  const text = renderedText("Book");
  await text.waitFor(WITHIN);
  const shown = await text.evaluate((whole) => ({
    bold: whole.querySelectorAll("strong").length,
    notices: [...whole.querySelectorAll("aside")].map(({ textContent }) => textContent),
    // The paragraph at which the time is over has its words as they were written, but is still a paragraph.
    written: whole.textContent.split("**bold**").length - 1,
  }));
  expect(shown.bold).toBeGreaterThan(0);
  expect(shown.notices).toEqual([expect.stringContaining("takes too long to lay out")]);
  expect(shown.bold + shown.written).toBe(70_000);
});

it("renders a long note in pieces that form one text", async () => {
  const items = Array.from({ length: 4_000 }, (_, index) => `${index + 1}. item ${index + 1}\n`);
  const tasks = Array.from({ length: 3_000 }, (_, index) => `- [ ] task ${index + 1}\n`);
  const rows = Array.from({ length: 1_000 }, (_, index) => `| row ${index + 1} | b |\n`);
  const source = `# Long\n\n${items.join("")}\nwords\n\n${tasks.join("")}\n| A | B |\n|---|---|\n${rows.join("")}\nend\n`;
  await openList("Long", source, "Read");
  await row("Long").click();
  const text = renderedText("Long");
  await text.waitFor(WITHIN);
  const counts = await text.evaluate((shown) => ({
    end: [...shown.querySelectorAll("p")].at(-1)?.textContent,
    items: [...shown.querySelectorAll("ol")].reduce((sum, { children }) => sum + children.length, 0),
    starts: [...shown.querySelectorAll("ol")].every(
      (list) => list.firstElementChild?.textContent === `item ${list.start}`,
    ),
    tasks: shown.querySelectorAll("input").length,
    rows: shown.querySelectorAll("tbody tr").length,
  }));
  expect(counts).toEqual({ end: "end", items: 4_000, starts: true, tasks: 3_000, rows: 1_000 });
  const box = text.getByRole("checkbox", { name: "task 2222", exact: true });
  await box.scrollIntoViewIfNeeded();
  await box.check();
  await expect.poll(async () => (await vault.read("Long.md")).content, STORED_WITHIN).toContain("- [x] task 2222\n");
  expect(await box.isChecked()).toBe(true);
});

function editor(): Locator {
  return page.getByRole("textbox", { name: /^Text of/ });
}

/**
 * The text of a note, once all of it is rendered. A selector that costs the page nothing: each attempt to find an element by role,
 * name or text searches everything that is shown, and delays what is not shown yet.
 */
function renderedText(name: string): Locator {
  return page.locator(`article[aria-label="${name}"] [role="document"]:not([aria-busy]):has(> .part)`);
}

function row(name: string): Locator {
  return page.getByRole("treeitem", { name: new RegExp(`^${name}( Actions for .*)?$`) });
}

/** Opens the list of files with a note that is not open yet, and will be opened in this view. */
async function openList(name: string, source: string, view: "Read" | "Write"): Promise<void> {
  await vault.write(`${name}.md`, source);
  const id = await vault.write("Start.md", "Start\n");
  await page.goto(`/documents?doc=${id}`);
  await page.getByRole("article", { name: "Start" }).waitFor();
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.getByRole("document", { name: "Text" }).getByText("Start").waitFor();
  if (view === "Write") {
    await page.getByRole("button", { name: "Write", exact: true }).click();
    await editor().waitFor();
  }
  await row(name).waitFor();
}
