import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { toggleMarks } from "./formatting.ts";

/** A text with its caret, or the two ends of its selection, as `|`, after what is done to it: words are typed. */
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

it("ends what is typed in marks by the keys that began it", () => {
  expect(after("|", "**", "hi", "**", " there")).toBe("**hi** there");
  expect(after("|", "*", "hi", "*", " there")).toBe("*hi* there");
  expect(after("* a |", "*", "hi", "*", " there")).toBe("* a *hi* there");
  expect(after("|", "**", "hi ", "**", "there")).toBe("**hi** there");
});

it("takes empty marks away again", () => {
  expect(after("a |", "**", "**", "b")).toBe("a b");
  expect(after("a |", "*", "*", "b")).toBe("a b");
});

it("tells bold from italic", () => {
  expect(after("|", "**", "*", "hi", "*", " there", "**", ".")).toBe("***hi* there**.");
  expect(after("|", "**", "*", "hi", "**", " there", "*", ".")).toBe("***hi** there*.");
  expect(after("**|hi|**", "*")).toBe("***hi***");
});

it("marks what is selected, and takes the marks away", () => {
  expect(after("a |b| c", "**")).toBe("a **b** c");
  expect(after("a **|b|** c", "**")).toBe("a b c");
  expect(after("a ***|b|*** c", "*")).toBe("a **b** c");
});
