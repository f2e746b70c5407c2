import type { CaptureContext, CapturedField, CapturedPart, CapturedRepeat, CapturedTask } from "./captured-task.ts";
import { dueOf, fieldsOf, readDue } from "./due-text.ts";
import { momentContext } from "./moment-context.ts";
import { readMoment } from "./moments.ts";
import { readRepeat } from "./repeats.ts";
import { findSigils, type Sigil } from "./sigils.ts";
import { textOf, without } from "./text-ranges.ts";
import { wordsOf } from "./words.ts";

export type { CapturedPart, CapturedRepeat, CapturedTask } from "./captured-task.ts";

/** Longer texts are not read. */
export const MAX_CAPTURE_LENGTH = 1_000;

/**
 * Reads a task as people write it down: "Call dentist tomorrow 9am #health !high @Garden". What is not certain stays in the
 * title. If nothing would remain as a title, nothing is read.
 */
export function readTask(text: string, context: CaptureContext): CapturedTask {
  const nothing = { title: text.trim(), tags: [], parts: [] };
  if (text.length > MAX_CAPTURE_LENGTH) return nothing;
  const isRefused = refusedBy(context.refused ?? []);
  const sigils = findSigils(text, context.projects).filter(
    (sigil) => !isRefused(textOf(text, sigil)) && !isExcepted(sigil.field, context.except),
  );
  const known = sigils.filter(({ field }) => field !== "unknown-project");
  const due = readDue(text, { sigils: known, isRefused }, context);
  const removed = [...known, ...due.ranges].toSorted((a, b) => a.start - b.start);
  const title = without(text, removed);
  if (title === "") return nothing;
  const tags = [...new Set(sigils.flatMap((sigil) => (sigil.field === "tag" ? [sigil.tag] : [])))];
  const priority = sigils.find((sigil) => sigil.field === "priority")?.priority;
  const projectId = sigils.find((sigil) => sigil.field === "project")?.projectId;
  return {
    title,
    tags,
    ...due.fields,
    ...(priority !== undefined && { priority }),
    ...(projectId !== undefined && { projectId }),
    parts: inOrder(text, [...due.parts, ...sigils.map((sigil) => partOf(text, sigil))]),
  };
}

/** Reads a text that is nothing but a day, a time or both, such as "next friday 5pm"; null if it is anything else. */
export function readDueText(text: string, context: CaptureContext): { dueDate: string; dueTime?: string } | null {
  if (text.length > MAX_CAPTURE_LENGTH) return null;
  const words = wordsOf(text, []);
  const moments = momentContext(context);
  const moment = readMoment(words, 0, moments);
  if (moment === null || moment.to < words.length || moment.isContradictory || moment.ranges.length !== 1) return null;
  if (moment.date !== null && moment.day === null) return null;
  const { from, to } = moment.ranges[0] ?? { from: 1, to: 0 };
  return from === 0 && to === words.length ? dueOf(moment, moments) : null;
}

/** Reads a text that is nothing but a repetition, such as "every 2 weeks at 9am until May"; null if it is anything else. */
export function readRepeatText(text: string, context: CaptureContext): CapturedRepeat | null {
  if (text.length > MAX_CAPTURE_LENGTH) return null;
  const words = wordsOf(text, []);
  const repeat = readRepeat(words, 0, momentContext(context), { isAlone: true });
  return repeat === null || repeat.to < words.length ? null : fieldsOf(repeat, {});
}

function partOf(text: string, sigil: Sigil): CapturedPart {
  const words = textOf(text, sigil);
  switch (sigil.field) {
    case "tag":
      return { field: "tags", text: words, value: sigil.tag };
    case "priority":
      return { field: "priority", text: words, value: String(sigil.priority) };
    case "project":
      return { field: "project", text: words, value: sigil.projectId };
    case "unknown-project":
      return { field: "unknown-project", text: words, value: sigil.name };
  }
}

function isExcepted(field: Sigil["field"], except: ReadonlySet<CapturedField> | undefined): boolean {
  if (except === undefined) return false;
  return except.has(field === "tag" ? "tags" : field === "unknown-project" ? "project" : field);
}

function inOrder(text: string, parts: readonly CapturedPart[]): CapturedPart[] {
  const startOf = (part: CapturedPart) => text.indexOf(part.text.split(" … ")[0] ?? "");
  return parts.toSorted((a, b) => startOf(a) - startOf(b));
}

/** Refusing "tomorrow" also refuses "tomorrow 9am", which is what it becomes when the writer goes on. */
function refusedBy(refused: readonly string[]): (text: string) => boolean {
  const texts = refused.flatMap((text) => text.toLowerCase().split(" … ")).filter((text) => text !== "");
  return (text) => {
    const lower = text.toLowerCase();
    return texts.some((other) => lower === other || lower.startsWith(`${other} `) || lower.endsWith(` ${other}`));
  };
}
