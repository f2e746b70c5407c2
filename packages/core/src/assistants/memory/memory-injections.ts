import type { Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import { createPager, cursorInstant, cursorText, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import {
  deleteMemoryInjectionsBefore,
  insertMemoryInjections,
  judgeMemoryInjection,
  selectMemoriesGivenToSession,
  selectMemoryInjections,
} from "./memory-injection.queries.ts";
import type {
  GivenMemory,
  JudgeInjection,
  ListInjections,
  MemoryInjection,
  RecordInjections,
} from "./memory-injection.schema.ts";
import { selectMemory } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { noSuchMemory } from "./stored-memory.ts";

const MAX_SUBJECT_LENGTH = 200;
const MAX_OF_SESSION = 100;
const KEPT_MS = 180 * 24 * 60 * 60 * 1000;

const readPage = createPager(
  "memory-injections",
  z.tuple([cursorInstant, cursorText]),
  ({ givenAt, sessionId }: MemoryInjection) => [givenAt, sessionId],
);

export interface MemoryInjectionsDeps extends Deps<"db" | "clock"> {
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
  readonly publish: MemoryPublisher;
}

/** Which memories the sessions of assistants were given, and for what. */
export function createMemoryInjections({ db, clock, redactor, publish }: MemoryInjectionsDeps) {
  /** Redacted before it is cut, so that no part of a secret is left. */
  const toSubject = (text: string | null | undefined): string | null =>
    text == null ? null : redactor.redact(text).slice(0, MAX_SUBJECT_LENGTH).toWellFormed();

  return {
    /** Records what hooks have given. A memory that the session was given before stays as it was recorded. */
    async record({ injections }: RecordInjections): Promise<{ recorded: number }> {
      const now = clock.now();
      const rows = injections.flatMap(({ memoryIds, subject, givenAt, ...injection }) => {
        const given = { ...injection, subject: toSubject(subject), givenAt: toCreatedAt(givenAt, now) };
        return memoryIds.filter(isUuid).map((memoryId) => ({ ...given, memoryId }));
      });
      return { recorded: rows.length === 0 ? 0 : await insertMemoryInjections(db.pool, rows) };
    },

    /** Latest first. Throws NotFoundError. */
    async list({ id, limit, cursor }: ListInjections): Promise<Page<MemoryInjection>> {
      await requireMemory(id);
      return readPage({ limit, cursor, filter: { id } }, (range) => selectMemoryInjections(db.pool, id, range));
    },

    /** What a session was given last, in that order. */
    async listOfSession(sessionId: string): Promise<GivenMemory[]> {
      return (await selectMemoriesGivenToSession(db.pool, sessionId, MAX_OF_SESSION)).toReversed();
    },

    /** Records that a memory was not useful to a session, or takes it back. Throws NotFoundError. */
    async judge({ id, sessionId, isNotUseful }: JudgeInjection): Promise<MemoryInjection> {
      const memory = await requireMemory(id);
      const notUsefulAt = isNotUseful ? clock.now() : null;
      const judged = await judgeMemoryInjection(db.pool, { memoryId: memory.id, sessionId, notUsefulAt });
      if (judged === null) throw new NotFoundError("This session was not given the memory.");
      publish("edit", memory);
      return judged;
    },
  };

  async function requireMemory(id: string): Promise<MemoryChunk> {
    const memory = isUuid(id) ? await selectMemory(db.pool, id) : null;
    if (memory === null) throw noSuchMemory();
    return memory;
  }
}

/** Forgets what was given half a year ago. */
export async function pruneMemoryInjections(db: Db, now: Date): Promise<void> {
  await deleteMemoryInjectionsBefore(db.pool, new Date(now.getTime() - KEPT_MS));
}
