import { describe, expect, it } from "vitest";
import { createLinkResolver, findLinks, linkNamesTo, readingsOf } from "./wiki-links.ts";

const targetsOf = (text: string) => [...new Set(findLinks(text).map(({ target }) => target))];

it.each([
  ["[[note]] and [[folder/other|shown]] and ![[image.png]]", ["note", "folder/other", "image.png"]],
  ["[a](b.md)[c](./d%20e.md#part)", ["b.md", "./d e.md"]],
  ["![a](assets/my photo (1).png)", ["assets/my photo (1).png"]],
  ["![a](<assets/my photo (1).png>)", ["assets/my photo (1).png"]],
  ['![a](assets/my%20photo%20(1).png "title")', ["assets/my photo (1).png"]],
  ["(see [a](b.md))", ["b.md"]],
  ["[a](https://example.org/x_(y)) [b](mailto:a@b.co) [c](#part)", []],
  ["`[[code]]` and\n```\n[a](b.md)\n```\n", []],
  ["| [[a\\|b]] | [[c#d\\|e]] |\n|--|--|", ["a", "c"]],
  ["[x]: path/a.md\n[y]: <b c.md> 'title'\r\n[z]: d.md#e (title)", ["path/a.md", "b c.md", "d.md"]],
  ["[a](b.md 'title') [c](it's.md) [d](e.md (title))", ["b.md", "it's.md", "e.md (title)"]],
  ["[![a](b.png)](c.md) [a [b] c](d.md)", ["b.png", "c.md", "d.md"]],
  ["[two\nlines](a.md)", ["a.md"]],
  ["[a](b\\(c\\).md) [d]( e.md )", ["b(c).md", "e.md"]],
  ["- item\n\n    [[a]]\n\n1. item\n   - [[b]]\n\n     [[c]]", ["a", "b", "c"]],
  ["text\n    [[a]]", ["a"]],
  ["> [[a]]\n> > [[b]]\n\n> - [[c]]", ["a", "b", "c"]],
])("finds the links of %j", (text, links) => {
  expect(targetsOf(text)).toEqual(links);
});

it.each([
  ["``[[a]] ` [[b]]`` [[c]]", ["c"]],
  ["`[[a]] [[b]]", ["a", "b"]],
  ["```\n[[a]]\n```` \n[[b]]", ["b"]],
  ["````\n[[a]]\n```\n[[b]]\n````\n[[c]]", ["c"]],
  ["~~~ js\n[[a]]\n```\n~~~\n[[b]]", ["b"]],
  ["```js\n[[a]]\n```js\n[[b]]", []],
  ["    ```\n[[a]]", ["a"]],
  ["``` a `b` [[c]]\n[[d]]", ["c", "d"]],
  ["text ~~~ [[a]] `[[b]]`\n[[c]]", ["a", "c"]],
  ['[a](<e.md> "f") [g](h.md  "i (j)")', ["e.md", "h.md"]],
  ['[a]("b") [c](d"e".md)', ['d"e".md']],
  ["[a](b\n) [c]() [d](<e) [f](g(h(i)))", []],
  ["    [[a]]\n\n\t[[b]]\n[[c]]", ["c"]],
  ["# Title\n    [[a]]\n> text\n>\n>     [[b]]", []],
  ["- item\n\n      [[a]]\n\n- ```\n  [[b]]\n  ```\n  [[c]]", ["c"]],
  ["- ```\n  [[a]]\n[[b]]", ["b"]],
  ["> ```\n> [[a]]\n[[b]]", ["b"]],
  ["<!-- [[a]] --> [[b]] <!-- [x](c.md)\n[[d]] --> [[e]]", ["b", "e"]],
  ["<!--\n\n[[a]]\n\n-->\n[[b]] <!-- [[c]]\n\n[[d]] -->", ["b", "c", "d"]],
  ["[[a]]\n<!-- [[b]]", ["a"]],
  ["\\[[a]] \\[b](c.md) d](e.md) ](f.md)", []],
  ["[^1]: note.md\ntext\n[x]: path.md", []],
  ["[x]: two words.md\n[]: a.md", []],
])("ignores code, comments and anything that is not a link in %j", (text, links) => {
  expect(targetsOf(text)).toEqual(links);
});

describe("a link with a mark in it", () => {
  const resolve = createLinkResolver(
    ["Note.md", "C# notes.md", "a/F#/Sharp.md", "C.md"].map((path) => ({ id: path, path })),
  );

  it.each([
    ["[[Note#Heading]]", "Note.md"],
    ["[[Note#^block]]", "Note.md"],
    ["[[C# notes]]", "C# notes.md"],
    ["[[C# notes#Heading|label]]", "C# notes.md"],
    ["[[C#Heading]]", "C.md"],
    ["[[F#/Sharp#Heading]]", "a/F#/Sharp.md"],
    ["[a](C%23%20notes.md#Heading)", "C# notes.md"],
    ["[[Missing#Heading]]", null],
  ])("%s refers to %s", (text, path) => {
    const [link] = findLinks(text);
    expect(link && (resolve(link, "x.md")?.document.path ?? null)).toBe(path);
  });

  it("is found by one of the names of the file", () => {
    for (const path of ["C# notes.md", "a/F#/Sharp.md"]) {
      const [link] = findLinks(`[[${path.replace(".md", "")}#Part]]`);
      expect(linkNamesTo(path)).toContain(link?.target.split("/").at(-1)?.toLowerCase());
    }
  });

  it("has a bounded number of readings", () => {
    expect(readingsOf({ target: "a", part: "#b".repeat(100) })).toHaveLength(4);
  });
});

it("knows whether several documents match a link equally well", () => {
  const resolve = createLinkResolver(
    ["a/x.md", "b/x.md", "ccc/x.md", "y.md", "d/y.md"].map((path) => ({ id: path, path })),
  );
  expect(resolve({ target: "x", part: "" }, "z.md")).toMatchObject({ document: { path: "a/x.md" }, isAmbiguous: true });
  expect(resolve({ target: "x", part: "" }, "b/z.md")).toMatchObject({
    document: { path: "b/x.md" },
    isAmbiguous: false,
  });
  expect(resolve({ target: "y", part: "" }, "z.md")).toMatchObject({ document: { path: "y.md" }, isAmbiguous: false });
});
