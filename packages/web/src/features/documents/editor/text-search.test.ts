import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchText, type TextQuery } from "./text-search.ts";

const query = (words: string, more: Partial<TextQuery> = {}): TextQuery => ({
  words,
  isCaseSensitive: false,
  isWholeWord: false,
  ...more,
});

describe("searchText", () => {
  it("finds matches that do not overlap", () => {
    expect([...searchText("Aaaa, a", query("aa")).matches()]).toEqual([0, 2]);
    expect([...searchText("Aaaa, a", query("aa", { isCaseSensitive: true })).matches()]).toEqual([1]);
    expect([...searchText("text", query("")).matches()]).toEqual([]);
  });

  it("finds whole words only, on request", () => {
    const whole = (words: string, text: string) => [...searchText(text, query(words, { isWholeWord: true })).matches()];
    expect(whole("note", "notes note_1 a-note, NOTE keynote note")).toEqual([15, 21, 34]);
    expect(whole("a b", "xa b a b")).toEqual([5]);
    expect(whole("é", "é été 漢é 😀é")).toEqual([0, 11]);
    expect(whole("- a", "-- a, - ab")).toEqual([1]);
  });

  it("ignores case without shifting positions", () => {
    expect([...searchText("İ, ΟΔΟΣ, οδός, οδος, ß", query("οδοσ")).matches()]).toEqual([3, 15]);
    expect([...searchText("İİ I i", query("i")).matches()]).toEqual([0, 1, 3, 5]);
    const letters = fc
      .array(fc.integer({ min: 1, max: 0x1ffff }), { maxLength: 20 })
      .map((codes) => String.fromCodePoint(...codes));
    fc.assert(
      fc.property(letters, (text) => {
        expect([...searchText(`${text}\u0000Needle`, query("\u0000nEEDLE")).matches()]).toContain(text.length);
      }),
    );
  });

  it("agrees with a naive search", () => {
    const text = fc.array(fc.constantFrom("a", "b", " ", "A"), { maxLength: 30 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.nat(30), (searched, words, isWholeWord, place) => {
        const search = searchText(searched, query(words, { isWholeWord }));
        const isWanted = (at: number) =>
          searched.slice(at, at + words.length).toLowerCase() === words.toLowerCase() &&
          (!isWholeWord || (isEdge(searched, at) && isEdge(searched, at + words.length)));
        const expected: number[] = [];
        for (let at = 0; at < searched.length && words !== ""; at += 1) {
          if (isWanted(at) && at >= (expected.at(-1) ?? -words.length) + words.length) expected.push(at);
        }
        expect([...search.matches()]).toEqual(expected);
        expect(search.previous(place)).toBe(expected.findLast((at) => at < place) ?? expected.at(-1) ?? null);
        const next = search.next(place);
        expect(next === null ? expected.length === 0 : isWanted(next)).toBe(true);
      }),
    );
  });
});

function isEdge(text: string, at: number): boolean {
  return !/^[ab]{2}$/i.test(text.slice(Math.max(at - 1, 0), at + 1));
}
