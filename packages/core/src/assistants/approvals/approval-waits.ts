import type { Db, Listener } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { notify } from "../../platform/notify.ts";
import type { Closable } from "../../platform/repeat.ts";
import { createWakeUp, type WakeUp } from "../../platform/wake-up.ts";
import { selectToolDecision, type StoredDecision } from "./tool-approval.queries.ts";

/** Notifies all processes, by id, that a request has ended. */
const CHANNEL = "workspace_tool_approval";
/** How often to check the database, in case a notification was lost. */
const CHECK_INTERVAL_MS = 2_000;

/** Requests that wait here for a decision, which may be made through any process. */
export interface ApprovalWaits extends Closable {
  /** What is known after the decision, the expiry of the request or the given time, whichever comes first. */
  wait(id: string, forMs: number): Promise<StoredDecision | null>;
  /** Reports to all processes that a request has ended. */
  wake(id: string): Promise<void>;
  start(): Promise<void>;
}

export function createApprovalWaits({
  db,
  listener,
  clock,
}: {
  db: Db;
  listener: Listener;
  clock: Clock;
}): ApprovalWaits {
  const waiting = new Map<string, Set<WakeUp>>();
  const stopped = new AbortController();
  const closers: (() => unknown)[] = [];

  const wakeHere = (id: string) => waiting.get(id)?.forEach((wakeUp) => wakeUp.wake());

  function add(id: string, wakeUp: WakeUp): () => void {
    const others = waiting.get(id) ?? new Set();
    waiting.set(id, others.add(wakeUp));
    return () => {
      others.delete(wakeUp);
      if (others.size === 0) waiting.delete(id);
    };
  }

  return {
    async wait(id, forMs) {
      const end = clock.now().getTime() + forMs;
      const wakeUp = createWakeUp();
      const remove = add(id, wakeUp);
      try {
        for (;;) {
          const decision = await selectToolDecision(db.pool, id);
          if (decision === null || decision.outcome !== null) return decision;
          const leftMs = Math.min(end, Date.parse(decision.expiresAt)) - clock.now().getTime();
          if (leftMs <= 0 || stopped.signal.aborted) return decision;
          await wakeUp.wait(Math.min(leftMs, CHECK_INTERVAL_MS), stopped.signal);
        }
      } finally {
        remove();
      }
    },

    async wake(id) {
      wakeHere(id);
      await notify(db.pool, CHANNEL, id);
    },

    async start() {
      closers.push(await listener.listen(CHANNEL, wakeHere));
    },

    async close() {
      stopped.abort();
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}
