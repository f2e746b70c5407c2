import type { Deps } from "../../platform/deps.ts";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import { createCursors, timeAndId, toPage, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { createHookEventWriter } from "./hook-event-writer.ts";
import { selectHookEvents, selectRecordedHookEvents } from "./hook-event.queries.ts";
import type { HookEvent, ListHookEvents, RecordedHookEvent, RecordHookEvent } from "./hook-event.schema.ts";

const cursors = createCursors("hook-events", timeAndId);

export interface HookEventServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
}

export type HookEventService = ReturnType<typeof createHookEventService>;

/** Events reported by the assistants' hooks, each recorded once and never changed. */
export function createHookEventService({ db, clock, ids, events, redactor }: HookEventServiceDeps) {
  const writer = createHookEventWriter({ pool: db.pool, events });
  const toHookEvent = (input: RecordHookEvent, now: Date): HookEvent => ({
    // PostgreSQL returns ids in lower case, and stored events are looked up by id.
    id: input.id?.toLowerCase() ?? ids(),
    eventType: input.eventType,
    sessionId: input.sessionId ?? null,
    projectDir: input.projectDir ?? null,
    toolName: input.toolName ?? null,
    toolMatcher: input.toolMatcher ?? null,
    eventData: input.eventData ? redactor.redactObject(input.eventData) : null,
    exitCode: input.exitCode ?? null,
    blocked: input.blocked ?? false,
    blockReason: typeof input.blockReason === "string" ? redactor.redact(input.blockReason) : null,
    durationMs: input.durationMs ?? null,
    hookScript: input.hookScript ?? null,
    createdAt: toCreatedAt(input.occurredAt, now),
  });

  return {
    /** Idempotent by `id`: a repeat returns the stored event, adds nothing and announces nothing. */
    async record(input: RecordHookEvent): Promise<RecordedHookEvent> {
      const event = toHookEvent(input, clock.now());
      const added = await writer.write([event]);
      if (added.has(event.id)) return toRecorded(event);
      const [stored = toRecorded(event)] = await selectRecordedHookEvents(db.pool, [event.id]);
      return stored;
    },

    /**
     * Records all events or none, and returns them in the order given. Idempotent by `id` like {@link record}, also within the
     * batch.
     */
    async recordBatch(inputs: readonly RecordHookEvent[]): Promise<RecordedHookEvent[]> {
      if (inputs.length === 0) return [];
      const now = clock.now();
      const given = inputs.map((input) => toHookEvent(input, now));
      await writer.write(given);
      const stored = await selectRecordedHookEvents(
        db.pool,
        given.map((event) => event.id),
      );
      const byId = new Map(stored.map((event) => [event.id, event]));
      return given.map((event) => byId.get(event.id) ?? toRecorded(event));
    },

    /** Most recent first. A page of events with a lot of data ends before its limit. */
    async list({ limit, cursor, ...filter }: ListHookEvents): Promise<Page<HookEvent>> {
      const position = cursors.read(cursor, filter);
      const { events: rows, fitting } = await selectHookEvents(db.pool, filter, {
        limit: limit + 1,
        after: position === undefined ? undefined : { createdAt: position[0], id: position[1] },
      });
      return toPage(rows, Math.min(limit, fitting), (event) => cursors.write([event.createdAt, event.id], filter));
    },
  };
}

function toRecorded({ id, eventType, blocked, blockReason, createdAt }: HookEvent): RecordedHookEvent {
  return { id, eventType, blocked, blockReason, createdAt };
}
