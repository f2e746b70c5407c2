import type { Db, Listener } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Closable } from "../platform/repeat.ts";
import { retryWhileAway } from "../platform/retry-while-away.ts";
import { createWakeUp, type WakeUp } from "../platform/wake-up.ts";
import type { ApprovalOutcome } from "../tools/tool-guard.ts";
import { decideApproval, insertApproval, selectApprovalOutcome } from "./approval.queries.ts";

/** Tells every process that something was decided, by the approval's id. */
const CHANNEL = "workspace_chat_approval";
/** For what the channel did not tell. */
const CHECK_EVERY_MS = 2_000;

export interface ApprovalRequest {
  readonly conversationId: string;
  readonly approvalId: string;
  /** The process that gives the answer, and waits. */
  readonly processId: string;
  readonly expiresAt: Date;
}

/**
 * Decisions of people about single calls of tools. The database has them, so that whoever is connected to whichever process
 * can decide, the first one counts, and none is lost on the way.
 */
export interface Approvals extends Closable {
  /** Opens a question; it can be decided from then on. False where the answer was taken from the process. */
  open(request: ApprovalRequest, signal: AbortSignal): Promise<boolean>;
  /** Waits for the decision, for the end of its time, or for the signal. */
  wait(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome>;
  /** False where it was decided before, or is not asked any more. */
  decide(conversationId: string, approvalId: string, outcome: ApprovalOutcome): Promise<boolean>;
  start(): Promise<void>;
}

export function createApprovals({ db, listener, clock }: { db: Db; listener: Listener; clock: Clock }): Approvals {
  const waiting = new Map<string, WakeUp>();
  const closers: (() => unknown)[] = [];

  return {
    open: (request, signal) =>
      retryWhileAway(
        () => insertApproval(db.pool, request),
        () => signal.aborted,
      ),

    async wait({ conversationId, approvalId, processId, expiresAt }, signal) {
      const wakeUp = createWakeUp();
      waiting.set(approvalId, wakeUp);
      const isStopped = () => signal.aborted;
      const inDatabase = <Value>(work: () => Promise<Value>) => retryWhileAway(work, isStopped);
      const findOutcome = () =>
        inDatabase(() => selectApprovalOutcome(db.pool, { conversationId, approvalId, processId }));
      try {
        while (!isStopped()) {
          const outcome = await findOutcome();
          if (outcome !== null) return isStopped() ? "stopped" : outcome;
          const leftMs = expiresAt.getTime() - clock.now().getTime();
          if (leftMs <= 0) {
            // Whoever decides in this moment is either in time or told that they are not.
            await inDatabase(() => decideApproval(db.pool, { conversationId, approvalId, outcome: "expired" }));
            return (await findOutcome()) ?? "expired";
          }
          await wakeUp.wait(Math.min(leftMs, CHECK_EVERY_MS), signal);
        }
        return "stopped";
      } finally {
        waiting.delete(approvalId);
      }
    },

    async decide(conversationId, approvalId, outcome) {
      const isDecided = await decideApproval(db.pool, { conversationId, approvalId, outcome });
      if (!isDecided) return false;
      waiting.get(approvalId)?.ring();
      await db.pool.query("SELECT pg_notify($1, $2)", [CHANNEL, approvalId]);
      return true;
    },

    async start() {
      closers.push(await listener.listen(CHANNEL, (id) => waiting.get(id)?.ring()));
    },

    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}
