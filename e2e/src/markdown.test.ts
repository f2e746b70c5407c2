import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { EVERYTHING_NOTE } from "./everything-note.ts";

const dashboard = setUpDashboard();
/** Drawing the first diagram loads much code. */
const WITHIN = { timeout: 40_000 };

/** How the figures of a page are shown, in order; scrolls to each, since they are rendered when they come into sight. */
async function figuresOf(page: Page): Promise<string[]> {
  const figures = page.locator('[role="document"] [data-figure]');
  const shown: string[] = [];
  for (let index = 0; index < (await figures.count()); index += 1) {
    const figure = figures.nth(index);
    // In one step, since the element may be replaced at any time by what is shown in its place.
    const scrolled = () =>
      figure.evaluate((element) => {
        element.scrollIntoView({ block: "center" });
        return element.getAttribute("data-shown");
      });
    await expect.poll(scrolled, WITHIN).not.toBeNull();
    shown.push(`${await figure.getAttribute("data-figure")} as ${await figure.getAttribute("data-shown")}`);
  }
  return shown;
}

it("shows everything people write, without breaking the layout", async () => {
  const { page, vault } = await dashboard.visit();
  const id = await vault.write("Everything.md", EVERYTHING_NOTE);
  await page.goto(`/documents?doc=${id}`);
  await page.getByRole("button", { name: "Read", exact: true }).click();
  const text = page.getByRole("document", { name: "Text" });
  await text.waitFor();
  expect(await figuresOf(page)).toEqual([
    "inline-math as figure",
    "inline-math as figure",
    "math as figure",
    "math as figure",
    "inline-math as source",
    "code as figure",
    "code as figure",
    "mermaid as figure",
    "mermaid as figure",
  ]);
  expect(await text.locator("math").count()).toBe(4);
  expect(await text.locator("pre .tok-keyword").count()).toBeGreaterThan(2);
  expect(await text.getByRole("img", { name: "Diagram: flowchart LR" }).evaluate(isDrawn)).toBe(true);
  // Nothing is wider than the text; what is scrolls by itself.
  expect(await text.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
  expect(await text.getByText("هذه فقرة").evaluate((line) => getComputedStyle(line).direction)).toBe("rtl");

  await text.getByRole("link", { name: "2", exact: true }).click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-anchor"))).toBe("fn-2");
  await text.getByRole("checkbox", { name: "water the roses" }).check();
  await expect.poll(async () => (await vault.read("Everything.md")).content).toContain("> - [x] water the roses\n");
  expect(await checkThemes(page, "markdown-reading")).toEqual([]);
});

function isDrawn(image: Element): boolean {
  return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 100;
}

it("shows the same on a shared page, and draws diagrams in frames that have no origin", async () => {
  const owner = await dashboard.visit();
  const id = await owner.vault.write("Shared.md", EVERYTHING_NOTE);
  await owner.context.request.put(`/api/documents/${id}/sharing`, {
    data: { shared: true, shareType: "public" },
    headers: { origin: dashboard.server.url },
  });
  const { page } = await dashboard.visit({ isSignedIn: false });
  await page.goto(`/share/${id}`);
  expect(await page.locator("math").count()).toBe(4);
  expect(await page.locator("[style]").count()).toBe(0);
  for (const [index, frame] of (await page.locator("iframe").all()).entries()) {
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts");
    await frame.scrollIntoViewIfNeeded();
    const image = page.frameLocator("iframe").nth(index).getByRole("img", { name: "Diagram" });
    await image.waitFor(WITHIN);
    expect(await image.evaluate(() => origin)).toBe("null");
  }
  await takeScreenshot(page, "markdown-shared");
  await page.getByRole("link", { name: "2", exact: true }).click();
  expect(new URL(page.url()).hash).toBe("#fn-2");
});

it("edits the cells of a table where they are, by keyboard", async () => {
  const { page, vault } = await dashboard.visit();
  const id = await vault.write("Table.md", "Before\n\n| A | B |\n|---|---|\n| c | d |\n\nAfter\n");
  await page.goto(`/documents?doc=${id}`);
  await page.locator(".cm-table td").first().click();
  await page.getByRole("textbox", { name: "Row 2, column 1" }).fill("c | x");
  await page.keyboard.press("Tab");
  await page.getByRole("textbox", { name: "Row 2, column 2" }).waitFor();
  await page.keyboard.type("dd");
  await page.keyboard.press("Tab");
  await page.getByRole("textbox", { name: "Row 3, column 1" }).waitFor();
  await page.keyboard.type("new");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("textbox", { name: "Row 3, column 2" }).waitFor();
  await page.keyboard.type("between");
  await page.getByRole("button", { name: "Align" }).click();
  await takeScreenshot(page, "markdown-table");
  await page.keyboard.press("Escape");
  await page.keyboard.type("And ");
  const expected = "| A |  | B |\n|---| :-- |---|\n| c \\| x |  | dd |\n| new | between |  |";
  await expect.poll(async () => (await vault.read("Table.md")).content).toBe(`Before\n\n${expected}\n\nAnd After\n`);
});

it("pastes a web page as Markdown, and its text with the key for it or after undoing", async () => {
  const { page, vault } = await dashboard.visit();
  const id = await vault.write("Paste.md", "");
  await page.goto(`/documents?doc=${id}`);
  const paste = async () => {
    await page.locator(".cm-content").evaluate((editor) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        "text/html",
        "<h2>Head</h2><ul><li>one <a href='https://x.org'>link</a></li></ul><script>alert(1)</script>",
      );
      clipboardData.setData("text/plain", "Head\none link");
      editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
  };
  const text = async () => (await vault.read("Paste.md")).content;
  await page.locator(".cm-content").focus();
  await paste();
  await expect.poll(text, WITHIN).toBe("## Head\n\n- one [link](https://x.org)");
  await page.keyboard.press("Control+z");
  await expect.poll(text, WITHIN).toBe("Head\none link");
});

it("shows the description of a task as Markdown until it is edited", async () => {
  const { page, context } = await dashboard.visit();
  const headers = { origin: dashboard.server.url };
  const data = { title: "Bake", description: "With **flour**:\n\n- [ ] 500 g\n\n$x^2$" };
  const created = await context.request.post("/api/tasks", { data, headers });
  const { id } = (await created.json()).data;
  await page.goto(`/tasks/${id}`);
  await page.locator(".prose strong", { hasText: "flour" }).waitFor();
  await page.locator(".prose math").waitFor(WITHIN);
  await page.getByRole("button", { name: "Edit the description" }).click();
  const field = page.getByRole("textbox", { name: "Description" });
  expect(await field.inputValue()).toBe(data.description);
  await field.fill("Now *with* water");
  await field.blur();
  await page.locator(".prose em", { hasText: "with" }).waitFor();
});
