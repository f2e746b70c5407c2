import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { endOfPart, MAX_WORD } from "./long-words.ts";

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
