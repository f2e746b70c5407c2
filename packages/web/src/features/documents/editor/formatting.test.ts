import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { toggleMarks } from "./formatting.ts";

/** The text after the given actions, with its caret or the two ends of its selection as `|`. Words are typed. */
function after(marked: string, ...steps: string[]): string {
  const [before = "", selected = "", rest] = marked.split("|");
  const from = before.length;
  const anchor = rest === undefined ? from : from + selected.length;
  let state = EditorState.create({ doc: marked.replaceAll("|", ""), selection: { anchor: from, head: anchor } });
  for (const step of steps) {
    if (step === "*" || step === "**")
      toggleMarks(step)({ state, dispatch: (transaction) => (state = transaction.state) });
    else state = state.update(state.replaceSelection(step)).state;
  }
  return state.doc.toString();
}

it("ends marks with the same keys that began them", () => {
  expect(after("|", "**", "hi", "**", " there")).toBe("**hi** there");
  expect(after("|", "*", "hi", "*", " there")).toBe("*hi* there");
  expect(after("* a |", "*", "hi", "*", " there")).toBe("* a *hi* there");
  expect(after("|", "**", "hi ", "**", "there")).toBe("**hi** there");
});

it("removes empty marks", () => {
  expect(after("a |", "**", "**", "b")).toBe("a b");
  expect(after("a |", "*", "*", "b")).toBe("a b");
});

it("distinguishes bold from italic", () => {
  expect(after("|", "**", "*", "hi", "*", " there", "**", ".")).toBe("***hi* there**.");
  expect(after("|", "**", "*", "hi", "**", " there", "*", ".")).toBe("***hi** there*.");
  expect(after("**|hi|**", "*")).toBe("***hi***");
});

it("adds marks around a selection, and removes them", () => {
  expect(after("a |b| c", "**")).toBe("a **b** c");
  expect(after("a **|b|** c", "**")).toBe("a b c");
  expect(after("a ***|b|*** c", "*")).toBe("a **b** c");
});
