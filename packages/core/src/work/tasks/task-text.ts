import { InvalidInputError } from "../../platform/errors.ts";
import { wallClockIn } from "../../platform/time-zone.ts";
import { readTask } from "../capture/capture-text.ts";
import type { CapturedField } from "../capture/captured-task.ts";
import type { NamedProject } from "../capture/sigils.ts";
import type { CreateTask, NewTask } from "./task.schema.ts";

const MINUTE_MS = 60_000;
const DEFAULT_LANGUAGE = "en";
/** What depends on when a week begins. */
const NAMES_WEEK = /\b(?:week|woche|next|this|nächste|diese|naechste)/i;
const MAX_TITLE_LENGTH = 500;

interface TextReader {
  readonly now: Date;
  /** The server's. */
  readonly timeZone: string;
  readonly listProjects: () => Promise<readonly NamedProject[]>;
  /** With which day weeks begin, 0 being Sunday; undefined if nobody has chosen one. */
  readonly findFirstWeekday: () => Promise<number | undefined>;
}

/**
 * The fields of a new task. Those that its text mentions come from there, unless they were given: then the text is not read for
 * them, and their words stay in the title. Throws {@link InvalidInputError} if the title is too long.
 */
export async function newTaskOf(input: CreateTask, reader: TextReader): Promise<NewTask> {
  const { id: _id, text, language = DEFAULT_LANGUAGE, timezone = reader.timeZone, title, ...fields } = input;
  if (text === undefined) return { ...fields, title: title ?? "" };
  const firstWeekday = NAMES_WEEK.test(text) ? await reader.findFirstWeekday() : undefined;
  const captured = readTask(text, {
    language,
    wallClock: (minutes) => wallClockIn(timezone, new Date(reader.now.getTime() + minutes * MINUTE_MS)),
    projects: text.includes("@") && fields.projectId === undefined ? await reader.listProjects() : [],
    except: givenFields(fields),
    readsRepeats: true,
    ...(firstWeekday !== undefined && { firstWeekday }),
  });
  if (captured.title.length > MAX_TITLE_LENGTH)
    throw InvalidInputError.at("text", `must leave a title of at most ${MAX_TITLE_LENGTH} characters`);
  const { dueDate, dueTime, repeat, repeatFrom, tags, priority, projectId } = captured;
  return {
    ...fields,
    title: captured.title,
    ...(dueDate !== undefined && { dueDate }),
    ...(dueTime !== undefined && { dueTime }),
    ...(repeat !== undefined && { repeat, repeatTimezone: fields.repeatTimezone ?? timezone }),
    ...(repeatFrom !== undefined && { repeatFrom }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(priority !== undefined && { priority }),
    ...(projectId !== undefined && { projectId }),
  };
}

function givenFields(fields: Omit<NewTask, "title">): ReadonlySet<CapturedField> {
  const given = new Set<CapturedField>();
  if (fields.dueDate !== undefined || fields.dueTime !== undefined) given.add("due");
  if (fields.repeat !== undefined || fields.repeatFrom !== undefined) given.add("repeat");
  if (fields.tags !== undefined) given.add("tags");
  if (fields.priority !== undefined) given.add("priority");
  if (fields.projectId !== undefined) given.add("project");
  return given;
}
