import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { SessionTurn } from "../transcripts/session-transcript.schema.ts";
import type { SessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { type ListedRow, selectLatestSessions } from "./session-list.queries.ts";
import { type OutlinedTurn, outlinedTurn, promptsOf } from "./session-prompts.ts";
import { stepsOf } from "./session-steps.ts";
import { MAX_EVENTS, selectUsageByTime, selectViewedEvents } from "./session-view.queries.ts";
import {
  MAX_PROMPTS,
  type ListedSession,
  type ListSessions,
  type SessionOutline,
  type SessionOutlineQuery,
  type SessionPrompt,
  type SessionSteps,
  type SessionStepsQuery,
} from "./session-view.schema.ts";

/** Where the last turns are, of which one has a time. */
const LAST_TURNS = 20;

const readSessions = createPager("sessions", timeAndId, ({ lastEventAt, lastEventId }: ListedRow) => [
  lastEventAt,
  lastEventId,
]);

export interface SessionViewServiceDeps extends Deps<"db"> {
  readonly sessionTranscripts: Pick<SessionTranscriptService, "find" | "read">;
}

export type SessionViewService = ReturnType<typeof createSessionViewService>;

/** Sessions of assistants as one reads them: prompts, and what was said and done for each. */
export function createSessionViewService({ db, sessionTranscripts }: SessionViewServiceDeps) {
  async function withUsage(sessionId: string, prompts: readonly SessionPrompt[]): Promise<SessionPrompt[]> {
    const times: string[] = [];
    const placeOf = new Map<string, number>();
    for (const { id, since } of prompts) {
      if (since === null || since < (times.at(-1) ?? "")) continue;
      placeOf.set(id, times.push(since));
    }
    if (times.length === 0) return [...prompts];
    const spent = new Map((await selectUsageByTime(db.pool, sessionId, times)).map((row) => [row.place, row]));
    return prompts.map((prompt) => {
      const own = spent.get(placeOf.get(prompt.id) ?? -1);
      if (own === undefined) return prompt;
      const { totalTokens, outputTokens, costUsd } = own;
      return { ...prompt, usage: { totalTokens, outputTokens, costUsd } };
    });
  }

  async function lastTimeOf(sessionId: string, turnCount: number): Promise<string | null> {
    let last: string | null = null;
    for await (const turns of sessionTranscripts.read(sessionId, {
      first: Math.max(1, turnCount - LAST_TURNS),
      last: turnCount,
    })) {
      last = turns.findLast(({ occurredAt }) => occurredAt !== null)?.occurredAt ?? last;
    }
    return last;
  }

  return {
    /** Those with the latest events first. */
    async list(paging: ListSessions): Promise<Page<ListedSession>> {
      const { items, ...rest } = await readSessions(paging, ({ after, limit = paging.limit }) =>
        selectLatestSessions(db.pool, after, limit),
      );
      return { items: items.map(({ lastEventId: _lastEventId, ...session }) => session), ...rest };
    },

    /** Throws {@link NotFoundError} if nothing of the session is known. */
    async outline({ sessionId, since, fromTurn }: SessionOutlineQuery): Promise<SessionOutline> {
      const transcript = await sessionTranscripts.find(sessionId);
      const turnCount = transcript?.turnCount ?? 0;
      const range = { since: since ?? null, until: null, hasContent: false };
      const reading = selectViewedEvents(db.pool, sessionId, range);
      const turns: OutlinedTurn[] = [];
      // What is new has no turns if its prompt has none.
      if (since === undefined || fromTurn !== undefined) {
        for await (const read of sessionTranscripts.read(sessionId, { first: fromTurn ?? 1, last: turnCount }))
          turns.push(...read.map(outlinedTurn));
      }
      const events = await reading;
      if (transcript === null && events.length === 0 && since === undefined) {
        throw new NotFoundError("Nothing is known of what was done in this session.");
      }
      const prompts = await promptsOf({ turns, events });
      return {
        sessionId,
        turnCount,
        isComplete: transcript?.isComplete !== false && events.length < MAX_EVENTS && prompts.length <= MAX_PROMPTS,
        prompts: await withUsage(sessionId, prompts.slice(0, MAX_PROMPTS)),
      };
    },

    /** The steps of one prompt, given by what the outline says of it. */
    async steps({
      sessionId,
      firstTurn,
      lastTurn,
      since,
      until,
      from,
      limit,
    }: SessionStepsQuery): Promise<SessionSteps> {
      const range = { since: since ?? null, until: until ?? null, hasContent: true };
      const reading = selectViewedEvents(db.pool, sessionId, range);
      const turns: SessionTurn[] = [];
      let end: string | null = null;
      if (firstTurn !== undefined) {
        for await (const read of sessionTranscripts.read(sessionId, { first: firstTurn, last: lastTurn ?? firstTurn }))
          turns.push(...read);
        const transcript = await sessionTranscripts.find(sessionId);
        if (transcript !== null) end = await lastTimeOf(sessionId, transcript.turnCount);
      }
      return stepsOf({ turns, events: await reading, end }, { from, limit });
    },
  };
}
