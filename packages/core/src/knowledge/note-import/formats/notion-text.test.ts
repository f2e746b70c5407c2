import { expect, test } from "vitest";
import { withCallouts, withRelations } from "./notion-text.ts";

const ID = "0123456789abcdef0123456789abcdef";

test("properties of Notion that name pages become links, and nothing else does", async () => {
  const text = `# Dune

Parent: Home (../Home%20${ID}.md), Site [1] (https://www.notion.so/Home-${ID}?pvs=21)
Rating: 5 (of 5)

Parent: Home (../Home%20${ID}.md)
`;
  expect(await withRelations(text, ["Parent", "Rating"])).toBe(`# Dune

Parent: [Home](../Home%20${ID}.md), [Site \\[1\\]](https://www.notion.so/Home-${ID}?pvs=21)
Rating: 5 (of 5)

Parent: Home (../Home%20${ID}.md)
`);
});

test("a title of a page has at most 200 characters, whatever stands before it", async () => {
  const long = `${"a".repeat(250)} (a${ID}.md)`;
  const expected = `${"a".repeat(50)}[${"a".repeat(200)}](a${ID}.md)`;
  expect(await withRelations(`# Dune\nParent: ${long}, b (c), ( d (a${ID}.md)`, ["Parent"])).toBe(
    `# Dune\nParent: ${expected}, b (c), ( [d](a${ID}.md)`,
  );
});

test("blocks of Notion become callouts, however long, and those without an end stay", async () => {
  expect(await withCallouts("<aside>\n💡\n\none\n</aside>\ntwo\n<aside>\nthree")).toBe(
    "> [!note] 💡\n> one\ntwo\n<aside>\nthree",
  );
  const lines = Array.from({ length: 200_000 }, () => "a");
  const callout = await withCallouts(["<aside>", ...lines, "</aside>"].join("\n"));
  expect(callout.split("\n")).toHaveLength(lines.length);
  expect(await withCallouts("<aside>\n".repeat(100_000))).toBe("<aside>\n".repeat(100_000));
});

test("of blocks of Notion, what is empty, nested, indented or the last in a text becomes a callout, too", async () => {
  expect(await withCallouts("<aside>\n</aside>")).toBe("> [!note]\n>");
  expect(await withCallouts("<aside>\n💡\n</aside>\n")).toBe("> [!note] 💡\n>\n");
  expect(await withCallouts("a\n <aside>\r\n<aside>\n\n  b  \n\n</aside> \n</aside>")).toBe(
    "a\n> [!note] <aside>\n> b\n</aside>",
  );
  expect(await withCallouts("<aside><aside>\n<aside>\n\none two\n\nb\n\n</aside>\n<aside>\nc d\n</aside>")).toBe(
    "<aside><aside>\n> [!note]\n> one two\n>\n> b\n> [!note]\n> c d",
  );
});
