import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../platform/errors.ts";
import { setFrontmatterField } from "./frontmatter-edit.ts";
import { parseMarkdown, replaceBody } from "./frontmatter.ts";

const numRuns = Number(process.env["FRONTMATTER_RUNS"] ?? 400);

describe("parseMarkdown", () => {
  it.each([
    ["---\ntitle: A\n---\nbody\n", { title: "A" }, "body\n"],
    ["---\r\ntitle: A\r\n---\r\nbody\r\n", { title: "A" }, "body\r\n"],
    ["\ufeff---\ntitle: A\n---\nbody", { title: "A" }, "body"],
    ["---  \ntitle: A\n--- \n\n# B", { title: "A" }, "\n# B"],
    ["---\n---\nbody", {}, "body"],
    ["---\n# only a comment\n---\n", {}, ""],
    ["---\ntitle: A\n---", { title: "A" }, ""],
    ["---\ndate: 2026-01-31\nat: 2026-01-31T08:00:00Z\n---\n", { date: "2026-01-31", at: "2026-01-31T08:00:00Z" }, ""],
    ["---\nn: 012\ntags: [a, b]\nnested: {x: 1}\n---\n", { n: 12, tags: ["a", "b"], nested: { x: 1 } }, ""],
    ["---\n__proto__: 1\n---\n", JSON.parse('{"__proto__":1}') as object, ""],
  ])("takes apart %j", (text, metadata, body) => {
    expect(parseMarkdown(text)).toMatchObject({ metadata, body });
  });

  it.each([
    "no frontmatter",
    "",
    "---",
    "---\n",
    "---\ntitle: A\n",
    "--- x\ntitle: A\n---\n",
    "\n---\ntitle: A\n---\n",
    "---\ntitle: [A\n---\nbody",
    "---\ntitle: A\ntitle: B\n---\nbody",
    "---\n- a\n- b\n---\nbody",
    "---\njust text\n---\nbody",
    "---\ntitle: *missing\n---\nbody",
    "----\ntitle: A\n----\n",
    `---\n${"[".repeat(20_000)}\n---\n`,
    "---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n",
    `---\n${"a: 1\n".repeat(20_000)}`,
  ])("leaves %.40j as text", (text) => {
    const parts = parseMarkdown(text);
    expect(parts).toMatchObject({ metadata: {}, block: null });
    expect(parts.head + parts.body).toBe(text);
  });

  it("runs nothing, whatever the tags say", () => {
    expect(parseMarkdown('---\nx: !!js/function "function(){ throw 1 }"\n---\n').metadata).toEqual({
      x: "function(){ throw 1 }",
    });
  });

  it("loses nothing of any text", () => {
    const line = fc.oneof(
      fc.constantFrom("---", "--- ", "title: x", "- a", "\ufeff", "...", "? a", "&a *a", "'"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), (lines, newline) => {
        const text = lines.join(newline);
        const { head, body } = parseMarkdown(text);
        expect(head + body).toBe(text);
      }),
      { numRuns },
    );
  });
});

describe("replaceBody", () => {
  it("keeps byte order mark and frontmatter, and the new body as it is", () => {
    expect(replaceBody("\ufeff---\r\na: 1\r\n---\r\nold", "new")).toBe("\ufeff---\r\na: 1\r\n---\r\nnew");
    expect(replaceBody("old", "---\ntitle: mine\n---\nnew")).toBe("---\n---\n---\ntitle: mine\n---\nnew");
  });

  it("gives back any body that it was given", () => {
    const piece = fc.constantFrom("---", "\n", "\r\n", "a: 1", "text", "# h", "🙂");
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (before, body) => {
        expect(parseMarkdown(replaceBody(before, body)).body).toBe(body);
      }),
      { numRuns },
    );
  });
});

describe("setFrontmatterField", () => {
  it.each([
    ["---\ntitle: A # note\nx: 1\n---\nb", "New", "---\ntitle: New # note\nx: 1\n---\nb"],
    ["---\ntitle:\nx: 1\n---\nb", "New", "---\ntitle: New\nx: 1\n---\nb"],
    ["---\ntitle:   # later\n---\nb", "New", "---\ntitle: New   # later\n---\nb"],
    ["---\ntitle: |\n  one\n  two\n\n# c\nx: 1\n---\n", "New", "---\ntitle: New\n\n# c\nx: 1\n---\n"],
    ["---\r\ntitle: >-\r\n  one\r\nx: 1\r\n---\r\n", "New", "---\r\ntitle: New\r\nx: 1\r\n---\r\n"],
    ["---\n'title': \"A\"\n---\n", "New", "---\n'title': New\n---\n"],
    ["---\n{title: A, x: [1]}\n---\n", "New", "---\n{title: New, x: [1]}\n---\n"],
    ["---\n{x: 1}\n---\n", "New", "---\n{x: 1, title: New}\n---\n"],
    ["---\n? title\n: A\n---\n", "New", "---\n? title\n: New\n---\n"],
    ["---\n  a: 1\n---\n", "New", "---\n  a: 1\n  title: New\n---\n"],
    ["---\r\n---\r\nb", "New", "---\r\ntitle: New\r\n---\r\nb"],
    ["body", "New", "---\ntitle: New\n---\nbody"],
    ["\ufeffbody\r\n", "New", "\ufeff---\r\ntitle: New\r\n---\r\nbody\r\n"],
    ["---\nbroken: [\n---\nbody", "New", "---\ntitle: New\n---\n---\nbroken: [\n---\nbody"],
    ["---\ntitle: A\n---\n", "2026-01-01", '---\ntitle: "2026-01-01"\n---\n'],
    ["---\ntitle: A\n---\n", "yes", '---\ntitle: "yes"\n---\n'],
    ["---\ntitle: A\n---\n", "a: b # c", '---\ntitle: "a: b # c"\n---\n'],
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
    ["---\ntags:\n- a\n- b\n\nx: 1\n---\n", ["c", "d"], "---\ntags:\n- c\n- d\n\nx: 1\n---\n"],
    ["---\ntags:\n- a\n---\n", [], "---\ntags:\n  []\n---\n"],
    ["---\r\ntags:\r\n  - a\r\nx: 1\r\n---\r\n", ["b", "c"], "---\r\ntags:\r\n  - b\r\n  - c\r\nx: 1\r\n---\r\n"],
    ["---\ntags: a, b\n---\n", ["a"], "---\ntags: [a]\n---\n"],
    ["---\ntags:\n  nested:\n    - x\n---\n", ["a"], "---\ntags:\n  [a]\n---\n"],
  ])("changes the tags in %j", (text, tags, expected) => {
    expect(setFrontmatterField(text, "tags", tags)).toBe(expected);
  });

  it("refuses to change a field that others refer to, rather than change those", () => {
    expect(() => setFrontmatterField("---\ntitle: &t A\nx: *t\n---\n", "title", "New")).toThrow(InvalidInputError);
  });

  it("changes the named field and not one other character", () => {
    fc.assert(
      fc.property(sources, fieldChange, (toSource, change) => {
        expect(findDamage(toSource(change.key), change)).toBe(null);
      }),
      { numRuns },
    );
  });
});

interface Source {
  /** What stands before and after the field, and the field itself; the parts together are the text. */
  readonly before: string;
  readonly own: string;
  readonly after: string;
}

/** Makes the change and says what else it did, as far as that can be told from the parts that the text was made of. */
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
/** A text around one field, made of parts that are known, so that what may not change is known without parsing. */
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
    // Without the field, it is to be added after all the others.
    const before = `${mark}---${newline}${lines(above)}${own === null ? lines(others) : ""}`;
    const after = `${own === null ? "" : newline + lines(others)}---${newline}${body}`;
    return { before, own: ownText, after };
  });
