import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { markWords, type Passage } from "./word-marks.ts";

const shown = (passages: readonly Passage[] | undefined) =>
  passages?.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("");
const marked = (ours: string, theirs: string) => {
  const sides = compute(markWords(ours.split("\n"), theirs.split("\n")));
  return sides === null ? null : [shown(sides.ours), shown(sides.theirs)];
};

describe("markWords", () => {
  it.each([
    ["a word", "Pack the tent.", "Pack the stove.", "Pack the [tent].", "Pack the [stove]."],
    ["an addition", "Pack the tent", "Pack the big tent", "Pack the tent", "Pack the [big ]tent"],
    ["words with a space between them", "Go by train now", "Go on foot now", "Go [by train] now", "Go [on foot] now"],
    ["a line break", "one two\nthree", "one two three", "one two[\n]three", "one two[ ]three"],
    ["words without spaces between them", "明日は雨です", "明日は雪です", "明日は[雨]です", "明日は[雪]です"],
    ["letters of two code units", "It is 😀 today", "It is 😂 today", "It is [😀] today", "It is [😂] today"],
  ])("marks %s", (_name, ours, theirs, ourMarks, theirMarks) => {
    expect(marked(ours, theirs)).toEqual([ourMarks, theirMarks]);
  });

  it("marks nothing of sides with little in common, or nothing on one side", () => {
    expect(marked("Pack the tent", "Bought a stove yesterday, with the gas")).toBeNull();
    expect(marked("", "Pack the tent")).toBeNull();
    expect(compute(markWords([], ["Pack the tent"]))).toBeNull();
  });

  it("shows the words around what differs of a long line", () => {
    const long = "lorem ipsum ".repeat(400);
    const [ours = "", theirs = ""] = marked(`${long}tent ${long}`, `${long}stove ${long}`) ?? [];
    expect(ours).toMatch(/^….*ipsum \[tent\] lorem.*…$/);
    expect(theirs).toMatch(/^….*ipsum \[stove\] lorem.*…$/);
    expect(ours.length).toBeLessThan(300);
    const [twice = ""] = marked(`one ${long}tent`, `two ${long}stove`) ?? [];
    expect(twice).toMatch(/^\[one\] lorem.*….*ipsum \[tent\]$/);
  });

  it("gives up on what is too long", () => {
    const long = "word ".repeat(5_000);
    expect(marked(`${long}a`, `${long}b`)).toBeNull();
    const others = Array.from({ length: 400 }, (_, index) => `same ${index}`);
    expect(
      marked(others.map((word) => `${word} ours`).join(" "), others.map((word) => `${word} theirs`).join(" ")),
    ).toBe(null);
  });

  it("keeps each side as it is", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", ".", "😀", "\u0301"), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (ours, theirs) => {
        const sides = compute(markWords(ours.split("\n"), theirs.split("\n")));
        if (sides === null) return;
        const textOf = (passages: readonly Passage[]) => passages.map((passage) => passage.text).join("");
        expect([textOf(sides.ours), textOf(sides.theirs)]).toEqual([ours, theirs]);
      }),
    );
  });
});
