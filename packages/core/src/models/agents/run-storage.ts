import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { Change } from "../../platform/events.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import type { ModelAccess } from "../gateway/model-access.ts";
import { isBilled, type ModelCharge } from "../gateway/model-charge.ts";
import { isRunTakenOver, saveRun, updateRunProgress, type EndStatus } from "./agent-run.queries.ts";
import type { PendingRun, RunControl } from "./pending-run.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { RunRecord } from "./run-record.ts";

export interface RunStorageDeps extends Deps<"db" | "clock" | "events"> {
  readonly models: ModelAccess;
}

/** Other processes have ended the run because this one's lease expired; its record must not be changed any more. */
export class RunTakenOverError extends Error {
  override readonly name = "RunTakenOverError";
  /** The cost of a call that nobody will book. */
  readonly charge: ModelCharge | null;

  constructor(charge: ModelCharge | null) {
    super("The run was taken over by another process.");
    this.charge = charge;
  }
}

const ACTION_OF_END: Record<EndStatus, Change["action"]> = {
  success: "complete",
  error: "fail",
  budget_exceeded: "fail",
  cancelled: "cancel",
};

/** Stores the progress of a run, the costs of its calls and its end, as long as the run belongs to this process. */
export function createRunStorage({ db, clock, events, models }: RunStorageDeps) {
  return {
    /**
     * Stores the cost of a call, the run's progress and its outcome, if there is one, in one transaction. Throws
     * {@link RunTakenOverError}, with nothing stored, if other processes have ended the run.
     */
    async save(
      run: PendingRun,
      record: RunRecord,
      control: RunControl,
      { charge, outcome }: { charge: ModelCharge | null; outcome: RunOutcome },
    ): Promise<void> {
      const { id: runId, agent, processId, startedAt } = run;
      const progress = { runId, processId, ...record.takeSnapshot() };
      const now = clock.now();
      const durationMs = now.getTime() - startedAt.getTime();
      const store = () =>
        transaction(db.pool, async (client) => {
          // First, because it locks the run: nobody can take it over until all of this is committed.
          const saved = await saveRun(client, progress, { charge, end: outcome, now });
          if (saved === "taken over") throw new RunTakenOverError(charge);
          if (charge !== null) {
            const usage = { id: runId, source: "agent", sourceId: runId, sourceName: agent.name } as const;
            await models.book(client, charge, { ...usage, durationMs, happenedAt: startedAt });
          }
          return saved === "ended";
        });
      const hasEnded = await retryWhileUnavailable(store, () => control.reason() === "shutdown");
      if (charge !== null && isBilled(charge)) {
        events.publish({ resource: "usage", action: "create", resourceId: runId, resourceName: agent.name });
      }
      if (hasEnded && outcome !== null) {
        const action = ACTION_OF_END[outcome.status];
        events.publish({ resource: "agent", action, resourceId: agent.id, resourceName: agent.name });
      }
    },

    /** Stores the progress of a run for people to see, if it has changed since it was last stored. */
    async saveProgress({ id: runId, processId }: PendingRun, record: RunRecord): Promise<void> {
      if (record.hasChanged) await updateRunProgress(db.pool, { runId, processId, ...record.takeSnapshot() });
    },

    /** Throws {@link RunTakenOverError} if other processes have ended the run. */
    async assertOwned({ id, processId }: PendingRun, { signal }: RunControl): Promise<void> {
      const check = () => isRunTakenOver(db.pool, id, processId);
      if (await retryWhileUnavailable(check, () => signal.aborted)) throw new RunTakenOverError(null);
    },
  };
}
