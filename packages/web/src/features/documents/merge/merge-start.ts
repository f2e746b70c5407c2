import type { Text } from "@codemirror/state";
import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { longDocument } from "../editor/editor-document.ts";
import type { MergePlace } from "../editor/merge-editor.ts";
import { linesOfPart, mergeTexts, type MergeChoice, type MergePart } from "./three-way-merge.ts";

export type Difference = Extract<MergePart, { kind: "difference" }>;

/** A merge before the user has made any choice: the suggestions, or our side where there is none. */
export interface MergeStart {
  /** Every line ends with a line break, even the last one, so that each difference can be replaced independently. */
  readonly doc: Text;
  readonly differences: readonly Difference[];
  /** The positions of the differences in the text, in the same order. */
  readonly places: readonly MergePlace[];
  readonly choices: readonly (MergeChoice | null)[];
}

export function* startMerge(base: string, ours: string, theirs: string): Pausable<MergeStart> {
  const parts = yield* mergeTexts(base, ours, theirs);
  let text = "";
  const differences: Difference[] = [];
  const places: MergePlace[] = [];
  for (const part of parts) {
    yield;
    const from = text.length;
    text += textOfLines(linesOfPart(part, part.kind === "difference" ? part.suggestion : null));
    if (part.kind === "same") continue;
    differences.push(part);
    places.push({ from, to: text.length, isDecided: part.suggestion !== null });
  }
  const doc = yield* longDocument(text);
  return { doc, differences, places, choices: differences.map(({ suggestion }) => suggestion) };
}

function textOfLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
