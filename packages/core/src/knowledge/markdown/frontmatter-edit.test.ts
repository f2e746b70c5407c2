import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../platform/errors.ts";
import { removeFrontmatterField, setFrontmatterField } from "./frontmatter-edit.ts";
import { parseMarkdown } from "./frontmatter.ts";

const numRuns = Number(process.env["FRONTMATTER_RUNS"] ?? 400);

describe("setFrontmatterField", () => {
  it.each([
    ["---\ntitle: A # note\nx: 1\n---\nb", "New", "---\ntitle: New # note\nx: 1\n---\nb"],
    ["---\ntitle:\nx: 1\n---\nb", "New", "---\ntitle: New\nx: 1\n---\nb"],
    ["---\ntitle:   # later\n---\nb", "New", "---\ntitle: New   # later\n---\nb"],
    ["---\ntitle: |\n  one\n  two\n\n# c\nx: 1\n---\n", "New", "---\ntitle: New\n\n# c\nx: 1\n---\n"],
    ["---\r\ntitle: >-\r\n  one\r\nx: 1\r\n---\r\n", "New", "---\r\ntitle: New\r\nx: 1\r\n---\r\n"],
    ["---\n'title': \"A\"\n---\n", "New", "---\n'title': New\n---\n"],
    ["---\n{title: A, x: [1]}\n---\n", "New", "---\n{title: New, x: [1]}\n---\n"],
    ["---\n{title:\n A, x: 1}\n---\n", "New", "---\n{title:\n New, x: 1}\n---\n"],
    ["---\n{}\n---\n", "New", "---\n{title: New}\n---\n"],
    ["---\n{x: 1}\n---\n", "New", "---\n{x: 1, title: New}\n---\n"],
    ["---\n? title\n: A\n---\n", "New", "---\n? title\n: New\n---\n"],
    ["---\ntitle:\n A\n---\n", "New", "---\ntitle:\n  New\n---\n"],
    ["---\n  a: 1\n---\n", "New", "---\n  a: 1\n  title: New\n---\n"],
    ["---\r\n---\r\nb", "New", "---\r\ntitle: New\r\n---\r\nb"],
    ["body", "New", "---\ntitle: New\n---\nbody"],
    ["\ufeffbody\r\n", "New", "\ufeff---\r\ntitle: New\r\n---\r\nbody\r\n"],
    ["---\nbroken: [\n---\nbody", "New", "---\ntitle: New\n---\n---\nbroken: [\n---\nbody"],
    ["---\ntitle: A\n---\n", "2026-01-01", '---\ntitle: "2026-01-01"\n---\n'],
    ["---\ntitle: A\n---\n", "yes", '---\ntitle: "yes"\n---\n'],
    ["---\ntitle: A\n---\n", "Ebony", "---\ntitle: Ebony\n---\n"],
    ["---\ntitle: A\n---\n", "a: b # c", '---\ntitle: "a: b # c"\n---\n'],
    ["---\ntitle: A\n---\n", "a\u0085b\u2028", '---\ntitle: "a\\u0085b\\u2028"\n---\n'],
    ["---\ntitle: A\n---\n", "Über 日本語", "---\ntitle: Über 日本語\n---\n"],
    ["---\ntitle: A\n---\n", 'two\nlines "q"', '---\ntitle: "two\\nlines \\"q\\""\n---\n'],
  ])("changes the title in %j", (text, title, expected) => {
    expect(setFrontmatterField(text, "title", title)).toBe(expected);
  });

  it.each([
    ["---\ntags: [a, b] # t\n---\n", ["x", "y z"], "---\ntags: [x, y z] # t\n---\n"],
    [
      "---\ntags:\n  - a # first\n  - b # last\n# end\nx: 1\n---\n",
      ["c"],
      "---\ntags:\n  - c # last\n# end\nx: 1\n---\n",
    ],
    ["---\ntags:\n- a\n- b\n- c # last\n---\n", ["d"], "---\ntags:\n- d # last\n---\n"],
    ["---\ntags:\n- a\n- b\n\nx: 1\n---\n", ["c", "d"], "---\ntags:\n- c\n- d\n\nx: 1\n---\n"],
    ["---\ntags:\n- a\n---\n", [], "---\ntags:\n  []\n---\n"],
    ["---\r\ntags:\r\n  - a\r\nx: 1\r\n---\r\n", ["b", "c"], "---\r\ntags:\r\n  - b\r\n  - c\r\nx: 1\r\n---\r\n"],
    ["---\ntags: a, b\n---\n", ["a"], "---\ntags: [a]\n---\n"],
    ["---\ntags:\n  nested:\n    - x\n---\n", ["a"], "---\ntags:\n  [a]\n---\n"],
  ])("changes the tags in %j", (text, tags, expected) => {
    expect(setFrontmatterField(text, "tags", tags)).toBe(expected);
  });

  it("does not rewrite a field that has the value already", () => {
    const text = "---\ntitle: 'A'\ntags:\n  - a\n  - 'b'\n---\n";
    expect(setFrontmatterField(text, "title", "A")).toBe(text);
    expect(setFrontmatterField(text, "tags", ["a", "b"])).toBe(text);
  });

  it.each([
    ["that an alias refers to", "---\ntitle: &t A\nx: *t\n---\n"],
    ["without a colon", "---\n? title\n---\n"],
    ["without a colon, in braces", "---\n{title, x: 1}\n---\n"],
  ])("refuses to change a field %s", (_what, text) => {
    expect(() => setFrontmatterField(text, "title", "New")).toThrow(
      InvalidInputError.at("title", "cannot be changed on its own in this frontmatter; edit the text itself"),
    );
  });

  it("changes the given field and not a single other character", () => {
    fc.assert(
      fc.property(sources, fieldChange, (toSource, change) => {
        expect(findDamage(toSource(change.key), change)).toBe(null);
      }),
      { numRuns },
    );
  });
});

describe("other fields", () => {
  it.each([
    ["---\nrating: 3 # of 5\n---\n", "rating", 4, "---\nrating: 4 # of 5\n---\n"],
    ["---\ndone: no\n---\n", "done", true, "---\ndone: true\n---\n"],
    ["body", "due by", "soon", "---\ndue by: soon\n---\nbody"],
    ["---\na: 1\n---\n", "on: x", "y", '---\na: 1\n"on: x": "y"\n---\n'],
    ["---\n2026: a\n---\n", "2026", "b", "---\n2026: b\n---\n"],
  ])("are set in %j", (text, name, value, expected) => {
    expect(setFrontmatterField(text, name, value)).toBe(expected);
  });

  it.each([
    ["---\na: 1\nx: 2 # two\nb: 3\n---\nbody", "---\na: 1\nb: 3\n---\nbody"],
    ["---\r\nx:\r\n  - 1\r\n  - 2\r\nb: 3\r\n---\r\n", "---\r\nb: 3\r\n---\r\n"],
    ["---\nx: |\n  one\n  two\n# of b\nb: 3\n---\n", "---\n# of b\nb: 3\n---\n"],
    ["---\na: 1\nx:\n---\n", "---\na: 1\n---\n"],
    ["---\nx: {y: 1}\n---\nbody", "---\n---\nbody"],
    ["---\n? x\n: 1\n---\n", "---\n---\n"],
    ["---\na: 1\n---\n", "---\na: 1\n---\n"],
    ["no frontmatter", "no frontmatter"],
  ])("are removed from %j", (text, expected) => {
    expect(removeFrontmatterField(text, "x")).toBe(expected);
  });

  it.each(["---\n{x: 1, y: 2}\n---\n", "---\nx: &x 1\ny: *x\n---\n"])(
    "stay where they cannot be taken out alone: %j",
    (text) => {
      expect(() => removeFrontmatterField(text, "x")).toThrow(InvalidInputError);
    },
  );

  it("are removed without changing any other character, whatever the text", () => {
    fc.assert(
      fc.property(sources, fieldChange, (toSource, { key }) => {
        const { before, own, after } = toSource(key);
        const text = before + own + after;
        let changed: string;
        try {
          changed = removeFrontmatterField(text, key);
        } catch (error) {
          return error instanceof InvalidInputError;
        }
        const { [key]: _, ...others } = parseMarkdown(text).metadata;
        return isDeepStrictEqual(parseMarkdown(changed).metadata, others) && changed.endsWith(parseMarkdown(text).body);
      }),
      { numRuns },
    );
  });
});

interface Source {
  /** The text before the field, the field, and the text after it; joined, they are the whole text. */
  readonly before: string;
  readonly own: string;
  readonly after: string;
}

/** Makes the change and reports any other effect it had, as far as the parts of the text allow. */
function findDamage({ before, own, after }: Source, { key, value }: { key: string; value: string | string[] }) {
  const text = before + own + after;
  let changed: string;
  try {
    changed = setFrontmatterField(text, key, value);
  } catch (error) {
    return error instanceof InvalidInputError ? null : error;
  }
  const was = parseMarkdown(text);
  const is = parseMarkdown(changed);
  if (!isDeepStrictEqual(is.metadata, { ...was.metadata, [key]: value })) return { changed, metadata: is.metadata };
  if (was.block === null) return is.body === was.body && is.head.includes(was.head) ? null : { changed };
  if (is.body !== was.body || !changed.startsWith(before) || !changed.endsWith(after)) return { changed };
  const mine = changed.slice(before.length, changed.length - after.length);
  const comments = own.match(/ # kept[^\r\n]*/g) ?? [];
  const isKept = mine.startsWith(own.slice(0, own.indexOf(":") + 1)) && comments.every((text) => mine.includes(text));
  return isKept ? null : { mine };
}

const text = fc.oneof(
  fc
    .string({ unit: "grapheme", maxLength: 12 })
    .filter((candidate) => candidate.isWellFormed() && !candidate.includes("\0")),
  fc.constantFrom(
    "yes",
    "2026-01-01",
    "~",
    "null",
    "1e3",
    "- x",
    "a: b",
    "x # y",
    "'",
    '"',
    "[",
    "{a}",
    "*a",
    "&a",
    "!x",
    "%",
    "@",
    "\t",
    " lead",
    "trail ",
    "two\nlines",
    "\u2028",
    "\u0085",
    "🙂",
    "0x1f",
    "---",
  ),
);
const fieldChange = fc.oneof(
  fc.record({ key: fc.constant("title"), value: text }),
  fc.record({ key: fc.constant("tags"), value: fc.array(text, { maxLength: 4 }) }),
);
const otherField = fc.constantFrom(
  "date: 2026-01-31",
  "at: 2026-01-31T08:00:00Z",
  "# a comment",
  "",
  "n: 0x1f # hex",
  "list:\n- a\n- b",
  "list2:\n  - a\n  - {b: 1}",
  "map:\n  deep:\n    er: [1, 2]",
  "lit: |\n  one\n   two\n",
  "keep: |+\n  one\n\n",
  "fold: >-\n  one\n  two",
  'quoted: "a # b\\n"',
  "'single': 'it''s'",
  "emoji: 🙂 ünï",
  "empty:",
  "tilde: ~",
  "anchor: &x 1",
  "multi: one\n  two",
  "? explicit\n: value",
  "draft: true",
  "Title: other case",
  "broken: [",
  "tab:\tx",
);
const ownField = fc.constantFrom(
  null,
  "KEY: old",
  "KEY: old # kept 1",
  "KEY:",
  "KEY:   # kept 2",
  "KEY: 'old'",
  'KEY: "o\\"ld" # kept 3',
  "KEY: [a, b] # kept 4",
  "KEY: [a,\n  b]",
  "KEY:\n  - a\n  - b # kept 5",
  "KEY:\n- a\n-  b",
  "KEY: # kept 6\n  - a",
  "KEY: |\n  one\n  two",
  "KEY: >-\n  one",
  "KEY: one\n  two",
  "KEY:\n  own line # kept 7",
  "KEY: &anchored old",
  "KEY: !!str old",
  "KEY: {a: 1}",
  "KEY: 2026-01-31",
  "KEY: ~",
);
/** A text around one field, composed of known parts, so that what must not change is known without parsing. */
const sources = fc
  .record({
    mark: fc.constantFrom("", "\ufeff"),
    newline: fc.constantFrom("\n", "\r\n"),
    above: fc.uniqueArray(otherField, { maxLength: 4 }),
    own: ownField,
    below: fc.uniqueArray(otherField, { maxLength: 4 }),
    body: fc.constantFrom("", "# Heading\n\ntext", "---\nmore\n---\n", "\r\nx", "🙂"),
  })
  .map(({ mark, newline, above, own, below, body }) => (key: string): Source => {
    const lines = (parts: readonly string[]) => parts.map((part) => part.replaceAll("\n", newline) + newline).join("");
    const others = below.filter((part) => !above.includes(part));
    const ownText = own === null ? "" : own.replace("KEY", key).replaceAll("\n", newline);
    // A missing field is added after all the others.
    const before = `${mark}---${newline}${lines(above)}${own === null ? lines(others) : ""}`;
    const after = `${own === null ? "" : newline + lines(others)}---${newline}${body}`;
    return { before, own: ownText, after };
  });
