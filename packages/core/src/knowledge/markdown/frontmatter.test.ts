import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
    [`---${" ".repeat(60)}\ntitle: A\n---\n`, { title: "A" }, ""],
    ["---\n__proto__: 1\n---\n", JSON.parse('{"__proto__":1}') as object, ""],
  ])("parses %j", (text, metadata, body) => {
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
    `---${" ".repeat(61)}\ntitle: A\n---\n`,
  ])("treats %j as text", (text) => expectNoFrontmatter(text));

  it.each([
    ["nested without end", `---\n${"[".repeat(20_000)}\n---\n`],
    [
      "an alias bomb",
      "---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n",
    ],
    ["never closed", `---\n${"a: 1\n".repeat(20_000)}`],
    ["a list that contains itself", "---\nfoo: &a [*a]\n---\nbody"],
    ["a map that contains itself", "---\nfoo: &a {b: *a}\n---\nbody"],
    ["a title that contains itself", "---\ntitle: &a [*a]\n---\nbody"],
    ["a cycle further down", "---\nfoo: &a {b: [{c: *a}]}\n---\nbody"],
    ["a long text said many times", `---\na: &a ${"x".repeat(20_000)}\nb: [${"*a, ".repeat(40)}]\n---\nbody`],
    ["longer than 64 KiB", `---\n#${"x".repeat(64 * 1024 - 1)}\n---\nbody`],
  ])("treats a block that is %s as text", (_what, text) => expectNoFrontmatter(text));

  it("accepts a block of 64 KiB", () => {
    expect(parseMarkdown(`---\n#${"x".repeat(64 * 1024 - 2)}\n---\nbody`)).toMatchObject({
      metadata: {},
      body: "body",
    });
  });

  it("executes nothing, whatever the tags", () => {
    expect(parseMarkdown('---\nx: !!js/function "function(){ throw 1 }"\n---\n').metadata).toEqual({
      x: "function(){ throw 1 }",
    });
  });

  it.each([
    ["n: [.nan, .inf, -.inf, -0]", { n: [".nan", ".inf", "-.inf", 0] }],
    ["at: !!timestamp 2026-01-31", { at: "2026-01-31" }],
    ["tags: !!set {a, b}", { tags: { a: null, b: null } }],
    ["list: !!omap [a: 1]", { list: [{ a: 1 }] }],
    ["bytes: !!binary aGVsbG8=", { bytes: "aGVsbG8=" }],
    ["twice: [&a [1], *a]", { twice: [[1], [1]] }],
    ["123456789012345678901234567890: 1", { "1.2345678901234568e+29": 1 }],
  ])("converts %j to JSON values", (yaml, metadata) => {
    expect(parseMarkdown(`---\n${yaml}\n---\n`).metadata).toEqual(metadata);
  });

  it("converts any frontmatter that it accepts to equivalent JSON", () => {
    const scalar = fc.constantFrom(
      "x",
      "1",
      "-0",
      ".nan",
      "-.inf",
      "null",
      "~",
      "true",
      "2026-01-31",
      "!!binary aGk=",
      "!!set {a}",
      "!!int 0x1f",

      "99999999999999999999",
      "1e400",
      "'\\ud800'",
      '"\\0"',
      "*a",
      "*b",
      "&a [*a]",
      "&a {b: *a}",
      "&b [1, *a]",
      "!!omap [a: 1]",

      "!!timestamp 2026-01-31",
      "!!pairs [a: 1, a: 2]",
      "!x y",
      "[*a, *b]",
      "{? [a, b] : 1}",
      "&a x",
      "{__proto__: {x: 1}}",
    );
    const key = fc.constantFrom(
      "title",
      "a",
      "1",
      "'1'",
      "__proto__",
      "constructor",
      "toJSON",
      "null",
      "<<",
      "? [a]\n",
      "*a ",
      "&a k",
    );
    const field = fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`);
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), (fields) => {
        const { metadata, block } = parseMarkdown(`---\n${fields.join("\n")}\n---\nbody`);
        if (block !== null) accepted += 1;
        // The test runner's comparison would mistake a field named "constructor" for a prototype.
        expect(isDeepStrictEqual(JSON.parse(JSON.stringify(metadata)), metadata)).toBe(true);
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it("never loses any text", () => {
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

function expectNoFrontmatter(text: string): void {
  const parts = parseMarkdown(text);
  expect(parts).toMatchObject({ metadata: {}, block: null });
  expect(parts.head + parts.body).toBe(text);
}

describe("replaceBody", () => {
  it("preserves the byte order mark, the frontmatter and the new body", () => {
    expect(replaceBody("\ufeff---\r\na: 1\r\n---\r\nold", "new")).toBe("\ufeff---\r\na: 1\r\n---\r\nnew");
    expect(replaceBody("\ufeffold", "new")).toBe("\ufeffnew");
    expect(replaceBody("old", "---\ntitle: mine\n---\nnew")).toBe("---\n---\n---\ntitle: mine\n---\nnew");
  });

  it.each([
    ["---\na: 1\n---", "new", "---\na: 1\n---\nnew"],
    ["---\r\na: 1\r\n---", "new", "---\r\na: 1\r\n---\r\nnew"],
    ["---\na: 1\n---", "", "---\na: 1\n---"],
    ["---\na: 1\n---\nold", "", "---\na: 1\n---\n"],
  ])("terminates the frontmatter %j before a body", (text, body, expected) => {
    expect(replaceBody(text, body)).toBe(expected);
  });

  it("round-trips any body", () => {
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
