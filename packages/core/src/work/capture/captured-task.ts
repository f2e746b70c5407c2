import type { NamedProject } from "./sigils.ts";

/** A local date, `YYYY-MM-DD`, and time, `HH:MM`. */
export interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** Who writes a text, and when. */
export interface CaptureContext {
  /** The writer's local time in a number of minutes from now. */
  readonly wallClock: (minutesFromNow: number) => WallClock;
  /** The writer's language as a BCP 47 tag: it decides what is ambiguous. `en` without a region leaves `3/4` unread. */
  readonly language: string;
  readonly projects: readonly NamedProject[];
  /** Fields that are not read: their words stay in the title. */
  readonly except?: ReadonlySet<CapturedField>;
  /** With which day the writer's weeks begin, 0 being Sunday; Monday by default. */
  readonly firstWeekday?: number;
  /** Whether repetitions are read; otherwise their words stay in the title. */
  readonly readsRepeats?: boolean;
  /** Texts that the writer has said are part of the title. */
  readonly refused?: readonly string[];
}

export type CapturedField = "due" | "repeat" | "tags" | "priority" | "project";

/** One thing that was understood, and the words for it. */
export interface CapturedPart {
  readonly field: CapturedField | "unknown-project";
  /** The words as they were written, which {@link CaptureContext.refused} takes. */
  readonly text: string;
  readonly value: string;
}

/** What a text says about a new task. Fields that it does not mention are missing. */
export interface CapturedTask {
  readonly title: string;
  readonly dueDate?: string;
  readonly dueTime?: string;
  readonly tags: readonly string[];
  readonly priority?: 1 | 2 | 3;
  readonly projectId?: string;
  /** An iCalendar recurrence rule. Its first date is the due date, if there is one. */
  readonly repeat?: string;
  /** Whether the rule counts from when the task is done. */
  readonly repeatFrom?: "completion";
  /** In the order of the text. */
  readonly parts: readonly CapturedPart[];
}

/** What a text says about when a task is to be done again. */
export type CapturedRepeat = Required<Pick<CapturedTask, "repeat">> &
  Pick<CapturedTask, "repeatFrom" | "dueDate" | "dueTime">;
