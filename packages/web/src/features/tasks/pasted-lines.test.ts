import { expect, test } from "vitest";
import { hasLines } from "./has-lines.ts";
import { linesOf } from "./pasted-lines.ts";

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

test("pasted lines are below the line above that is less indented, down to the eighth level", () => {
  const depths = (text: string) => linesOf(text).map(({ depth }) => depth);
  expect(depths("- [ ] A\n  - [ ] B\n    - C\n  - D\n- E")).toEqual([0, 1, 2, 1, 0]);
  expect(depths("A\n\tB\n\t\tC\n    D")).toEqual([0, 1, 2, 1]);
  expect(depths("    A\n  B\n    C")).toEqual([0, 0, 1]);
  expect(depths(Array.from({ length: 10 }, (_, level) => `${" ".repeat(level)}x`).join("\n"))).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 7, 7,
  ]);
});

test("a text with a line break at its end is one line", () => {
  expect(["a\n", "\n a \n\n", "a b", ""].map(hasLines)).toEqual([false, false, false, false]);
  expect(hasLines("a\r\n\r\nb")).toBe(true);
});
