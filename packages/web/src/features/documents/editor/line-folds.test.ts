import { EditorState, type TransactionSpec } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineFolds } from "./line-folds.ts";

const MOST_SHOWN = 6_000;

function open(doc: string): EditorState {
  return EditorState.create({ doc, extensions: lineFolds });
}

/** The omitted ranges. */
function omitted(state: EditorState): [number, number][] {
  const places: [number, number][] = [];
  for (const decorations of state.facet(EditorView.decorations)) {
    const set = typeof decorations === "function" ? Decoration.none : decorations;
    for (let cursor = set.iter(); cursor.value !== null; cursor.next()) places.push([cursor.from, cursor.to]);
  }
  return places;
}

/** The visible text, with `…` in the place of omitted characters. */
function shown(state: EditorState): string {
  let [text, position] = ["", 0];
  for (const [from, to] of omitted(state)) {
    text += `${state.sliceDoc(position, from)}…`;
    position = to;
  }
  return text + state.sliceDoc(position);
}

function after(state: EditorState, ...specs: TransactionSpec[]): EditorState {
  return specs.reduce((current, spec) => current.update(spec).state, state);
}

const LONG = "0123456789".repeat(10_000);

describe("a very long line", () => {
  it("is shown only at its ends, other lines completely", () => {
    const state = open(`short\n${LONG}\n${"b".repeat(5_000)}`);
    expect(omitted(state)).toEqual([[6 + 1_000, 6 + 99_000]]);
    expect(state.doc.toString()).toContain(LONG);
  });

  it("shows what is typed next to omitted characters", () => {
    const state = after(open(LONG), { changes: { from: 1_000, insert: "(before)" } });
    const [[from, to] = [0, 0]] = omitted(state);
    expect(shown(after(state, { changes: { from: to, insert: "(after)" } }))).toBe(
      `${LONG.slice(0, 1_000)}(before)…(after)${LONG.slice(99_000)}`,
    );
    expect([from, to]).toEqual([1_008, 99_008]);
  });

  it("is shown around the caret", () => {
    const state = after(open(LONG), { selection: { anchor: 50_000 } });
    expect(omitted(state)).toEqual([
      [1_000, 48_750],
      [51_250, 99_000],
    ]);
  });

  it("is never shown beyond a limit", () => {
    let state = open(LONG);
    for (let anchor = 5_000; anchor < 95_000; anchor += 1_000) {
      state = after(state, { selection: { anchor } });
      expect(shown(state).length).toBeLessThanOrEqual(MOST_SHOWN + 100);
      expect(omitted(state).every(([from, to]) => anchor <= from || anchor >= to)).toBe(true);
    }
  });

  it("is folded when it becomes long, and shown completely when it becomes short", () => {
    const typed = after(open("a".repeat(4_990)), { changes: { from: 2_500, insert: "b".repeat(1_000) } });
    expect(omitted(typed)).toEqual([]);
    const pasted = after(typed, { changes: { from: 2_500, insert: LONG }, selection: { anchor: 102_500 } });
    expect(shown(pasted).length).toBeLessThan(MOST_SHOWN);
    expect(omitted(pasted).every(([from, to]) => from > 102_500 || to < 102_500)).toBe(true);
    const cut = after(pasted, { changes: { from: 2_000, to: 101_400 } });
    expect(omitted(cut)).toEqual([
      [1_000, 2_000],
      [4_350, 5_590],
    ]);
    expect(omitted(after(cut, { changes: { from: 0, to: 1_590 } }))).toEqual([]);
  });

  it("can be split", () => {
    const divided = after(open(LONG), { changes: { from: 95_000, insert: "\n" } });
    expect(omitted(divided).every(([from, to]) => to <= 95_000 || from > 95_000)).toBe(true);
    expect(shown(divided).length).toBeLessThan(2 * MOST_SHOWN);
  });

  it("is shown before a key deletes omitted characters", () => {
    const state = after(open(LONG), { selection: { anchor: 99_000 } });
    const pressed = after(state, { changes: { from: 1_000, to: 99_000 }, userEvent: "delete.backward" });
    expect(pressed.doc.eq(state.doc)).toBe(true);
    expect(omitted(pressed)).toEqual([[1_000, 96_500]]);
    const single = after(state, { changes: { from: 98_999, to: 99_000 }, userEvent: "delete.backward" });
    expect(omitted(single)).toEqual([[1_000, 96_500]]);
    const beside = after(state, { changes: { from: 99_000, to: 99_001 }, userEvent: "delete.forward" });
    expect(beside.doc.length).toBe(99_999);
    const selected = after(state, { selection: { anchor: 0, head: 100_000 } });
    expect(after(selected, { changes: { from: 0, to: 100_000 }, userEvent: "delete.selection" }).doc.length).toBe(0);
  });

  it("is not cut within a surrogate pair", () => {
    const state = after(open(`a${"😀".repeat(20_000)}`), { selection: { anchor: 20_001 } });
    expect(omitted(state)).toHaveLength(2);
    for (const part of shown(state).split("…")) expect(part.isWellFormed()).toBe(true);
  });
});

it("after any change, lines are bounded, the caret is visible, and short lines are shown completely", () => {
  const length = fc.constantFrom(0, 3, 900, 3_000, 6_000, 40_000);
  const piece = fc.tuple(length, fc.boolean()).map(([count, isLine]) => "x".repeat(count) + (isLine ? "\n" : ""));
  const change = fc.record({ at: fc.nat(), deleted: length, insert: piece, anchor: fc.nat() });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(change, { maxLength: 8 }), (pieces, changes) => {
      let state = open(pieces.join(""));
      for (const { at, deleted, insert, anchor } of changes) {
        const from = at % (state.doc.length + 1);
        const to = Math.min(from + deleted, state.doc.length);
        state = after(state, { changes: { from, to, insert } });
        state = after(state, { selection: { anchor: anchor % (state.doc.length + 1) } });
        const { head } = state.selection.main;
        for (const [start, end] of omitted(state)) {
          const line = state.doc.lineAt(start);
          expect(end).toBeLessThanOrEqual(line.to);
          expect(line.length).toBeGreaterThan(5_000);
          expect(head <= start || head >= end).toBe(true);
        }
        for (const line of shown(state).split("\n")) expect(line.length).toBeLessThanOrEqual(MOST_SHOWN + 10);
      }
    }),
  );
});
