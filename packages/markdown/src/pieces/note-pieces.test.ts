import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMarkdown } from "../syntax/note-markdown.ts";
import { isQuick, notePieces, renderNote, sourcePieces, type Piece } from "./note-pieces.ts";

/** Pieces include the elements around their parts, which may be a table's header. */
const MAX_PIECE = 60_000;
const MAX_PIECE_TAGS = 1_500;

describe("an embed", () => {
  it.each([
    ["![[Plan]]", '<a data-wiki="Plan" data-part="">Plan</a>'],
    ["![[Plan 1.2#Goals]]", '<a data-wiki="Plan 1.2" data-part="#Goals">Plan 1.2</a>'],
    ["![[a/Plan.md|the plan]]", '<a data-wiki="a/Plan.md" data-part="">the plan</a>'],
    ["![[Plan|300]]", '<a data-wiki="Plan" data-part="">Plan</a>'],
    ["![[photo.png|300]]", '<img src="photo.png" alt="photo.png" width="300">'],
  ])("of a note is a link, and of an image the image: %s", (text, html) => {
    expect(renderNote(text)).toContain(html);
  });
});

describe("a link to a heading of the same note", () => {
  it.each([
    ["[[#Supported types]]", '<a href="#supported-types">Supported types</a>'],
    ["[[#Plan#Über *all*|above]]", '<a href="#%C3%BCber-all">above</a>'],
    ["| [[#Goals\\|g]] |\n|--|", '<a href="#goals">g</a>'],
  ])("leads to its anchor: %s", (text, html) => {
    expect(renderNote(text)).toContain(html);
  });

  it("is none without a heading, or to a block", () => {
    expect(renderNote("[[#]] [[]] [[#^block]] [[|a]]")).not.toContain("<a");
  });
});

describe("notePieces", () => {
  it("add up to the whole text", () => {
    const blocks = [
      "# Title",
      "Words with [[A link]] and **marks**.",
      "- a\n- b\n\n  c",
      "> quote\n> > more",
      "```\na\n```",
    ];
    const text = Array.from({ length: 1_000 }, (_, index) => `${blocks[index % blocks.length] ?? ""} ${index}`).join(
      "\n\n",
    );
    const pieces = [...notePieces(text)];
    expect(pieces.length).toBeGreaterThan(4);
    expect(htmlOf(pieces)).toBe(renderNote(text));
  });

  it("split a long list into lists with continued numbering", () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `${index + 3}. item ${index}\n`).join("");
    const pieces = [...notePieces(text)];
    expect(pieces[0]).toMatchObject({ html: expect.stringMatching(/^<ol start="3"><li>item 0</), continued: 0 });
    for (const { html, continued } of pieces.slice(1)) {
      const [, start, first] = /^<ol start="(\d+)"><li>item (\d+)</.exec(html) ?? [];
      expect(Number(start)).toBe(Number(first) + 3);
      expect(continued).toBe(1);
    }
  });

  it("split a long item within its list", () => {
    const inner = Array.from({ length: 3_000 }, (_, index) => `   - inner ${index}\n`).join("");
    const pieces = [...notePieces(`1. before\n2. outer\n${inner}3. after\n`)];
    expect(pieces.at(2)).toMatchObject({
      html: expect.stringMatching(/^<ol start="2"><li><ul><li>inner/),
      continued: 2,
    });
    expect(pieces.at(3)).toMatchObject({
      html: expect.stringMatching(/^<ol start="2"><li><ul><li>inner/),
      continued: 3,
    });
    expect(pieces.at(-1)?.html).toContain('<ol start="3"><li>after');
    expect(pieces.at(-1)?.continued).toBe(1);
  });

  it("repeat the header in each part of a long table", () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `| ${index} | b |\n`).join("");
    const pieces = [...notePieces(`| One | Two |\n|--:|---|\n${rows}`)];
    expect(pieces.length).toBeGreaterThan(4);
    for (const { html } of pieces)
      expect(html).toMatch(/<th align="right">One<\/th>[^]*<tbody><tr><td align="right">\d+/);
  });

  it("number tasks across all pieces", () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `- [${index % 2 === 0 ? " " : "x"}] task ${index}\n`).join(
      "",
    );
    const numbers = [...htmlOf([...notePieces(text)]).matchAll(/data-task="(\d+)"> task (\d+)/g)];
    expect(numbers).toHaveLength(3_000);
    for (const [, number, task] of numbers) expect(number).toBe(task);
  });

  it("keep everything between two tags together", () => {
    const inner = Array.from({ length: 100 }, (_, index) => `Paragraph ${index} of what is folded away.\n`).join("\n");
    const [piece] = notePieces(`<details>\n\n${inner}\n</details>\n\nafter\n`);
    expect(piece?.html).toMatch(/^<details>[^]*Paragraph 99[^]*<\/details>/);
  });

  it("show the source of inline text that cannot be split", () => {
    const pieces = [...notePieces(`**${"a *b* ".repeat(1_000)}a**\n\nafter\n`)];
    expect(pieces[0]?.html).toMatch(/^<pre data-source="part">\n\*\*a \*b\*/);
    expect(pieces.at(-1)?.html).toContain("<p>after</p>");
  });

  it("are each short enough for one step, whatever the text contains", () => {
    const word = fc.constantFrom(
      "a ",
      "*a* ",
      "[[a]] ",
      "| a ",
      "\n",
      "\n\n",
      "- ",
      "> ",
      "1. ",
      "<b>",
      "</b>",
      "`",
      "&",
      "#",
    );
    const pump = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(""));
    fc.assert(
      fc.property(pump, pump, (head, tail) => {
        // Deeper nesting is shown as source.
        for (const { html } of piecesOrNone(`${head}\n${tail.repeat(Math.ceil(8_000 / tail.length))}`)) {
          expect(html.length).toBeLessThan(MAX_PIECE);
          expect(html.split("<").length).toBeLessThan(MAX_PIECE_TAGS);
        }
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it("show what would be disproportionately long as it was written", () => {
    const definition = `[a]: http://example.com/${"a".repeat(100_000)}\n\n`;
    const long = htmlOf([...notePieces(`${definition}**before**\n\n${"[a] ".repeat(100)}`)]);
    expect(long).toContain("<strong>before</strong>");
    expect(long).toMatch(/<aside[^]*takes too long[^]*<pre data-source="part">\n\[a\] \[a\]/);
    const wide = `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|\n".repeat(400)}`;
    expect(htmlOf([...notePieces(wide)])).not.toContain("<table");
  });

  it("show the rest as it was written once the time is over, without losing a character", () => {
    const block = fc.constantFrom(
      "# a <b>",
      "*a*  \nb",
      "- a\n  - b\n\n  c",
      "> [!note] a\n> b",
      "|a|b|\n|-|-|\n|c|d|",
      "```\na\n\nb\n```",
      "a[^1]\n\n[^1]: b\n    c",
      "    code\n\tcode",
      "$$\na\n$$",
      "[a]: b",
      "a\n=",
      "1. a\n2. b",
      "",
      " ",
      "\t- a",
      "- [ ] a",
      "<p>\na\n</p>",
    );
    fc.assert(
      fc.property(fc.array(block), fc.constantFrom("\n", "\n\n", "\n\n\n"), (blocks, gap) => {
        const text = blocks.join(gap);
        const read = [...readMarkdown(text).blocks];
        const shape = (source: string) => source.replaceAll(/\s/g, " ");
        expect(shape(read.map(({ raw }) => raw).join(""))).toBe(shape(text));
      }),
      { numRuns: 500 },
    );
    const text = "word *a*\n\n".repeat(2_000);
    const pieces = [...notePieces(text, { maxCharacters: 5_000 })];
    const rest = htmlOf(pieces).split("takes too long")[1] ?? "";
    expect(htmlOf(pieces).match(/<em>a<\/em>/g)).toHaveLength(500);
    expect(rest.match(/\*a\*/g)).toHaveLength(1_500);
  });

  it("read a paragraph of any length in parts, and take no longer for each of them", () => {
    const words = "some *marked* words and a [[link]] ".repeat(5_000);
    const html = htmlOf([...notePieces(words)]);
    expect(html.match(/<em>marked<\/em>/g)?.length).toBeGreaterThan(4_950);
    expect(html.match(/data-wiki="link"/g)?.length).toBeGreaterThan(4_950);
  });
});

describe("isQuick", () => {
  it("accepts a typical note, and rejects texts that take long", () => {
    expect(isQuick("# Title\n\nWords.\n\n- a\n  - b\n    - c\n\n> quote\n\n---\n")).toBe(true);
    for (const text of ["*a:".repeat(400), "- ".repeat(20), ">".repeat(20), "a\n\n".repeat(2_000)]) {
      expect(isQuick(text)).toBe(false);
    }
  });
});

describe("sourcePieces", () => {
  it("add up to the text, with all HTML escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        const long = `${text}<b>\n`.repeat(500);
        const shown = [...sourcePieces(long)].map(
          ({ html }) => /^<pre data-source="all">\n([^<]*)<\/pre>$/.exec(html)?.[1],
        );
        expect(unescape(shown.join(""))).toBe(long);
      }),
      { numRuns: 50 },
    );
  });
});

function piecesOrNone(text: string): Piece[] {
  try {
    return [...notePieces(text)];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function htmlOf(pieces: readonly Piece[]): string {
  return pieces.map(({ html }) => html).join("");
}

function unescape(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
