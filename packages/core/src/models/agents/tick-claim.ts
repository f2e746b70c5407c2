import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { insertTick, selectTick, type ScheduledAgent } from "./agent-tick.queries.ts";
import { lockAgent } from "./agent.queries.ts";
import type { PendingRun } from "./pending-run.ts";

/** A missed tick is still run if it is at most this late. */
export const LATE_AFTER_MS = 60 * 60 * 1000;

export interface TickClaimDeps extends Deps<"db" | "clock" | "logger"> {
  readonly runner: AgentRunner;
}

/** An attempt to claim a tick. */
export interface TickClaim {
  readonly agent: ScheduledAgent;
  readonly tickAt: Date;
  /** The id of the run that the tick starts. A retry uses the same id. */
  readonly runId: string;
}

/**
 * The result of claiming a tick: a run to execute; `taken` by another process; `skipped`; or `outdated`, because the schedule
 * is no longer in force.
 */
export type ClaimResult = "taken" | "skipped" | "outdated" | PendingRun;

/**
 * Claims a tick for this process and stores the run that it starts, in one transaction: of any number of processes, at most
 * one gets it, and a crash leaves either both or neither. The tick is skipped if the agent is still running, or if it is more
 * than an hour late. Idempotent for the same claim.
 */
export async function claimTick(
  { db, clock, logger, runner }: TickClaimDeps,
  { agent, tickAt, runId }: TickClaim,
): Promise<ClaimResult> {
  const agentId = agent.id;
  // Most ticks have already been taken by another process: a single read saves the transaction.
  const tick = await selectTick(db.pool, agentId, tickAt);
  if (tick !== null && tick.runId !== runId) return "taken";
  const claimedAt = clock.now();
  const isLate = claimedAt.getTime() - tickAt.getTime() > LATE_AFTER_MS;

  const result = await transaction(db.pool, async (client): Promise<ClaimResult> => {
    const locked = await lockAgent(client, agentId);
    if (locked === null || locked.scheduledSince !== agent.scheduledSince) return "outdated";
    const run = runner.prepare({ id: runId, agent: locked.agent, trigger: "schedule" });
    // An earlier attempt did commit after all.
    if (tick !== null) return run;
    const outcome = await insertTick(client, { agentId, tickAt, runId, isLate, claimedAt });
    if (outcome !== "started") return outcome === null ? "taken" : "skipped";
    await runner.insert(client, run);
    return run;
  });
  if (result === "skipped") {
    const fields = { agentId, agentName: agent.name, tickAt: tickAt.toISOString() };
    if (isLate) logger.warn(fields, "skipped a tick that was missed more than an hour ago");
    else logger.info(fields, "skipped a tick because the agent is still running");
  }
  return result;
}
