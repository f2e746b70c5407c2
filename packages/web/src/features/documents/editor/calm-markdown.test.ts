import type { Tree } from "@lezer/common";
import { EditorState, Text } from "@codemirror/state";
import { ensureSyntaxTree } from "@codemirror/language";
import { describe, expect, it } from "vitest";
import { calmMarkdown } from "./calm-markdown.ts";

function parse(text: string): Tree {
  const state = EditorState.create({ doc: Text.of(text.split("\n")), extensions: calmMarkdown() });
  const tree = ensureSyntaxTree(state, text.length, 10_000);
  if (tree === null) throw new Error("The text was not parsed in time.");
  return tree;
}

/** The places of the nodes with this name. */
function places(text: string, name: string): string[] {
  const found: string[] = [];
  parse(text).iterate({ enter: (node) => void (node.name === name && found.push(text.slice(node.from, node.to))) });
  return found;
}

describe("Markdown in the editor", () => {
  it("is read between lines that are too long, which are plain text", () => {
    const long = "**a** ".repeat(1_000);
    expect(places(`# One\n\n${long}\n${long}\n**b**\n\n- c\n\n${long}\n\n# Two`, "StrongEmphasis")).toEqual(["**b**"]);
    expect(places(`# One\n${long}\n# Two`, "ATXHeading1")).toEqual(["# One", "# Two"]);
    expect(places(`${long}\nwords\n${long}`, "Paragraph")).toEqual(["words"]);
  });

  it("is read after many empty lines", () => {
    for (const count of [1, 999, 1_000, 1_001, 5_432]) {
      const text = `# One${"\n".repeat(count)}# Two\n\n**b**${"\n".repeat(count)}`;
      expect(places(text, "ATXHeading1")).toEqual(["# One", "# Two"]);
      expect(places(text, "StrongEmphasis")).toEqual(["**b**"]);
    }
  });

  it("is read in a paragraph that goes on, except for a line now and then", () => {
    const count = places("**some** words in a line\n".repeat(4_000), "StrongEmphasis").length;
    expect(count).toBeGreaterThan(3_980);
    expect(count).toBeLessThan(4_000);
  });
});
