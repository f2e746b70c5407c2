import type { Visitor } from "../../../e2e/src/visitor.ts";

export type Page = Visitor["page"];
export type View = "Read" | "Write";

/** Where a step is measured: a window of a user who has signed in, and the user's files. */
export type Desk = Pick<Visitor, "page" | "vault">;

const PATH = "Measured.md";

/** Found by selectors that cost the page nothing: what looks for roles and names goes through all that is shown. */
export const ARTICLE = 'article:not([aria-label="Before"])';
export const EDITOR = `${ARTICLE} .cm-content`;
const READ_TEXT = `${ARTICLE} [role="document"]:not([aria-busy])`;

const WITHIN = { timeout: 60_000 };

/**
 * Opens the list of files, with the note to be measured still closed and another one open in this view, which is next to it in
 * the list: of thousands of files, only those around the open one are shown.
 */
export async function openList({ page, vault }: Desk, text: string, view: View): Promise<void> {
  await vault.write(PATH, text);
  const id = await vault.write("Before.md", "Before\n");
  await page.goto(`/documents?doc=${id}`);
  await page.locator('article[aria-label="Before"]').waitFor(WITHIN);
  await page.locator('article[aria-label="Before"] .cm-content').waitFor();
  if (view === "Read") {
    await page.getByRole("button", { name: view, exact: true }).click();
    await page.locator('article[aria-label="Before"] [role="document"]').waitFor();
  }
  await page.locator(`[data-path="${PATH}"]`).waitFor(WITHIN);
}

export async function openNote({ page }: Desk, view: View): Promise<void> {
  await page.locator(`[data-path="${PATH}"]`).click();
  await page
    .locator(view === "Read" ? READ_TEXT : EDITOR)
    .first()
    .waitFor({ ...WITHIN, state: "attached" });
}

/** Opens the note to write, with the caret in it. */
export async function openEditor(desk: Desk, text: string): Promise<void> {
  await openList(desk, text, "Write");
  await openNote(desk, "Write");
  await desk.page.locator(EDITOR).focus();
  await desk.page.waitForTimeout(500);
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Clicks without looking for what else could be in the way, which would cost the page time. */
export function click(control: ReturnType<Page["locator"]>): Promise<void> {
  return control.dispatchEvent("click");
}

/** Writes the note from another program. */
export function writeElsewhere({ vault }: Desk, text: string): Promise<string> {
  return vault.write(PATH, text);
}

export async function textOnServer({ vault }: Desk): Promise<string> {
  return (await vault.read(PATH)).content;
}

export async function until(isReached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN.timeout;
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error("The step did not come to its end in time.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
