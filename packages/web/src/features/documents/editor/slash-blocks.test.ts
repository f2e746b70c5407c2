import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { insertBlock, linkTask, markLine, titleOfLine, type SlashRange } from "./slash-blocks.ts";

/** A text with a slash command at `/x`, and the result of an edit, with `^` at the caret. */
function apply(text: string, edit: (state: EditorState, range: SlashRange) => object | null): string {
  const from = text.indexOf("/x");
  const state = EditorState.create({ doc: text });
  const spec = edit(state, { from, to: from + 2 });
  if (spec === null) return text;
  const next = state.update(spec).state;
  const { head } = next.selection.main;
  return `${next.sliceDoc(0, head)}^${next.sliceDoc(head)}`;
}

describe("marking a line", () => {
  test.each([
    ["/x", "# ", "# ^"],
    ["word /x", "## ", "## word ^"],
    ["- [ ] word /x", "## ", "## word ^"],
    ["  1. word/x more", "- ", "  - word^ more"],
    ["a\n> /x\nb", "- [ ] ", "a\n- [ ] ^\nb"],
  ])("turns %j into %j", (text, marks, result) => {
    expect(apply(text, (state, range) => markLine(state, range, marks)).replace(" ^", "^")).toBe(
      result.replace(" ^", "^"),
    );
  });
});

describe("inserting a block", () => {
  test.each([
    ["/x", "\ue001A", "^A\n"],
    ["text\n/x", "A\ue001B", "text\n\nA^B\n"],
    ["text /x", "A", "text \n\nA^\n"],
    ["/x after", "A", "A^\n\n after"],
  ])("puts it on lines of its own in %j", (text, block, result) => {
    expect(apply(text, (state, range) => insertBlock(state, range, block))).toBe(result);
  });
});

describe("a task from a line", () => {
  test("is called what the line says without its marks", () => {
    const titles = ["- [ ] Buy milk /x", "## Plan /x now", "/x"].map((text) => {
      const from = text.indexOf("/x");
      return titleOfLine(EditorState.create({ doc: text }), { from, to: from + 2 });
    });
    expect(titles).toEqual(["Buy milk", "Plan  now", ""]);
  });

  test("replaces the line by a link, unless the line has been changed meanwhile", () => {
    const link = (text: string) => {
      const state = EditorState.create({ doc: text });
      const spec = linkTask(state, 2, { title: "Buy [milk]", url: "u" });
      return spec === null ? null : state.update(spec).state.doc.toString();
    };
    expect(link("a\n  * Buy [milk] \nb")).toBe("a\n  - [ ] [Buy \\[milk\\]](u)\nb");
    expect(link("a\nBuy bread\nb")).toBe(null);
    expect(link("a")).toBe(null);
  });
});
