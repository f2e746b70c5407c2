import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVault, type VaultClient } from "./vault-client.ts";
import { createVisitor, type Visitor, endVisit } from "./visitor.ts";

/** Longer than the pause after which a text is saved. */
const SAVED_IN_MS = 8_000;
/** Longer than the pause after which an image that could not be shown is asked for once more. */
const RETRIED_MS = 4_000;
/** Long enough for a save that must not happen to have happened. */
const AUTOSAVE_MS = 3_000;

let server: TestServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  visitor = await createVisitor(browser, server);
  ({ page } = visitor);
  vault = createVault(visitor.context.request, server.url);
});

afterEach(({ task }) => endVisit(visitor, task));

it("leaves a note alone whose image is missing, wherever the image stands", async () => {
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

it("shows an image by itself when a request for it has failed once, and leaves its note alone", async () => {
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
  await page.route(/back\.png/, (route) => route.abort());
  await visitor.context.setOffline(true);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("![back](back.png)\n\n");
  await editor().getByText("back cannot be shown").waitFor();
  await page.waitForTimeout(RETRIED_MS);
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

it("indents by Tab, and is left by Escape and Tab", async () => {
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

it("ends bold, italic and both by the keys that began them", async () => {
  const id = await vault.write("Bold.md", "");
  await openNote(id);
  for (const part of ["Control+b", "hi", "Control+b", " there ", "Control+i", "now", "Control+i", "."]) {
    if (part.startsWith("Control")) await page.keyboard.press(part);
    else await page.keyboard.type(part);
  }
  await saved();
  expect((await vault.read("Bold.md")).content).toBe("**hi** there *now*.");
});

it("offers to link a note that is not there, and closes the offer alone on Escape", async () => {
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

it("keeps the place and the caret from writing to reading and back", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} of a **long** note.\n`);
  const id = await vault.write("Long.md", lines.join("\n"));
  await openNote(id);
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("PageDown");
  await page.keyboard.press("End");
  await expect.poll(() => firstInSight(editor())).toBeGreaterThan(20);
  await page.waitForTimeout(500);
  const written = await firstInSight(editor());
  await page.keyboard.press("Control+e");
  const text = page.getByRole("document", { name: "Text" });
  await text.getByText("Paragraph 0 ").waitFor({ state: "attached" });
  const read = await firstInSight(text);
  expect(Math.abs(read - written)).toBeLessThan(5);
  await page.mouse.move(800, 500);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => firstInSight(text)).toBeGreaterThan(read + 10);
  await page.waitForTimeout(500);
  const readOn = await firstInSight(text);
  await page.keyboard.press("Control+e");
  await editor().waitFor();
  await page.waitForTimeout(500);
  expect(Math.abs((await firstInSight(editor())) - readOn)).toBeLessThan(5);
  await page.keyboard.type(" Here.");
  await saved();
  const { content } = await vault.read("Long.md");
  const edited = Number(/Paragraph (\d+) of a \*\*long\*\* note. Here.\n/.exec(content)?.[1]);
  expect(edited).toBeGreaterThan(written);
  expect(edited).toBeLessThan(written + 40);
});

/** The number of the first paragraph that is in sight. */
async function firstInSight(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const top = element.closest("[data-text-scroll]")?.getBoundingClientRect().top ?? 0;
    const lines = [...element.querySelectorAll("p, .cm-line")].filter(({ textContent }) => textContent !== "");
    const first = lines.find((line) => line.getBoundingClientRect().bottom > top + 1);
    return Number(/\d+/.exec(first?.textContent ?? "")?.[0]);
  });
}

/** The smallest PNG there is: one pixel. */
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
