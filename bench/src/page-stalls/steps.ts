import { holdRequests } from "../../../e2e/src/held-requests.ts";
import {
  ARTICLE,
  click,
  EDITOR,
  openEditor,
  openList,
  openNote,
  press,
  textOnServer,
  until,
  writeElsewhere,
  type Desk,
} from "./desk.ts";
import { FRONTMATTER, PAIRS, PLAIN_TEXTS, READ_NOTES, WRITTEN_NOTES } from "./texts.ts";

/** Something that is done with a text. */
export interface Step<Input = unknown> {
  readonly name: string;
  readonly inputs: Readonly<Record<string, Input>>;
  /** Files in the vault besides. */
  readonly files?: number;
  /** Brings the page to where the step begins. */
  prepare(desk: Desk, input: Input): Promise<void>;
  /** What is measured. */
  act(desk: Desk, input: Input): Promise<void>;
}

const LARGE_VAULT = 20_000;

const reading: Step<string> = {
  name: "opening a note to read",
  inputs: READ_NOTES,
  prepare: (desk, text) => openList(desk, text, "Read"),
  act: (desk) => openNote(desk, "Read"),
};

const opening: Step<string> = {
  name: "opening a note to write",
  inputs: WRITTEN_NOTES,
  prepare: (desk, text) => openList(desk, text, "Write"),
  act: (desk) => openNote(desk, "Write"),
};

const typing: Step<string> = {
  name: "typing and saving",
  inputs: WRITTEN_NOTES,
  prepare: openEditor,
  async act(desk, text) {
    const { keyboard } = desk.page;
    await keyboard.press("Control+Home");
    await keyboard.type("Typed. ");
    await keyboard.press("Control+End");
    await keyboard.type("End.");
    await until(async () => (await textOnServer(desk)) === `Typed. ${text}End.`);
  },
};

const moving: Step<string> = {
  name: "moving through a note that is written",
  inputs: WRITTEN_NOTES,
  prepare: openEditor,
  async act({ page }) {
    await press(page, "Control+Home", "End", "ArrowRight", "ArrowRight", "ArrowDown", "Control+ArrowRight");
    for (let round = 0; round < 10; round += 1) await press(page, "PageDown");
    await page.mouse.move(600, 500);
    for (let round = 0; round < 20; round += 1) await page.mouse.wheel(0, 700);
    await press(page, "Control+End", "Home", "ArrowLeft", "ArrowLeft", "ArrowUp", "Control+ArrowLeft");
    for (let round = 0; round < 10; round += 1) await press(page, "PageUp");
  },
};

const revealing: Step<string> = {
  name: "showing what is left out of a line",
  inputs: PLAIN_TEXTS,
  prepare: openEditor,
  async act({ page }) {
    const folds = page.locator(`${EDITOR} .cm-fold`);
    for (let round = 0; round < 6 && (await folds.count()) > 0; round += 1) await click(folds.last());
  },
};

const replacing: Step<string> = {
  name: "cutting, pasting and undoing all of it",
  inputs: PLAIN_TEXTS,
  prepare: openEditor,
  act: ({ page }) => press(page, "Control+a", "Control+x", "Control+v", "Control+z", "Control+z", "Control+y"),
};

const searching: Step<string> = {
  name: "searching in a note that is written",
  inputs: PLAIN_TEXTS,
  prepare: openEditor,
  async act({ page }, text) {
    await press(page, "Control+Home", "Control+f");
    await page.keyboard.type("zz");
    await press(page, "Enter", "Enter", "Shift+Enter", "Control+a");
    await page.keyboard.type(firstLetter(text));
    await press(page, "Enter", "Enter", "Shift+Enter", "Escape", "Control+Home");
  },
};

const replacingMatches: Step<string> = {
  name: "replacing all matches",
  inputs: PLAIN_TEXTS,
  async prepare(desk, text) {
    await openEditor(desk, text);
    await press(desk.page, "Control+f");
    await desk.page.keyboard.type(firstLetter(text.trim()));
    await desk.page.locator(`${ARTICLE} .cm-search [aria-label="Replace with"]`).fill("b");
  },
  act: ({ page }) => click(page.locator(`${ARTICLE} .cm-search`).getByText("Replace all")),
};

const changing: Step<string> = {
  name: "showing what another program has written",
  inputs: PLAIN_TEXTS,
  prepare: openEditor,
  async act(desk, text) {
    await writeElsewhere(desk, `Elsewhere. ${text}`);
    await desk.page.locator(`${EDITOR} .cm-line`).first().getByText("Elsewhere.").waitFor();
    await writeElsewhere(desk, `b${text.replaceAll("a", "c")}b`);
    await desk.page.locator(`${EDITOR} .cm-line`).first().getByText("Elsewhere.").waitFor({ state: "detached" });
  },
};

const completing: Step<string> = {
  name: "completing a link",
  inputs: { "one line": PLAIN_TEXTS["a line without end"] ?? "", "many lines": PLAIN_TEXTS["many short lines"] ?? "" },
  files: LARGE_VAULT,
  prepare: openEditor,
  async act({ page }) {
    await press(page, "Control+End");
    await page.keyboard.type("[[note 1");
    await page.locator(".cm-tooltip-autocomplete li").first().waitFor();
    await page.keyboard.type(` ${"words ".repeat(20)}`);
  },
};

const showingFields: Step<string> = {
  name: "showing the fields of a note",
  inputs: FRONTMATTER,
  prepare: (desk, frontmatter) => openList(desk, `---\n${frontmatter}\n---\nText\n`, "Read"),
  act: (desk) => openNote(desk, "Read"),
};

const comparing: Step<readonly [string, string]> = {
  name: "comparing with a version",
  inputs: PAIRS,
  async prepare(desk, [before, after]) {
    await openList(desk, before, "Read");
    await writeElsewhere(desk, after);
    await openNote(desk, "Read");
    await desk.page.getByRole("radio", { name: "Versions" }).click();
    await desk.page.locator('ul[aria-label="Versions"] button').nth(1).waitFor();
  },
  async act({ page }) {
    await click(page.locator('ul[aria-label="Versions"] button').nth(1));
    await page.locator('section[aria-label="Earlier version"] table').first().waitFor();
    const more = page.locator('section[aria-label="Earlier version"]').getByText("Show more changes");
    for (let round = 0; round < 3 && (await more.count()) > 0; round += 1) await click(more);
  },
};

const merging: Step<readonly [string, string]> = {
  name: "merging two versions",
  inputs: PAIRS,
  prepare: (desk, [before]) => openEditor(desk, before),
  async act(desk, [, after]) {
    const { page } = desk;
    // Otherwise the page could show what was written elsewhere before something is written in it.
    const release = await holdRequests(page, "**/api/**");
    await writeElsewhere(desk, after);
    await page.keyboard.type("mine ");
    release();
    const merge = page.locator('section[aria-label="Merge two versions"]');
    await merge.waitFor();
    await merge.locator("fieldset").first().waitFor();
    await click(merge.getByLabel("Theirs").first());
    await click(merge.getByText("All mine"));
    await click(merge.getByText("All theirs"));
    const more = merge.getByText(/^Show more of/);
    if ((await more.count()) > 0) await click(more);
    await merge.locator(".cm-content").focus();
    await page.keyboard.type("by hand ");
    await click(merge.getByText("Save the result"));
    await merge.waitFor({ state: "detached" });
  },
};

/** Half an emoji is no text. */
function firstLetter(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? "";
}

export const STEPS: readonly Step[] = [
  reading,
  opening,
  typing,
  moving,
  revealing,
  replacing,
  searching,
  replacingMatches,
  changing,
  completing,
  showingFields,
  comparing,
  merging,
] as readonly Step[];
