import { expect, it } from "vitest";
import { foldText } from "../../platform/fold-text.ts";
import { HEAD_BYTES } from "../file-records/document-content.ts";
import { markdownFields } from "./document-fields.ts";
import { parseMarkdown } from "./frontmatter.ts";

/** Far more than any of these takes on a busy machine, far less than quadratic time would take. */
const MAX_MS = 3_000;

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
])("parses title and links of the largest note of repeated %j in linear time", (pump) => {
  const openings = ["", "# a", "#", "](", "[[a|", "```\n"];
  for (const opening of openings) {
    const text = (opening + pump.repeat(HEAD_BYTES / pump.length)).slice(0, HEAD_BYTES);
    expect(usedMs(() => markdownFields("note.md", text))).toBeLessThan(MAX_MS);
  }
});

it.each(["[", "{", "- ", "? ", "a: [", "&a ", "a: *a\n", "- &a b\n", "? a\n", "[],", "a:\n ", "#\n", "\n", '"'])(
  "parses or skips a frontmatter block of repeated %j quickly",
  (pump) => {
    for (const opening of ["", "a: [", 'a: "', "a:\n  - "]) {
      const yaml = (opening + pump.repeat(64 * 1024)).slice(0, 64 * 1024 - 16);
      expect(usedMs(() => parseMarkdown(`---\n${yaml}\n---\nText`))).toBeLessThan(MAX_MS);
    }
  },
);

it("folds a letter with a million marks quickly", () => {
  const marks = "\u0300\u0345";
  expect(usedMs(() => foldText(`a${marks.repeat(500_000)}b`))).toBeLessThan(MAX_MS);
  expect(foldText(`E\u0301${marks.repeat(3)}`)).toBe(foldText(`\u00e9${marks.repeat(3)}`));
});

it("parses large, flat frontmatter that a program may have written", () => {
  const fields = Array.from({ length: 400 }, (_, index) => `field${index}: value ${index}`);
  const text = `---\n${fields.join("\n")}\nabout: |\n${"  Some long text about it.\n".repeat(800)}---\nText`;
  expect(Object.keys(parseMarkdown(text).metadata)).toHaveLength(401);
});

it("drops the closing sequence of a heading", () => {
  const titles = ["# One ##", "# Two#", "#\tThree", "## Other\n# Four", "# #\n# Five", "#Six\n# Seven  "].map(
    (text) => markdownFields("note.md", text).title,
  );
  expect(titles).toEqual(["One", "Two#", "Three", "Four", "Five", "Seven"]);
});
