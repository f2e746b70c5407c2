import { expect, test } from "vitest";
import { pagesOfTurns } from "./turn-pages.ts";
import { foldInput, foldOutput, foldSaid, formatInput } from "./turn-text.ts";

test("a tool's input is summarized by what describes it best", () => {
  expect(foldInput('{"description":"List","command":"ls -l"}')).toEqual({ text: "ls -l", isFolded: true });
  expect(foldInput('{"file_path":"a.ts"}')).toEqual({ text: "a.ts", isFolded: false });
  expect(foldInput("*** Begin Patch\n+a")).toEqual({ text: "*** Begin Patch +a", isFolded: true });
  expect(foldInput("{}")).toEqual({ text: "", isFolded: false });
  expect(formatInput('{"command":"ls"}')).toBe('{\n  "command": "ls"\n}');
  expect(formatInput("{not json")).toBe("{not json");
});

test("long texts are folded by characters and by lines", () => {
  expect(foldOutput("a\nb\nc")).toEqual({ text: "a\nb\nc", isFolded: false });
  expect(foldOutput("a\nb\nc\nd")).toEqual({ text: "a\nb\nc", isFolded: true });
  expect(foldSaid("x".repeat(5000))).toEqual({ text: "x".repeat(1200), isFolded: true });
});

test("only the pages that contain a range are loaded", () => {
  expect(pagesOfTurns({ first: 95, last: 130 }, 5000)).toEqual([
    { from: 1, count: 100 },
    { from: 101, count: 100 },
  ]);
  expect(pagesOfTurns({ first: -10, last: 20 }, 7)).toEqual([{ from: 1, count: 7 }]);
  expect(pagesOfTurns({ first: 4990, last: 5010 }, 5000)).toEqual([{ from: 4901, count: 100 }]);
  expect(pagesOfTurns({ first: 1, last: 10 }, 0)).toEqual([]);
});
