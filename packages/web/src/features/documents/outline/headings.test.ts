import { expect, test } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { headingAt, headingsOf, type Heading } from "./headings.ts";

const read = (text: string): Heading[] => compute(headingsOf(text));

test("headings are read with their levels, without marks, and not from code", () => {
  const text =
    "# One *two* `three`\n\n```md\n# code\n```\n\n## [[Note|Label]] and [link](a.md) ##\n#no heading\n\n###\n   ### Deep\r\n";
  expect(read(text)).toEqual([
    { level: 1, text: "One two three", offset: 0 },
    { level: 2, text: "Label and link", offset: text.indexOf("## [[") },
    { level: 3, text: "Deep", offset: text.indexOf("   ###") },
  ]);
});

test("a fence ends with one that is as long, and an open one never", () => {
  expect(read("````\n```\n# a\n````\n# b").map(({ text }) => text)).toEqual(["b"]);
  expect(read("~~~\n# a\n```\n# b")).toEqual([]);
});

test("the heading at an offset is the last one before it", () => {
  const headings = read("text\n# a\nb\n## c\n");
  expect([0, 5, 9, 11, 99].map((offset) => headingAt(headings, offset))).toEqual([-1, 0, 0, 1, 1]);
});
