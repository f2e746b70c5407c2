import type { PatternNode } from "./pattern-tree.ts";

/** What was found at one position of a text. The object is reused for the next position. */
export interface Finding {
  /** Where the longest value that starts at the position ends; -1 if none does. */
  end: number;
  /** What replaces that value. */
  placeholder: string;
  /** The text ends within what could still become a value, or a longer one. */
  isPartial: boolean;
  /** The budget is used up: what starts here or later is unknown. */
  isOverBudget: boolean;
}

/** One pass over a text, shared by the matchers of all notations. */
export interface Scan {
  readonly finding: Finding;
  /** The work that is left, in steps of up to ten nanoseconds. */
  budget: number;
}

export function createScan(): Scan {
  return { finding: { end: -1, placeholder: "", isPartial: false, isOverBudget: false }, budget: 0 };
}

/** Records that a path through a tree has reached this node, unless a longer value was found before. */
export function recordMatch({ finding }: Scan, end: number, { placeholder }: PatternNode): void {
  if (placeholder === null || end <= finding.end) return;
  finding.end = end;
  finding.placeholder = placeholder;
}
