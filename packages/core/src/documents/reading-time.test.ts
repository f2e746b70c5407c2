import { expect, it } from "vitest";
import { foldText } from "../platform/fold-text.ts";
import { HEAD_BYTES } from "./document-content.ts";
import { markdownFields } from "./document-fields.ts";
import { parseMarkdown } from "./frontmatter.ts";

/** Far above what any of these takes on a busy machine, far below what the square of the length would take. */
const MAX_MS = 1_500;

function usedMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it.each([
  "`",
  "` ",
  "`\n",
  "``` ",
  "~~~",
  "[[",
  "[[a|",
  "](",
  "](a",
  "](a(",
  "]()",
  "](<",
  "](\t",
  '](a "',
  "# ",
  "#  #",
  " #",
  "#",
  "<!--\n",
  "a\n=",
])("reads title and links of the largest note of %j repeated in time that grows with its length", (pump) => {
  const openings = ["", "# a", "#", "](", "[[a|", "```\n"];
  for (const opening of openings) {
    const text = (opening + pump.repeat(HEAD_BYTES / pump.length)).slice(0, HEAD_BYTES);
    expect(usedMs(() => markdownFields("note.md", text))).toBeLessThan(MAX_MS);
  }
});

it.each(["[", "{", "- ", "? ", "a: [", "&a ", "a: *a\n", "- &a b\n", "? a\n", "[],", "a:\n ", "#\n", "\n", '"'])(
  "reads or leaves a block of frontmatter of %j repeated before anyone notices",
  (pump) => {
    for (const opening of ["", "a: [", 'a: "', "a:\n  - "]) {
      const yaml = (opening + pump.repeat(64 * 1024)).slice(0, 64 * 1024 - 16);
      expect(usedMs(() => parseMarkdown(`---\n${yaml}\n---\nText`))).toBeLessThan(MAX_MS);
    }
  },
);

it("folds a letter with a million marks", () => {
  const marks = "\u0300\u0345";
  expect(usedMs(() => foldText(`a${marks.repeat(500_000)}b`))).toBeLessThan(MAX_MS);
  expect(foldText(`E\u0301${marks.repeat(3)}`)).toBe(foldText(`\u00e9${marks.repeat(3)}`));
});

it("reads a large, flat frontmatter that a program may have written", () => {
  const fields = Array.from({ length: 400 }, (_, index) => `field${index}: value ${index}`);
  const text = `---\n${fields.join("\n")}\nabout: |\n${"  Some long text about it.\n".repeat(800)}---\nText`;
  expect(Object.keys(parseMarkdown(text).metadata)).toHaveLength(401);
});

it("takes a heading's text without the marks that close it", () => {
  const titles = ["# One ##", "# Two#", "#\tThree", "## Other\n# Four", "# #\n# Five", "#Six\n# Seven  "].map(
    (text) => markdownFields("note.md", text).title,
  );
  expect(titles).toEqual(["One", "Two#", "Three", "Four", "Five", "Seven"]);
});
