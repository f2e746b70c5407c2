import type { Redactor } from "../../platform/redactor.ts";
import {
  appendText,
  redactTexts,
  textOf,
  type ContentBlock,
  type ToolResult,
  type ToolUse,
} from "../gateway/content-block.ts";

/** The progress of a run in memory, which is stored periodically and at the end. */
export interface RunRecord {
  addText(delta: string): void;
  /** Drops the text since the last tool result, because that answer is requested again. */
  dropUnfinishedText(): void;
  add(block: ToolUse | ToolResult): void;
  /** Whether anything has changed since the last snapshot. */
  readonly hasChanged: boolean;
  /** What to store, with secrets redacted. */
  takeSnapshot(): { output: string; steps: ContentBlock[] };
}

export function createRunRecord(redactor: Redactor): RunRecord {
  let steps: ContentBlock[] = [];
  let hasChanged = false;
  const replace = (next: ContentBlock[]): void => {
    steps = next;
    hasChanged = true;
  };
  return {
    addText: (delta) => replace(appendText(steps, delta)),
    dropUnfinishedText: () => replace(steps.at(-1)?.type === "text" ? steps.slice(0, -1) : steps),
    add: (block) => replace([...steps, block]),
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
