import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { inTurns } from "../../platform/in-slices.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { CalendarError } from "../icalendar/calendar-error.ts";
import { currentObject } from "../icalendar/current-todo.ts";
import { matchesAllTasks, matchesFilter, type ComponentFilter } from "../icalendar/todo-filter.ts";
import type { TaskService } from "../tasks/task.service.ts";
import {
  selectObjectEntries,
  selectObjects,
  selectTaskCollection,
  selectTaskCollections,
  type ObjectEntry,
  type StoredObject,
  type TaskCollection,
} from "./calendar-object.queries.ts";
import { selectChangedObjects, selectSyncPosition, type SyncPosition } from "./changed-object.queries.ts";
import { idOfName } from "./object-name.ts";
import { createObjectWriter, type ObjectConditions, type PutObject, type PutResult } from "./object-writer.ts";

/** How many tasks of one collection calendar programs get. */
const MAX_ENTRIES = 10_000;
/** How many are read from the database at once. */
const BATCH = 100;
/** How much text is sent at once; programs ask for tasks by and by. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

export interface CalendarObjectServiceDeps extends Deps<"db"> {
  readonly tasks: Pick<TaskService, "create" | "update" | "delete" | "restore" | "get">;
}

export type CalendarObjectService = ReturnType<typeof createCalendarObjectService>;

/** A task as a calendar object. */
export interface CalendarObject extends ObjectEntry {
  readonly text: string;
  readonly modifiedAt: string;
}

/** What has changed in a collection, and the token for asking again. */
export interface CollectionChanges {
  readonly changed: readonly ObjectEntry[];
  readonly removed: readonly string[];
  readonly token: string;
  /** Whether that is all; if not, the rest is had with the token. */
  readonly isComplete: boolean;
}

export interface SinceToken {
  /** Null for everything. */
  readonly token: string | null;
  /** How many are wanted at most. */
  readonly limit?: number | undefined;
}

/**
 * Tasks as calendar programs (CalDAV) read and write them: one collection for each project and one, with the id null, for tasks without
 * a project. They are the same tasks, changed by the same service.
 */
export function createCalendarObjectService({ db, tasks }: CalendarObjectServiceDeps) {
  const writer = createObjectWriter({ db, tasks });

  async function requireCollection(id: string | null): Promise<TaskCollection> {
    const collection = id === null || isUuid(id) ? await selectTaskCollection(db.pool, id) : null;
    if (collection === null) throw new NotFoundError("There is no such collection of tasks.");
    return collection;
  }

  /** Throws {@link CalendarError} if all of them together are too long. */
  async function collect(
    collectionId: string | null,
    names: readonly string[],
    filter: ComponentFilter | null,
  ): Promise<CalendarObject[]> {
    const found: CalendarObject[] = [];
    let characters = 0;
    const add = async (object: StoredObject): Promise<void> => {
      const { calendar, text } = currentObject(object, object.written);
      if (filter !== null && !(await matchesFilter(calendar, filter))) return;
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw tooMany();
      found.push({ name: object.name, tag: object.tag, modifiedAt: object.modifiedAt, text });
    };
    for (let start = 0; start < names.length; start += BATCH) {
      const batch = names.slice(start, start + BATCH);
      const objects = await selectObjects(db.pool, collectionId, { names: batch, ids: idsOf(batch) });
      for await (const object of inTurns(objects)) await add(object);
    }
    return found;
  }

  return {
    /** The one without a project first, then those of the projects by name. */
    listCollections: (): Promise<TaskCollection[]> => selectTaskCollections(db.pool),

    /** Throws {@link NotFoundError}. */
    getCollection: requireCollection,

    /** The names and tags of the objects in a collection. */
    list: (collectionId: string | null): Promise<ObjectEntry[]> =>
      selectObjectEntries(db.pool, collectionId, MAX_ENTRIES),

    /** Those with these names; others are left out. Throws {@link CalendarError} if all of them together are too long. */
    read: (collectionId: string | null, names: readonly string[]): Promise<CalendarObject[]> =>
      collect(collectionId, names, null),

    /** Those that match a filter. Throws like `read`. */
    async findMatching(collectionId: string | null, filter: ComponentFilter): Promise<CalendarObject[]> {
      const entries = await selectObjectEntries(db.pool, collectionId, MAX_ENTRIES);
      const names = entries.map(({ name }) => name);
      return collect(collectionId, names, matchesAllTasks(filter) ? null : filter);
    },

    /** The token of the present, for `listChanges`. */
    async getToken(): Promise<string> {
      return writeToken(await selectSyncPosition(db.pool), null);
    },

    /**
     * What has changed since a token was made; without one, everything. If that is more than the limit, the token of the part remembers
     * where it ends, and when the first part was read: what changes meanwhile follows after the last one. Throws {@link CalendarError}
     * for another's token, and for a limit below which there is nothing.
     */
    async listChanges(
      collectionId: string | null,
      { token, limit = MAX_ENTRIES }: SinceToken,
    ): Promise<CollectionChanges> {
      if (limit < 1) throw tooMany();
      const now = await selectSyncPosition(db.pool);
      const state = token === null ? { begun: now, since: null, after: null } : readToken(token, now);
      const count = Math.min(limit, MAX_ENTRIES);
      const rows = await selectChangedObjects(db.pool, collectionId, {
        transaction: state.since,
        after: state.after,
        limit: count + 1,
      });
      const found = rows.slice(0, count);
      const isComplete = found.length === rows.length;
      const after = isComplete ? null : (found.at(-1)?.id ?? null);
      return {
        changed: found.filter(({ isRemoved }) => !isRemoved),
        removed: found.filter(({ isRemoved }) => isRemoved).map(({ name }) => name),
        token: writeToken(state.begun, after === null ? null : { since: state.since, after }),
        isComplete,
      };
    },

    /** Creates or changes the task that an object describes; {@link createObjectWriter} says how. */
    put: (object: PutObject, author: Author): Promise<PutResult> => writer.put(object, author),

    /** Deletes a task with its subtasks; it can be restored. Throws {@link NotFoundError}, PreconditionFailedError. */
    delete: (object: ObjectConditions, author: Author): Promise<void> => writer.delete(object, author),
  };
}

function idsOf(names: readonly string[]): string[] {
  return names.map(idOfName).filter((id) => id !== null);
}

/** What was synchronized when, and how far, as a token says it. */
interface SyncState {
  /** When the first part was read. */
  readonly begun: SyncPosition;
  /** The transaction since which changes are told; null for everything. */
  readonly since: bigint | null;
  /** The last task that was told of; null at the beginning. */
  readonly after: string | null;
}

const TOKEN = /^urn:workspace:sync:(\d{1,20}):(\d{1,20})(?::(\d{1,20}|all):([\da-f-]{36}))?$/;

function writeToken({ database, transaction }: SyncPosition, part: Pick<SyncState, "since" | "after"> | null): string {
  const rest = part === null ? "" : `:${part.since ?? "all"}:${part.after ?? ""}`;
  return `urn:workspace:sync:${database}:${transaction}${rest}`;
}

/** A token of another database, or of a later state of this one before a backup was restored, says nothing. */
function readToken(token: string, now: SyncPosition): SyncState {
  const [, database = "", transaction = "0", since, after = null] = TOKEN.exec(token) ?? [];
  const begun = { database, transaction: BigInt(transaction) };
  if (database !== now.database || begun.transaction > now.transaction || (after !== null && !isUuid(after)))
    throw invalidToken();
  if (since === undefined) return { begun: now, since: begun.transaction, after };
  return { begun, since: since === "all" ? null : BigInt(since), after };
}

function invalidToken(): CalendarError {
  return new CalendarError("valid-sync-token", "The sync token is not from here, or too old. Synchronize everything.");
}

function tooMany(): CalendarError {
  return new CalendarError("number-of-matches-within-limits", "That is too much at once. Ask for fewer tasks.");
}
