import * as z from "zod";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import type { Deps } from "../../platform/deps.ts";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import { createPager, cursorInstant, cursorText, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectAssistantWaits, putAssistantWait } from "./assistant-wait.queries.ts";
import type { AssistantWait, ListWaits, ReportWait } from "./assistant-wait.schema.ts";
import { MAX_PUSHED_CALL, MAX_PUSHED_TEXT, shortened } from "../../access/push/pushed-text.ts";
import { assistantName } from "../assistant-names.ts";

/** An assistant that was ended while it waited says nothing any more. */
const KEPT_MS = 12 * 60 * 60 * 1000;
/** Somebody who sits at the assistant answers sooner, and needs no message. */
const PUSH_AFTER_MS = 10_000;
/** A message is of no use to somebody who sees it later. */
const PUSH_TTL_S = 60 * 60;

const positions = z.tuple([cursorInstant, cursorText]);
const readPage = createPager("assistant-waits", positions, ({ since, sessionId }: AssistantWait) => [since, sessionId]);

export interface AssistantWaitServiceDeps extends Deps<"db" | "clock" | "events" | "logger"> {
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
  /** Sends a message to the devices of the people who decide. */
  readonly notify: (message: PushMessage) => void;
  readonly pushAfterMs?: number;
}

export type AssistantWaitService = ReturnType<typeof createAssistantWaitService>;

/** Sessions of assistants that wait for a person in their own windows, until something is heard of them again. */
export function createAssistantWaitService(deps: AssistantWaitServiceDeps) {
  const { db, clock, events, logger, redactor, notify, pushAfterMs = PUSH_AFTER_MS } = deps;
  /** By session: what becomes a message unless it has been answered by then. */
  const timers = new Map<string, NodeJS.Timeout>();

  const list = ({ sessionId, ...paging }: ListWaits): Promise<Page<AssistantWait>> => {
    const search = { sessionId, notBefore: new Date(clock.now().getTime() - KEPT_MS) };
    return readPage({ ...paging, filter: { sessionId } }, (range) => selectAssistantWaits(db.pool, search, range));
  };

  async function pushIfWaiting(sessionId: string): Promise<void> {
    const [wait] = (await list({ sessionId, limit: 1 })).items;
    if (wait?.reason === "permission") notify(toPushMessage(wait));
  }

  function pushLater(sessionId: string): void {
    clearTimeout(timers.get(sessionId));
    const push = () => {
      timers.delete(sessionId);
      pushIfWaiting(sessionId).catch((error: unknown) => logger.warn({ err: error }, "a wait could not be looked up"));
    };
    timers.set(sessionId, setTimeout(push, pushAfterMs));
  }

  return {
    /** Records that a session waits, and since when. Whatever is recorded of the session later ends it. */
    async report({ occurredAt, text, ...input }: ReportWait): Promise<{ recorded: true }> {
      const now = clock.now();
      const since = toCreatedAt(occurredAt, now);
      const forgottenBefore = new Date(now.getTime() - KEPT_MS);
      await putAssistantWait(db.pool, { ...input, text: redactor.redact(text), since, forgottenBefore });
      events.publish({
        resource: "approval",
        action: "edit",
        resourceId: input.sessionId,
        resourceName: `${input.harness} waits`,
      });
      if (input.reason === "permission") pushLater(input.sessionId);
      return { recorded: true };
    },

    /** The latest first. */
    list,

    /** Sends no more messages. */
    close(): Promise<void> {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      return Promise.resolve();
    },
  };
}

function toPushMessage({ sessionId, harness, project, text }: AssistantWait): PushMessage {
  return {
    title: shortened(text, MAX_PUSHED_CALL),
    body: shortened(`${assistantName(harness)} in ${project} waits for you in its own window.`, MAX_PUSHED_TEXT),
    path: `/hooks/sessions/${encodeURIComponent(sessionId)}`,
    tag: `wait-${sessionId}`,
    ttlS: PUSH_TTL_S,
  };
}
