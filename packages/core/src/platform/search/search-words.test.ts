import { describe, expect, test } from "vitest";
import { parseSearchQuery } from "./search-query.ts";
import { queryWords, searchWords } from "./search-words.ts";

const texts = (text: string) => searchWords(text).map((word) => word.text);

describe("the words of a text", () => {
  test.each([
    ["Straße, ПРИВЕТ!", ["strasse", "привет"]],
    ["Ann's kids don't care", ["ann", "kids", "do", "care"]],
    ["they ran and bought it", ["they", "run", "and", "buy", "it"]],
    [
      "readFile HTTPServer utf8 URLs",
      ["readfile", "read", "file", "httpserver", "http", "server", "utf8", "utf", "8", "urls"],
    ],
    ["see `src/main.ts`.", ["see", "src/main.ts", "src", "main", "ts"]],
    ["pass --dry-run", ["pass", "dry-run", "dry", "run"]],
    ["MAX_SIZE=5 (v1.2)", ["max_size=5", "max", "size", "5", "v1.2", "v1", "2"]],
    ["red|green;blue,grey 40,000", ["red", "green", "blue", "grey", "40,000", "40", "000"]],
    ["日本語 text", ["日本", "本語", "text"]],
    ["字", ["字"]],
    ["on May 3rd or 25 Dec. 2025", ["on", "may", "3rd", "or", "25", "dec", "2025", "may/3", "december/25"]],
    ["?! -- …", []],
    [`x${"y".repeat(100)} z`, ["z"]],
  ])("%j", (text, words) => {
    expect(texts(text)).toEqual(words);
  });

  test("have the positions of those in it, and an identifier that of its first part", () => {
    expect(searchWords("a src/main.ts b").map(({ text, position }) => [text, position])).toEqual([
      ["a", 1],
      ["src/main.ts", 2],
      ["src", 2],
      ["main", 3],
      ["ts", 4],
      ["b", 5],
    ]);
  });

  test("are stemmed by the language of their script, if it has one", () => {
    expect(searchWords("word слово λέξη 語 12").map(({ dictionary }) => dictionary)).toEqual([
      "",
      "russian_stem",
      "greek_stem",
      null,
      null,
    ]);
  });

  test("of a query keep the parts of an identifier together", () => {
    expect(queryWords("open readFile").map(({ text, parts }) => [text, parts.map((part) => part.text)])).toEqual([
      ["open", []],
      ["readfile", ["read", "file"]],
    ]);
  });
});

describe("a search query", () => {
  test("is looked for as it is too if it has one or two words", () => {
    expect(parseSearchQuery(" Use  PNPM")).toMatchObject({ phrase: "use  pnpm", literalWords: ["use", "pnpm"] });
    expect(parseSearchQuery("why use pnpm")).toMatchObject({ literalWords: [] });
  });

  test("has each word once, and at most 32", () => {
    expect(parseSearchQuery("a b a")?.words).toHaveLength(2);
    expect(parseSearchQuery(Array.from({ length: 99 }, (_, index) => `w${index}x`).join(" "))?.words).toHaveLength(32);
  });

  test("without a word is none", () => {
    expect(parseSearchQuery("  ")).toBeNull();
  });
});
