import {
  readDueText,
  readRepeatText,
  readTask,
  type CapturedRepeat,
  type CapturedTask,
} from "@workspace/core/capture-text";
import type { Client } from "../../client/client.ts";
import { chosenFirstWeekday } from "../../dates/use-first-weekday.ts";
import { isLocalId } from "../../api/local-id.ts";
import { projectCollection } from "../projects/project-collection.ts";

const MINUTE_MS = 60_000;

export interface ReadOptions {
  /** Fields that were chosen: their words stay in the title. */
  readonly except?: Parameters<typeof readTask>[1]["except"];
  /** Words that belong to the title. */
  readonly refused?: readonly string[];
}

/** What a typed text says about a new task, in the user's language and time zone. */
export function readTaskText(client: Client, text: string, { except, refused = [] }: ReadOptions = {}): CapturedTask {
  return readTask(text, { ...context(client), readsRepeats: true, refused, ...(except !== undefined && { except }) });
}

/** The due date that a typed text names; null if it is anything else. */
export function readDue(client: Client, text: string): { dueDate: string; dueTime?: string } | null {
  return readDueText(text.trim(), context(client));
}

/** The repetition that a typed text names; null if it is anything else. */
export function readRepeat(client: Client, text: string): CapturedRepeat | null {
  return readRepeatText(text.trim(), context(client));
}

function context(client: Client) {
  // A project that the server has not confirmed cannot have tasks yet.
  const projects = [...projectCollection(client).getSnapshot().values()].filter(
    ({ id, deletedAt }) => deletedAt === null && !isLocalId(id),
  );
  return { language: navigator.language, projects, wallClock, firstWeekday: chosenFirstWeekday(client) };
}

function wallClock(minutesFromNow: number): { date: string; time: string } {
  const instant = new Date(Date.now() + minutesFromNow * MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    date: `${instant.getFullYear()}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`,
    time: `${two(instant.getHours())}:${two(instant.getMinutes())}`,
  };
}
