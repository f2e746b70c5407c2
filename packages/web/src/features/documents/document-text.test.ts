import { describe, expect, it } from "vitest";
import { compute } from "../../browser/compute-in-slices.ts";
import { statisticsOf } from "./document-text.ts";

const wordsOf = (text: string) => compute(statisticsOf(text)).words;

describe("statisticsOf", () => {
  it("counts words and characters", () => {
    expect(compute(statisticsOf("# Don't count **marks**, or - dashes\n"))).toEqual({ words: 5, characters: 37 });
    expect(compute(statisticsOf(""))).toEqual({ words: 0, characters: 0 });
  });

  it("counts each word of a long text once, wherever the text is divided", () => {
    expect(wordsOf("words ".repeat(100_000))).toBe(100_000);
    expect(wordsOf("word\n".repeat(100_000))).toBe(100_000);
    expect(wordsOf("𐐀".repeat(100_001))).toBe(1);
    expect(wordsOf(`${"a".repeat(50_000)} ${"b".repeat(50_000)}`)).toBe(2);
  });
});
