import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { insertTick, selectTick, type ScheduledAgent } from "./agent-tick.queries.ts";
import { lockAgent } from "./agent.queries.ts";
import type { PendingRun } from "./run-execution.ts";

/** A tick that was missed is run on return for so long. */
export const LATE_AFTER_MS = 60 * 60 * 1000;

export interface TickClaimDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: AgentRunner;
}

/** A try to take a tick. */
export interface TickClaim {
  readonly agent: ScheduledAgent;
  readonly tickAt: Date;
  /** The id of the run that the tick begins. One that is tried again has the same. */
  readonly runId: string;
}

/**
 * What became of a tick: a run to execute; `taken` by another process; `skipped`; or `outdated`, because the schedule is not
 * in force any more.
 */
export type ClaimResult = "taken" | "skipped" | "outdated" | PendingRun;

/**
 * Takes a tick for this process and stores the run that it begins, in one transaction: however many processes try, at most
 * one gets it, and a crash leaves either both or neither. An agent that is still running skips the tick; a tick that is
 * more than an hour old is skipped too. Idempotent for the same claim.
 */
export async function claimTick(
  { db, clock, logger, runner }: TickClaimDeps,
  { agent, tickAt, runId }: TickClaim,
): Promise<ClaimResult> {
  const agentId = agent.id;
  // Most tries are of ticks that another process has: one look instead of a transaction.
  const tick = await selectTick(db.pool, agentId, tickAt);
  if (tick !== null && tick.runId !== runId) return "taken";
  const claimedAt = clock.now();
  const isLate = claimedAt.getTime() - tickAt.getTime() > LATE_AFTER_MS;

  const result = await transaction(db.pool, async (client): Promise<ClaimResult> => {
    const locked = await lockAgent(client, agentId);
    if (locked === null || locked.scheduledSince !== agent.scheduledSince) return "outdated";
    const run = runner.prepare({ id: runId, agent: locked.agent, trigger: "schedule" });
    // The commit of an earlier try had arrived after all.
    if (tick !== null) return run;
    const outcome = await insertTick(client, { agentId, tickAt, runId, isLate, claimedAt });
    if (outcome !== "started") return outcome === null ? "taken" : "skipped";
    await runner.insert(client, run);
    return run;
  });
  if (result === "skipped") {
    const fields = { agentId, agentName: agent.name, tickAt: tickAt.toISOString() };
    if (isLate) logger.warn(fields, "a tick that was missed more than an hour ago is skipped");
    else logger.info(fields, "a tick is skipped because the agent is still running");
  }
  return result;
}
