import {
  appendText,
  redactTexts,
  textOf,
  type ContentBlock,
  type ToolResult,
  type ToolUse,
} from "../models/content-block.ts";
import type { Redactor } from "../platform/redactor.ts";

/** What a run has come to so far, in memory; stored now and then, and at its end. */
export interface RunRecord {
  addText(delta: string): void;
  /** Takes back the text since the last tool result: that answer is asked for anew. */
  dropUnfinishedText(): void;
  add(block: ToolUse | ToolResult): void;
  /** Whether something was added since the last snapshot. */
  readonly hasChanged: boolean;
  /** What to store: without values of secrets. */
  takeSnapshot(): { output: string; steps: ContentBlock[] };
}

export function createRunRecord(redactor: Redactor): RunRecord {
  let steps: ContentBlock[] = [];
  let hasChanged = false;
  const change = (next: ContentBlock[]): void => {
    steps = next;
    hasChanged = true;
  };
  return {
    addText: (delta) => change(appendText(steps, delta)),
    dropUnfinishedText: () => change(steps.at(-1)?.type === "text" ? steps.slice(0, -1) : steps),
    add: (block) => change([...steps, block]),
    get hasChanged() {
      return hasChanged;
    },
    takeSnapshot() {
      hasChanged = false;
      const redacted = redactTexts(steps, redactor);
      return { output: textOf(redacted), steps: redacted };
    },
  };
}
