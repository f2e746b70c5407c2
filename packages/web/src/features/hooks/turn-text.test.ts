import { expect, test } from "vitest";
import { foldInput, foldSaid, formatInput } from "./turn-text.ts";

test("a tool's input is summarized by what describes it best", () => {
  expect(foldInput('{"description":"List","command":"ls -l"}')).toEqual({ text: "ls -l", isFolded: true });
  expect(foldInput('{"file_path":"a.ts"}')).toEqual({ text: "a.ts", isFolded: false });
  expect(foldInput("*** Begin Patch\n+a")).toEqual({ text: "*** Begin Patch +a", isFolded: true });
  expect(foldInput("{}")).toEqual({ text: "", isFolded: false });
  expect(formatInput('{"command":"ls"}')).toBe('{\n  "command": "ls"\n}');
  expect(formatInput("{not json")).toBe("{not json");
});

test("long texts are folded by characters and by lines", () => {
  expect(foldSaid("a\nb\nc")).toEqual({ text: "a\nb\nc", isFolded: false });
  expect(foldSaid("a\n".repeat(30))).toEqual({ text: "a\n".repeat(20).trimEnd(), isFolded: true });
  expect(foldSaid("x".repeat(5000))).toEqual({ text: "x".repeat(1200), isFolded: true });
});
