import { describe, expect, it } from "vitest";
import { rewriteLinks } from "./link-rewrite.ts";
import { createLinkResolver } from "./wiki-links.ts";

/** Rewrites the links of a text in the file at a path as a move of documents requires. */
async function move(
  text: string,
  moves: Record<string, string>,
  { path = "n.md", others = [] as string[] } = {},
): Promise<string> {
  const before = [path, ...others, ...Object.keys(moves)];
  const documents = [...new Set(before)].map((each) => ({ id: each, path: each }));
  const after = documents.map(({ id }) => ({ id, path: moves[id] ?? id }));
  const resolveBefore = createLinkResolver(documents);
  const byId = new Map(after.map((document) => [document.id, document]));
  const { text: rewritten } = await rewriteLinks({
    text,
    to: text.length,
    path: moves[path] ?? path,
    resolve: createLinkResolver(after),
    meant(link) {
      const found = resolveBefore(link, path);
      const document = found === null ? undefined : byId.get(found.document.id);
      return found === null || document === undefined ? null : { document, written: found };
    },
  });
  return rewritten;
}

describe("renaming a file", () => {
  it.each([
    ["[[Old]]", "[[New]]"],
    ["![[Old]] and [[old.md]]", "![[New]] and [[New.md]]"],
    ["[[ Old #Heading ^x|  the label ]]", "[[ New #Heading ^x|  the label ]]"],
    ["[[Old#^id-1]]\r\n| [[Old\\|a]] |", "[[New#^id-1]]\r\n| [[New\\|a]] |"],
    ["[a](Old.md#Heading 'title')", "[a](New.md#Heading 'title')"],
    ["[a](./Old.md) [b](/Old.md) [c](<Old.md>)", "[a](./New.md) [b](/New.md) [c](<New.md>)"],
    ["[x]: Old.md 'title'\n", "[x]: New.md 'title'\n"],
    ["[a](<Old.md>)", "[a](<New.md>)"],
    [
      `---\nup: "[[Old]]"\nall: ['[[Old#H|x]]', b]\nsee: see [[Old]]\n---\n`,
      `---\nup: "[[New]]"\nall: ['[[New#H|x]]', b]\nsee: see [[New]]\n---\n`,
    ],
    [
      "---\nlong: |\n  [[Old]]\nrows: [[Old, b]]\n[[Old]]: x\n---\n[[Old]]",
      "---\nlong: |\n  [[New]]\nrows: [[Old, b]]\n[[Old]]: x\n---\n[[New]]",
    ],
    ["`[[Old]]` <!-- [[Old]] --> [[Older]]", "`[[Old]]` <!-- [[Old]] --> [[Older]]"],
  ])("turns %j into %j", async (text, expected) => {
    expect(await move(text, { "Old.md": "New.md" })).toBe(expected);
  });

  it.each([
    ["[[Old]] [[Old#H|l]] ![[Old]]", "a [b].md", "[Old](a%20[b].md) [l](a%20[b].md#H) ![](a%20[b].md)"],
    ["[[Old]] [a](Old.md)", "C# notes.md", "[[C# notes]] [a](C%23%20notes.md)"],
    ["[[Old#Part]]", "C# notes.md", "[[C# notes#Part]]"],
    ["[a](Old.md) [b](<Old.md>)", "100% (a) b?.md", "[a](100%25%20%28a%29%20b%3F.md) [b](<100%25 (a) b%3F.md>)"],
    ["[a](Old.md)", "é è.md", "[a](é%20è.md)"],
    ["[[Old]]", "Old.txt", "[[Old.txt]]"],
    ["[[Old|l]] [a](Old.md)", "a]] b.md", "[l](a]]%20b.md) [a](a]]%20b.md)"],
    ["|[[Old\\|l]]|[a](Old.md)|", "a|b.md", "|[l](a%7Cb.md)|[a](a%7Cb.md)|"],
    ["[[Old]] [a](Old.md)", "R&D &amp; co.md", "[[R&D &amp; co]] [a](R&D%20%26amp;%20co.md)"],
    [
      `---\nup: '[[Old]]'\nb: "[[Old]]"\n---\n`,
      `It's "it".md`,
      `---\nup: '[[It''s "it"]]'\nb: "[[It's \\"it\\"]]"\n---\n`,
    ],
    ["---\nup: see [[Old]]\n---\n[[Old]]", "a: b.md", "---\nup: see [[Old]]\n---\n[[a: b]]"],
  ])("writes %j for the name %j as %j", async (text, name, expected) => {
    expect(await move(text, { "Old.md": name })).toBe(expected);
  });

  it("follows names that are written in the notation of HTML or in quotes", async () => {
    const text = `---\nup: '[[It''s]]'\n---\n[a](R&amp;D.md) [b](R&#38;D.md) [[It's]]`;
    expect(await move(text, { "R&D.md": "New.md", "It's.md": "Its.md" })).toBe(
      "---\nup: '[[Its]]'\n---\n[a](New.md) [b](New.md) [[Its]]",
    );
  });

  it("changes every one of a hundred thousand links", async () => {
    expect(await move("[[Old]] ".repeat(100_000), { "Old.md": "New.md" })).toBe("[[New]] ".repeat(100_000));
  });

  it("keeps how spaces, parentheses and letters were written", async () => {
    const names = { "my photo (1).png": "my picture (2).png", "é.md": "è.md" };
    expect(await move("[a](my photo (1).png) [b](my%20photo%20%281%29.png) [c](%C3%A9.md)", names)).toBe(
      "[a](my picture (2).png) [b](my%20picture%20%282%29.png) [c](%C3%A8.md)",
    );
  });

  it("reads a title with # that loses it", async () => {
    expect(await move("[[C# notes#Part|x]]", { "C# notes.md": "Notes.md" })).toBe("[[Notes#Part|x]]");
  });
});

describe("moving", () => {
  it("leaves a link alone that still refers to the same document", async () => {
    expect(await move("[[Old]] [[a/Old]]", { "a/Old.md": "b/Old.md" })).toBe("[[Old]] [[b/Old]]");
  });

  it("uses the shortest path that is unique", async () => {
    expect(await move("[[Old]]", { "Old.md": "bb/Old.md" }, { others: ["c/Old.md", "d/bb/x.md"] })).toBe("[[bb/Old]]");
    expect(await move("[[c/Old]]", { "c/Old.md": "d/e/New.md" }, { others: ["a/New.md"] })).toBe("[[d/e/New]]");
    expect(await move("[[c/Old]]", { "b/c/Old.md": "d/e/New.md" }, { others: ["a/New.md"] })).toBe("[[e/New]]");
  });

  it.each([
    ["[[/a/Old]]", "[[/b/Old]]"],
    ["[[a/Old]]", "[[b/Old]]"],
    ["[a](a/Old.md)", "[a](b/Old.md)"],
  ])("keeps the form of a path: %s", async (text, expected) => {
    expect(await move(text, { "a/Old.md": "b/Old.md" }, { others: ["c/Old.md"] })).toBe(expected);
  });

  it("adjusts relative paths in a note that moves", async () => {
    const text = "[a](../x.md) ![b](img/p.png) [[./y]] [c](z.md) [[z]]";
    const others = ["x.md", "a/img/p.png", "a/y.md", "a/z.md"];
    expect(await move(text, { "a/n.md": "b/c/n.md" }, { others, path: "a/n.md" })).toBe(
      "[a](../../x.md) ![b](../../a/img/p.png) [[../../a/y]] [c](../../a/z.md) [[z]]",
    );
    expect(await move(text, { "a/n.md": "n.md" }, { others, path: "a/n.md" })).toBe(
      "[a](x.md) ![b](a/img/p.png) [[./a/y]] [c](a/z.md) [[z]]",
    );
  });

  it("keeps links between files that move together", async () => {
    const moves = { "a/n.md": "b/n.md", "a/z.md": "b/z.md" };
    expect(await move("[c](z.md) [[./z]] [[a/z]] [[z]]", moves, { path: "a/n.md" })).toBe(
      "[c](z.md) [[./z]] [[b/z]] [[z]]",
    );
  });

  it("keeps a link from another document that gets the name", async () => {
    expect(await move("[[Plan]]", { "a/x.md": "Plan.md" }, { others: ["a/b/Plan.md"] })).toBe("[[b/Plan]]");
  });
});
