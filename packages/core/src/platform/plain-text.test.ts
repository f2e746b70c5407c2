import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["# Title\n\nSome **bold** ==text== with `code`", "Title Some bold text with code"],
  ["> [!warning] Careful\n> Closed on Monday", "Careful Closed on Monday"],
  ["> > [!tip]- Nested\n> > in a quote", "Nested in a quote"],
  ["> [!note]\n> without a title", "without a title"],
  ["| Name | Count |\n|:---|---:|\n| Roses | 3 |", "Name Count Roses 3"],
  ["a | b\n--|--\n1 | 2", "a b 1 2"],
  ["Text[^1] and more\n\n[^1]: The *footnote*", "Text and more The footnote"],
  ["A paragraph to link to ^block-1\nand on", "A paragraph to link to and on"],
  ["Seen <!-- not\nseen --> again", "Seen again"],
  ["2^10, 3 | 4, [!important] in a line, 5 - 3", "2^10, 3 4, [!important] in a line, 5 - 3"],
])("%j is shown as it reads", (markdown, text) => expect(plainText(markdown)).toBe(text));
