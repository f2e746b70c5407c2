import type { Author } from "../../platform/procedures/author.ts";
import type { RecordedItem } from "./checklist.ts";
import type { Party } from "./task.schema.ts";

/** The fields whose changes are recorded. */
export const CHANGED_FIELDS = [
  "title",
  "description",
  "status",
  "priority",
  "projectId",
  "dueDate",
  "dueTime",
  "tags",
  "parentId",
  "repeat",
  "repeatFrom",
  "repeatTimezone",
  "snoozedUntil",
  "assignee",
  // By deleting and restoring, by claiming and releasing, by setting what has to be done first or is linked, and in the checklist.
  "deletedAt",
  "claim",
  "handoverNote",
  "blockedBy",
  "relatesTo",
  "links",
  "checklist",
] as const;

/** What a task waits for, as recorded when that was changed. */
export interface RecordedBlocker {
  readonly id: string;
  readonly title: string;
}

export type FieldValue = string | number | string[] | RecordedBlocker[] | RecordedItem[] | Party | null;

/** One field that was changed, with its value before and after. */
export interface FieldChange {
  readonly field: (typeof CHANGED_FIELDS)[number];
  readonly before: FieldValue;
  readonly after: FieldValue;
}

/** Who makes a change, and when; with the id that it gets in the history. */
export interface ChangeMark {
  readonly id: string;
  readonly author: Author;
  readonly createdAt: Date;
  /** The change that it undoes. */
  readonly undoesId?: string;
  /** The change of the parent that brings this one with it. */
  readonly causeId?: string;
}

/** A change to record. */
export interface NewTaskChange extends ChangeMark {
  readonly changes: readonly FieldChange[];
  /** The whole description, if it was changed. */
  readonly textBefore?: string | null;
  readonly textAfter?: string | null;
  /** Whether it is joined to the latest one, if that is the same author's and of the same text, and recent. */
  readonly continues?: boolean;
}
