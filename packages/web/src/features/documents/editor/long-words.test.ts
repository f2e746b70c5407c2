import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { endOfPart, MAX_WORD, wordAt } from "./long-words.ts";

describe("the part of a word that a key deletes", () => {
  it("has as many letters as may be deleted at a time, on both sides", () => {
    const state = EditorState.create({ doc: "é".normalize("NFD").repeat(20_000) });
    expect(endOfPart(state, 20_000, true)).toBe(20_000 + 2 * MAX_WORD);
    expect(endOfPart(state, 20_000, false)).toBe(20_000 - 2 * MAX_WORD);
  });

  it("is left to CodeMirror if the word ends before", () => {
    const word = "a".repeat(MAX_WORD - 1);
    const state = EditorState.create({ doc: `${word} ${word}` });
    expect(endOfPart(state, 0, true)).toBeNull();
    expect(endOfPart(state, state.doc.length, false)).toBeNull();
  });
});

describe("the word that a double click selects", () => {
  it("is what has the same kind of letters around the position", () => {
    const state = EditorState.create({ doc: "one two-three\nfour" });
    expect(wordAt(state, 5, 1)).toEqual({ from: 4, to: 7 });
    expect(wordAt(state, 3, 1)).toEqual({ from: 3, to: 4 });
    expect(wordAt(state, 3, -1)).toEqual({ from: 0, to: 3 });
    expect(wordAt(state, 13, 1)).toEqual({ from: 8, to: 13 });
    expect(wordAt(state, 14, -1)).toEqual({ from: 14, to: 18 });
    expect(wordAt(EditorState.create({ doc: "" }), 0, 1)).toEqual({ from: 0, to: 0 });
  });

  it("has at most so many letters on either side", () => {
    const state = EditorState.create({ doc: "é".normalize("NFD").repeat(20_000) });
    expect(wordAt(state, 20_000, 1)).toEqual({ from: 20_000 - 2 * MAX_WORD, to: 20_000 + 2 * (MAX_WORD + 1) });
  });
});
