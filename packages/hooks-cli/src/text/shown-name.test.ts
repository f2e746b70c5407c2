import { expect, test } from "vitest";
import { shownName } from "./shown-name.ts";

test.each([
  ["src/a b.ts", "src/a b.ts"],
  ["ümläut 🎉 \u{1f468}\u{200d}\u{1f469}", "ümläut 🎉 \u{1f468}\u{200d}\u{1f469}"],
  [String.raw`back\slash "quoted"`, String.raw`back\slash "quoted"`],
  ["a\n  + b", String.raw`"a\n  + b"`],
  ['\u{1b}[2Ja\u{7f}"\\', String.raw`"\x1b[2Ja\x7f\"\\"`],
  ["\u{9b}31m", String.raw`"\x9b31m"`],
  ["\r\t\0", String.raw`"\r\t\x00"`],
  ["txt.\u{202e}exe", String.raw`"txt.\u202eexe"`],
])("%j is shown so that it stays in its line", (name, shown) => {
  expect(shownName(name)).toBe(shown);
});
