import { expect, it } from "vitest";
import { findLinks } from "./wiki-links.ts";

it.each([
  ["[[note]] and [[folder/other|shown]] and ![[image.png]]", ["note", "folder/other", "image.png"]],
  ["[a](b.md)[c](./d%20e.md#part)", ["b.md", "./d e.md"]],
  ["![a](assets/my photo (1).png)", ["assets/my photo (1).png"]],
  ["![a](<assets/my photo (1).png>)", ["assets/my photo (1).png"]],
  ['![a](assets/my%20photo%20(1).png "title")', ["assets/my photo (1).png"]],
  ["(see [a](b.md))", ["b.md"]],
  ["[a](https://example.org/x_(y)) [b](mailto:a@b.co) [c](#part)", []],
  ["`[[code]]` and\n```\n[a](b.md)\n```\n", []],
])("finds the links of %j", (text, links) => {
  expect(findLinks(text)).toEqual(links);
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
  ['[a](b.md \'c\') [d](<e.md> "f") [g](h.md  "i (j)")', ["b.md 'c'", "e.md", "h.md"]],
  ['[a]("b") [c](d"e".md)', ['d"e".md']],
  ["[a](b\n) [c]() [d](<e) [f](g(h(i)))", []],
])("ignores code and anything that is not a link in %j", (text, links) => {
  expect(findLinks(text)).toEqual(links);
});
