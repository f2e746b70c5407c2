import { expect, test } from "vitest";
import { linesOf } from "./task-links.ts";

test("pasted lines lose the marks of lists, and keep what is ticked", () => {
  const pasted = "- [ ] Dig\r\n- [x] Permit\n\n  * Fill\n3. Plant 3.5 m\n• Water\nPlain - text\n-5 degrees\n";
  expect(linesOf(pasted).map(({ text, isDone }) => (isDone ? `[x] ${text}` : text))).toEqual([
    "Dig",
    "[x] Permit",
    "Fill",
    "Plant 3.5 m",
    "Water",
    "Plain - text",
    "-5 degrees",
  ]);
});

test("pasted lines are bounded", () => {
  expect(linesOf("a\n".repeat(1_000))).toHaveLength(200);
  expect(linesOf("x".repeat(10_000))[0]?.text).toHaveLength(500);
});
