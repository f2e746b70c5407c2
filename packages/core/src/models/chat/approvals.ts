import type { Db, Listener } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { notify } from "../../platform/notify.ts";
import type { Closable } from "../../platform/repeat.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { createWakeUp, type WakeUp } from "../../platform/wake-up.ts";
import type { ApprovalOutcome } from "../tools/tool-guard.ts";
import { decideApproval, insertApproval, selectApprovalOutcome } from "./approval.queries.ts";

/** Notifies all processes, by approval id, of a decision. */
const CHANNEL = "workspace_chat_approval";
/** How often to check the database for a decision, in case a notification was lost. */
const CHECK_INTERVAL_MS = 2_000;

export interface ApprovalRequest {
  readonly conversationId: string;
  readonly approvalId: string;
  /** The process that executes the answer and waits. */
  readonly processId: string;
  readonly expiresAt: Date;
}

/**
 * People's decisions on single tool calls. They are kept in the database, so that a client connected to any process can decide,
 * the first decision counts, and none is lost.
 */
export interface Approvals extends Closable {
  /** Makes a request available for decision. Returns false if the answer no longer belongs to the process. */
  open(request: ApprovalRequest, signal: AbortSignal): Promise<boolean>;
  /** Waits for the decision, for its expiry, or for the signal. */
  wait(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome>;
  /** Returns false if it was already decided or is no longer waiting. */
  decide(conversationId: string, approvalId: string, outcome: ApprovalOutcome): Promise<boolean>;
  start(): Promise<void>;
}

export function createApprovals({ db, listener, clock }: { db: Db; listener: Listener; clock: Clock }): Approvals {
  const waiting = new Map<string, WakeUp>();
  const closers: (() => unknown)[] = [];

  return {
    open: (request, signal) =>
      retryWhileUnavailable(
        () => insertApproval(db.pool, request),
        () => signal.aborted,
      ),

    async wait({ conversationId, approvalId, processId, expiresAt }, signal) {
      const wakeUp = createWakeUp();
      waiting.set(approvalId, wakeUp);
      const isStopped = () => signal.aborted;
      const query = <Value>(work: () => Promise<Value>) => retryWhileUnavailable(work, isStopped);
      const findOutcome = () => query(() => selectApprovalOutcome(db.pool, { conversationId, approvalId, processId }));
      try {
        while (!isStopped()) {
          const outcome = await findOutcome();
          if (outcome !== null) return isStopped() ? "stopped" : outcome;
          const leftMs = expiresAt.getTime() - clock.now().getTime();
          if (leftMs <= 0) {
            // A concurrent decision either comes first and counts, or is rejected.
            await query(() => decideApproval(db.pool, { conversationId, approvalId, outcome: "expired" }));
            return (await findOutcome()) ?? "expired";
          }
          await wakeUp.wait(Math.min(leftMs, CHECK_INTERVAL_MS), signal);
        }
        return "stopped";
      } finally {
        waiting.delete(approvalId);
      }
    },

    async decide(conversationId, approvalId, outcome) {
      const isDecided = await decideApproval(db.pool, { conversationId, approvalId, outcome });
      if (!isDecided) return false;
      waiting.get(approvalId)?.wake();
      await notify(db.pool, CHANNEL, approvalId);
      return true;
    },

    async start() {
      closers.push(await listener.listen(CHANNEL, (id) => waiting.get(id)?.wake()));
    },

    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}
