import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { VaultClient } from "./vault-client.ts";
import type { Visitor } from "./visitor.ts";

/** Longer than the pause after which a text is saved. */
const SAVED_IN_MS = 20_000;
/** Long enough for an unwanted save to have happened. */
const AUTOSAVE_MS = 3_000;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page, vault } = visitor);
});

it("shows the text while the editor's code loads", async () => {
  const id = await vault.write("Slow.md", "Already readable.\n");
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/text-editor-/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(`/documents?doc=${id}`);
  await page.getByRole("article", { name: "Slow" }).getByText("Already readable.").waitFor();
  expect(await editor().count()).toBe(0);
  release();
  await editor().getByText("Already readable.").waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

it("leaves a note with a missing image unchanged, wherever the image is", async () => {
  const source =
    "Start\n\n![p](assets/nofile.png)\n\nWords ![q](gone.png) here.\n\n- ![](r.png)\n\n> ![[s.png]]\n\nend\n";
  const id = await vault.write("Images/Missing.md", source);
  visitor.watch.expect(/404/);
  await openNote(id, "end");
  await editor().getByText("p cannot be shown").waitFor();
  await editor().getByText("q cannot be shown").waitFor();
  await page.waitForTimeout(AUTOSAVE_MS);
  expect((await vault.read("Images/Missing.md")).content).toBe(source);
  await editor().getByText("end", { exact: true }).click();
  await page.keyboard.type("The ");
  await saved();
  expect((await vault.read("Images/Missing.md")).content.replace("The ", "")).toBe(source);
});

it("retries an image after a failed request, and leaves its note unchanged", async () => {
  const source = "end\n\n![dot](dot.png)\n";
  const id = await vault.write("Images/Once.md", source);
  visitor.watch.expect(/ERR_FAILED/);
  await page.route(/dot\.png/, (route) => route.fulfill({ body: Buffer.from(PIXEL, "base64") }));
  await page.route(/dot\.png/, (route) => route.abort(), { times: 1 });
  await openNote(id, "end");
  await editor().getByText("dot cannot be shown").waitFor();
  await editor().getByRole("img", { name: "dot" }).waitFor();
  await page.waitForTimeout(AUTOSAVE_MS);
  expect((await vault.read("Images/Once.md")).content).toBe(source);
});

it("shows an image again when the server is back", async () => {
  const id = await vault.write("Images/Back.md", "first\n");
  await openNote(id, "first");
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  let requests = 0;
  await page.route(/back\.png/, (route) => {
    requests += 1;
    return route.abort();
  });
  await visitor.context.setOffline(true);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("![back](back.png)\n\n");
  await editor().getByText("back cannot be shown").waitFor();
  await expect.poll(() => requests, { timeout: SAVED_IN_MS }).toBe(2);
  await page.route(/back\.png/, (route) => route.fulfill({ body: Buffer.from(PIXEL, "base64") }));
  expect(await editor().getByRole("img").count()).toBe(0);
  await visitor.context.setOffline(false);
  await editor().getByRole("img", { name: "back" }).waitFor();
  await saved();
  expect((await vault.read("Images/Back.md")).content).toBe("![back](back.png)\n\nfirst\n");
});

it("ends lists and quotes from an empty line", async () => {
  const id = await vault.write("Enter.md", "");
  await openNote(id);
  await page.keyboard.type("- a\nb\n\nplain\n> c\n\nafter");
  await saved();
  expect((await vault.read("Enter.md")).content).toBe("- a\n- b\n\nplain\n> c\n\nafter");
});

it("indents with Tab, and is left with Escape and Tab", async () => {
  const id = await vault.write("Tab.md", "");
  await openNote(id);
  await page.keyboard.type("- a\nb");
  await page.keyboard.press("Tab");
  await page.keyboard.type("\n\n\ntwo");
  await page.keyboard.press("Tab");
  await page.keyboard.type("words");
  await saved();
  expect((await vault.read("Tab.md")).content).toBe("- a\n  - b\n\ntwo  words");
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  expect(await editor().evaluate((text) => text.contains(document.activeElement))).toBe(false);
});

it("ends bold, italic and both with the keys that started them", async () => {
  const id = await vault.write("Bold.md", "");
  await openNote(id);
  for (const part of ["Control+b", "hi", "Control+b", " there ", "Control+i", "now", "Control+i", "."]) {
    if (part.startsWith("Control")) await page.keyboard.press(part);
    else await page.keyboard.type(part);
  }
  await saved();
  expect((await vault.read("Bold.md")).content).toBe("**hi** there *now*.");
});

it("offers to link to a note that does not exist, and Escape closes only the suggestions", async () => {
  await vault.write("Links/Brand.md", "");
  const id = await vault.write("Links/From.md", "");
  await openNote(id);
  await page.keyboard.type("[[bra");
  await page.getByRole("option", { name: /Brand/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  await page.keyboard.type("nd new");
  await page.getByRole("option", { name: "Create “brand new”" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" and more");
  await saved();
  expect((await vault.read("Links/From.md")).content).toBe("[[brand new]] and more");
  await editor().getByText("brand new").click();
  await page.getByRole("article", { name: "brand new" }).waitFor();
  expect((await vault.read("Links/brand new.md")).content).toBe("");
});

it("keeps the scroll position and the caret when switching between editing and reading", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} of a **long** note.\n`);
  const id = await vault.write("Long.md", lines.join("\n"));
  await openNote(id);
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("PageDown");
  await page.keyboard.press("End");
  await expect.poll(() => firstVisible(editor())).toBeGreaterThan(20);
  const written = await restingPlace(editor());
  await page.keyboard.press("Control+e");
  const text = page.getByRole("document", { name: "Text" });
  // The position is restored once the whole text has been rendered.
  await text.getByText("Paragraph 199 ").waitFor({ state: "attached" });
  const read = await firstVisible(text);
  expect(Math.abs(read - written)).toBeLessThan(5);
  await page.mouse.move(800, 500);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => firstVisible(text)).toBeGreaterThan(read + 10);
  const readingAt = await restingPlace(text);
  await page.keyboard.press("Control+e");
  await editor().waitFor();
  expect(Math.abs((await restingPlace(editor())) - readingAt)).toBeLessThan(5);
  await page.keyboard.type(" Here.");
  await saved();
  const { content } = await vault.read("Long.md");
  const edited = Number(/Paragraph (\d+) of a \*\*long\*\* note. Here.\n/.exec(content)?.[1]);
  expect(edited).toBeGreaterThan(written);
  expect(edited).toBeLessThan(written + 40);
});

/** The number of the first visible paragraph. */
async function firstVisible(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const top = element.closest("[data-text-scroll]")?.getBoundingClientRect().top ?? 0;
    const lines = [...element.querySelectorAll("p, .cm-line")].filter(({ textContent }) => textContent !== "");
    const first = lines.find((line) => line.getBoundingClientRect().bottom > top + 1);
    return Number(/\d+/.exec(first?.textContent ?? "")?.[0]);
  });
}

/** Like {@link firstVisible}, once scrolling has stopped: that paragraph stays the first for several frames. */
async function restingPlace(text: Locator): Promise<number> {
  let [place, frames] = [-1, 0];
  while (frames < 5) {
    const next = await firstVisible(text);
    frames = next === place ? frames + 1 : 0;
    place = next;
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  return place;
}

/** A minimal PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function editor() {
  return page.getByRole("textbox", { name: /^Text of/ });
}

async function openNote(id: string, text?: string): Promise<void> {
  await page.goto(`/documents?doc=${id}`);
  await editor().waitFor();
  if (text !== undefined) await editor().getByText(text, { exact: true }).first().waitFor();
  await editor().focus();
}

async function saved(): Promise<void> {
  await page
    .getByRole("status")
    .getByText("Saved", { exact: true })
    .waitFor({ state: "attached", timeout: SAVED_IN_MS });
}
