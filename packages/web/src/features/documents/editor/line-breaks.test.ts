import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { breakLine } from "./line-breaks.ts";

/** The text after pressing Enter at its caret, which is written as `|`. */
function pressEnter(marked: string, times = 1): string {
  const anchor = marked.indexOf("|");
  let state = EditorState.create({
    doc: marked.replace("|", ""),
    selection: { anchor },
    extensions: markdown({ base: markdownLanguage }),
  });
  for (let press = 0; press < times; press += 1) {
    const isTaken = breakLine({ state, dispatch: (transaction) => (state = transaction.state) });
    if (!isTaken) throw new Error("Enter was not taken.");
  }
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`;
}

it("continues a list, and ends it at an empty item", () => {
  expect(pressEnter("- a|")).toBe("- a\n- |");
  expect(pressEnter("- a|", 2)).toBe("- a\n\n|");
  expect(pressEnter("- a\n- b|", 2)).toBe("- a\n- b\n\n|");
  expect(pressEnter("1. a|", 2)).toBe("1. a\n\n|");
  expect(pressEnter("- [ ] a|", 2)).toBe("- [ ] a\n\n|");
  expect(pressEnter("- [x] a|")).toBe("- [x] a\n- [ ] |");
});

it("leaves nested lists one level at a time", () => {
  expect(pressEnter("- a\n  - b|", 2)).toBe("- a\n  - b\n- |");
  expect(pressEnter("- a\n  - b|", 3)).toBe("- a\n  - b\n\n|");
  expect(pressEnter("1. a\n   - b|", 2)).toBe("1. a\n   - b\n2. |");
  expect(pressEnter("- a\n  - b\n    - c|", 3)).toBe("- a\n  - b\n    - c\n- |");
});

it("leaves one empty line, not two, if there is one already", () => {
  expect(pressEnter("- a\n\n- |")).toBe("- a\n\n|");
  expect(pressEnter("- |")).toBe("|");
});

it("continues a quote, and leaves it at an empty line", () => {
  expect(pressEnter("> a|")).toBe("> a\n> |");
  expect(pressEnter("> a|", 2)).toBe("> a\n\n|");
  expect(pressEnter("> > a|", 2)).toBe("> > a\n>\n> |");
  expect(pressEnter("> - a|", 2)).toBe("> - a\n> |");
});

it("does not change Enter in plain text", () => {
  expect(() => pressEnter("words|")).toThrow("not taken");
});
