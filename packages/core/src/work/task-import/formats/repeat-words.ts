import { readDueText, readRepeatText } from "../../capture/capture-text.ts";
import type { CaptureContext } from "../../capture/captured-task.ts";
import type { ImportedTask, ReadContext } from "./imported-task.ts";

/** Nobody writes more about when something is due. */
const MAX_LENGTH = 200;

/** When a task is due, as words say it. */
export type WordedDue = Pick<ImportedTask, "dueDate" | "dueTime" | "repeat" | "repeatFrom">;

/**
 * Reads a date or a repetition as Todoist and Obsidian's Tasks write it: "every 2 weeks", "ev! 3 days", "every week when done". Null if
 * it is neither.
 */
export function readDueWords(text: string, language: string, { wallClock }: ReadContext): WordedDue | null {
  if (text.length > MAX_LENGTH) return null;
  const context: CaptureContext = { wallClock, language, projects: [], readsRepeats: true };
  const isFromCompletion = /^(?:ev|every|jede[nrsm]?|alle)!/i.test(text) || /\swhen done$/i.test(text);
  const words = text
    .replace(/^(ev|every|jede[nrsm]?|alle)!?(?=\s)/i, (_, every: string) => (/^ev$/i.test(every) ? "every" : every))
    .replace(/\swhen done$/i, "")
    .trim();
  const repeat = readRepeatText(words, context);
  if (repeat !== null) {
    const { dueDate = null, dueTime = null, repeatFrom = "due" } = repeat;
    return { dueDate, dueTime, repeat: repeat.repeat, repeatFrom: isFromCompletion ? "completion" : repeatFrom };
  }
  const due = readDueText(words, context);
  return due === null ? null : { dueTime: null, ...due, repeat: null, repeatFrom: "due" };
}
