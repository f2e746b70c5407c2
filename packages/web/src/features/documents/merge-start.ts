import type { MergePlace } from "./editor/merge-editor.ts";
import { linesOfPart, type MergeChoice, type MergePart } from "./three-way-merge.ts";

export type Difference = Extract<MergePart, { kind: "difference" }>;

/** A merge before anything was decided: what is suggested, and our side where nothing is. */
export interface MergeStart {
  /** Every line ends with a break, the last one too, so that a place can be exchanged by itself. */
  readonly text: string;
  readonly differences: readonly Difference[];
  /** Where the differences stand in the text, in the same order. */
  readonly places: readonly MergePlace[];
  readonly choices: readonly (MergeChoice | null)[];
}

export function startMerge(parts: readonly MergePart[]): MergeStart {
  let text = "";
  const differences: Difference[] = [];
  const places: MergePlace[] = [];
  for (const part of parts) {
    const from = text.length;
    text += textOfLines(linesOfPart(part, part.kind === "difference" ? part.suggestion : null));
    if (part.kind === "same") continue;
    differences.push(part);
    places.push({ from, to: text.length, isDecided: part.suggestion !== null });
  }
  return { text, differences, places, choices: differences.map(({ suggestion }) => suggestion) };
}

export function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
