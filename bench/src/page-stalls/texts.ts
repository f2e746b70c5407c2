import { HOSTILE_TEXTS, repeated } from "../../../e2e/src/hostile-texts.ts";

export type Texts = Readonly<Record<string, string>>;

const LONG_LINES: Texts = {
  "one line of words": repeated("word "),
  "one line of emoji": repeated("😀"),
  "one line of letters with marks": repeated("e\u0301"),
  "one letter with marks": HOSTILE_TEXTS["one letter with marks"] ?? "",
  "one line of many scripts": repeated("aא漢😀 "),
  "one line of two directions": repeated("aא"),
  "one line without width": repeated("\u200b"),
  "one line of tabs": repeated("\t"),
  "one line of control characters": repeated("\u0001"),
  "one line of links": repeated("[[a]] "),
};

/** Lines that are just not too long to be shown whole. */
const NEARLY_LONG_LINES: Texts = {
  "lines of 4,999 letters": repeated(`${"a".repeat(4_999)}\n`),
  "lines of 4,999 letters of many scripts": repeated(`${"aא漢😀 ".repeat(833)}\n`),
  "lines of 4,999 characters without width": repeated(`${"\u200b".repeat(4_999)}\n`),
  "lines of 3,999 letters with marks": repeated(`${"*e\u0301*".repeat(999)}\n`),
};

const MARKDOWN: Texts = {
  "many empty lines": repeated("\n"),
  "many headings": repeated("# a\n"),
  "many tasks": repeated("- [ ] a\n"),
  "many tables": repeated("|a|b|\n|-|-|\n|c|d|\n\n"),
  "a table of 2,000 rows": `|a|b|\n|-|-|\n${"|**c**|`d`|\n".repeat(2_000)}`,
  "tables of 60 KiB": repeated(`|a|b|\n|-|-|\n${"|**c**|`d`|\n".repeat(5_000)}\n`),
  "many images": repeated("![a](a.png)\n"),
  "many links": repeated("[[a]]\n"),
  "code in colours": repeated(`\`\`\`js\n${"const a = f(1, 'b'); // c\n".repeat(600)}\`\`\`\n\n`),
  "footnotes that are all used": `${"a[^1] ".repeat(20_000)}\n\n${Array.from({ length: 10_000 }, (_, index) => `b[^${index}]\n\n[^${index}]: c\n\n`).join("")}`,
  "formulas alone": repeated("$\\frac{a}{b}$ "),
  "callouts alone": repeated("> [!note]\n> > [!tip]- a\n> > b[^1] $a$\n\n[^1]: c\n\n"),
  "large diagrams": repeated(
    `\`\`\`mermaid\nflowchart TD\n${Array.from({ length: 140 }, (_, index) => `  a${index % 12} --> a${(index * 7) % 13}\n`).join("")}\`\`\`\n\n`,
  ),
  "code without end": `\`\`\`\n${repeated("a b c\n")}`,
};

/** Half a megabyte, the longest text that is rendered. */
export const READ_NOTES: Texts = { ...HOSTILE_TEXTS, ...LONG_LINES, ...NEARLY_LONG_LINES, ...MARKDOWN };

/** A megabyte. */
export const WRITTEN_NOTES: Texts = doubled(READ_NOTES);

/** A megabyte, for steps that look at all of a text, whatever it means. */
export const PLAIN_TEXTS: Texts = doubled({
  "a line without end": repeated("a"),
  "many short lines": repeated("a\n"),
  "many empty lines": repeated("\n"),
  "lines of words": repeated("some words in a line\n"),
  ...LONG_LINES,
});

/** Blocks of frontmatter that are just not too large to be read as such. */
export const FRONTMATTER: Texts = {
  "one long text": `a: ${"b".repeat(60_000)}`,
  "a text of many lines": `a: |\n${"  b\n".repeat(15_000)}`,
  "many fields": Array.from({ length: 900 }, (_, index) => `field${index}: value`).join("\n"),
  "many lists": Array.from({ length: 600 }, (_, index) => `list${index}: [a, b]`).join("\n"),
  "one list": `list: [${"a,".repeat(900)}a]`,
  "many tags": `tags: [${Array.from({ length: 900 }, (_, index) => `tag${index}`).join(",")}]`,
  "a long name": `${"n".repeat(900)}: value`,
  "objects in objects": `a: ${"{a: ".repeat(30)}1${"}".repeat(30)}`,
};

/** Two texts to compare, of a megabyte each. */
export type Pair = readonly [before: string, after: string];

export const PAIRS: Readonly<Record<string, Pair>> = {
  "every other line": changed(megabyteOf("a line of words\n"), 2),
  "every other short line": changed(megabyteOf("a\n"), 2),
  "every hundredth line": changed(megabyteOf("a line of words\n"), 100),
  "every hundredth short line": changed(megabyteOf("a\n"), 100),
  "every thousandth short line": changed(megabyteOf("a\n"), 1_000),
  "every other paragraph of many scripts": changed(megabyteOf(`${"aא漢😀 ".repeat(166)}\n`), 2),
  "all of one line": [megabyteOf("a"), megabyteOf("b")],
  "all of one line of many scripts": [megabyteOf("aא漢😀 "), megabyteOf("漢😀 aא")],
  "all lines": [megabyteOf("a\n"), megabyteOf("b\n")],
  "all of long lines": [megabyteOf(`${"a".repeat(4_999)}\n`), megabyteOf(`${"b".repeat(4_999)}\n`)],
};

/** The first line is changed, too, since whatever is written at the beginning of a note would otherwise be merged without a question. */
function changed(text: string, interval: number): Pair {
  const lines = text.split("\n");
  return [text, lines.map((line, index) => (index % interval === 0 ? `${line}x` : line)).join("\n")];
}

function megabyteOf(part: string): string {
  return repeated(part).repeat(2);
}

function doubled(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text + text]));
}
