import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { createCursors, toPage } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { createTranscriptWriter, type TranscriptSession } from "./session-transcript-writer.ts";
import { selectSessionTranscript, selectTranscriptParts } from "./session-transcript.queries.ts";
import type {
  GetSessionTranscript,
  KeptTranscript,
  SessionTranscript,
  SessionTurn,
} from "./session-transcript.schema.ts";
import type { Turn } from "./transcript-turns.ts";
import { unpackTurns } from "./turn-codec.ts";

/** So many parts are read for a page, even if its turns are all in parts of their own. */
const MAX_PAGE_PARTS = 40;

const cursors = createCursors("session-transcript", z.tuple([z.number().int().min(1)]));

export interface SessionTranscriptServiceDeps extends Deps<"db" | "clock" | "events"> {
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
  /** Whether they are stored at all. */
  readonly keepsTranscripts: boolean;
}

/** Positions of turns, from 1, both included. */
interface TurnRange {
  readonly first: number;
  readonly last: number;
}

export type SessionTranscriptService = ReturnType<typeof createSessionTranscriptService>;

/** What was said and done in the sessions of assistants. */
export function createSessionTranscriptService(deps: SessionTranscriptServiceDeps) {
  const { db, events, keepsTranscripts } = deps;
  const writer = createTranscriptWriter(deps);

  return {
    /**
     * Adds to a session's transcript what is new among the turns, which may be the whole session or its last part, and returns
     * the position of each turn; null for one that is not kept.
     */
    async add(session: TranscriptSession, turns: readonly Turn[]): Promise<readonly (number | null)[]> {
      if (!keepsTranscripts || turns.length === 0) return turns.map(() => null);
      const { positions, addedTurns } = await writer.write(session, turns);
      if (addedTurns > 0) {
        const { sessionId } = session;
        events.publish({ resource: "hook", action: "edit", resourceId: sessionId, resourceName: "Transcript" });
      }
      return positions;
    },

    /** Null if none is kept. */
    find: (sessionId: string): Promise<KeptTranscript | null> => selectSessionTranscript(db.pool, sessionId),

    /** In pages, from the first turn or a given one. Throws {@link NotFoundError} if no transcript of the session is kept. */
    async get(input: GetSessionTranscript): Promise<{ data: SessionTranscript; nextCursor?: string }> {
      const { sessionId, limit } = input;
      const from = cursors.read(input.cursor, { sessionId })?.[0] ?? input.from;
      const transcript = await selectSessionTranscript(db.pool, sessionId);
      if (transcript === null) throw new NotFoundError("No transcript of this session is kept.");
      const page = { from, turns: limit + 1, parts: MAX_PAGE_PARTS };
      const turns: SessionTurn[] = [];
      for (const part of await selectTranscriptParts(db.pool, sessionId, page)) {
        for (const [index, turn] of (await unpackTurns(part.turns)).entries()) {
          const position = part.firstPosition + index;
          if (position >= from) turns.push({ position, ...turn });
        }
      }
      const { items } = toPage(turns, limit, () => "");
      const last = items.at(-1);
      const data = { sessionId, ...transcript, turns: items };
      if (last === undefined || last.position >= transcript.turnCount) return { data };
      return { data, nextCursor: cursors.write([last.position + 1], { sessionId }) };
    },

    /** The turns from one position to another, in parts, so that a long session is never in memory as a whole. */
    async *read(sessionId: string, { first, last }: TurnRange): AsyncGenerator<SessionTurn[]> {
      for (let next = first; next <= last;) {
        const range = { from: next, turns: last - next + 1, parts: MAX_PAGE_PARTS };
        const parts = await selectTranscriptParts(db.pool, sessionId, range);
        for (const { firstPosition, turns } of parts) {
          const unpacked = await unpackTurns(turns);
          next = firstPosition + unpacked.length;
          yield unpacked
            .map((turn, index) => ({ position: firstPosition + index, ...turn }))
            .filter(({ position }) => position >= first && position <= last);
        }
        if (parts.length === 0) return;
      }
    },
  };
}
