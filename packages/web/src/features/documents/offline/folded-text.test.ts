import { expect, it } from "vitest";
import { findFolded, foldedWordsOf, foldText } from "./folded-text.ts";

it.each([
  ["Crème BRÛLÉE", "creme brulee"],
  ["cre\u0300me", "creme"],
  ["Straße, STRAẞE, große", "strasse, strasse, grosse"],
  ["façade Žižkov Übung", "facade zizkov ubung"],
  ["Łódź Đorđe Ærø Œuvre", "lodz dorde aero oeuvre"],
  ["İstanbul ΟΔΟΣ", "istanbul οδοσ"],
  ["ﬁle ２", "file 2"],
  ["कि が", "कि か\u3099"],
])("“%s” is compared as “%s”", (text, folded) => {
  expect(foldText(text)).toBe(folded);
  expect(foldText(folded)).toBe(folded);
});

it("folds a letter with very many marks in time that grows with them only", () => {
  const marks = "\u0591\u05b0".repeat(100_000);
  const startedAt = performance.now();
  expect(foldText(`Ö${marks}`)).toHaveLength(1 + marks.length);
  expect(findFolded(`Ö${marks} Žižkov`, ["zizkov"])).toEqual([{ start: marks.length + 2, end: marks.length + 8 }]);
  // Normalized as a whole it takes a minute.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it("the words of a query have neither accents nor quotes", () => {
  expect(foldedWordsOf(' "Unique  wörd" granite «don’t» " ')).toEqual(["unique", "word", "granite", "don’t"]);
});

it.each([
  ["The Straße here", ["strasse"], ["Straße"]],
  ["One cre\u0300me, please", ["creme", "please"], ["cre\u0300me", "please"]],
  ["Straße", ["stras"], ["Straß"]],
  ["Žižkov 🙂 Übung", ["ubung", "missing"], ["Übung"]],
  ["plain text", ["text"], ["text"]],
])("in “%s”, %j are found as %j", (text, words, parts) => {
  expect(findFolded(text, words).map(({ start, end }) => text.slice(start, end))).toEqual(parts);
});
