import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import pLimit from "p-limit";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { ChangeLog } from "../../platform/realtime/change-log.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { deleteTicksBefore, selectScheduledAgents } from "./agent-tick.queries.ts";
import { createAgentTimers, MAX_TIMER_LAG_MS } from "./agent-timers.ts";
import { createBackgroundTasks } from "./background-tasks.ts";
import { createTickCatchUp, type AgentSchedule } from "./tick-catch-up.ts";
import { claimTick, LATE_AFTER_MS, type ClaimResult } from "./tick-claim.ts";

/** How often to compare the timers with the database and look for missed ticks: the machine or the database may have slept. */
const RECONCILE_INTERVAL_MS = 60_000;
const PRUNE_INTERVAL_MS = 60 * 60 * 1000;
const TICK_RETENTION_MS = 48 * 60 * 60 * 1000;
/** Many agents may be due at the same moment, but requests need database connections too. */
const MAX_CONCURRENT_CLAIMS = 4;
/** Keeps processes from claiming a tick at the same instant: most then find it taken and need not wait for each other. */
const MAX_CLAIM_JITTER_MS = 40;
/** Ticks are checked more than once, since one may turn out to be missing only after a later one was claimed. */
const CATCH_UP_OVERLAP_MS = 2 * RECONCILE_INTERVAL_MS;

/** Runs enabled agents on schedule. Every process has timers for all of them; a tick belongs to the process that claims it. */
export interface AgentScheduler extends Closable {
  readonly isRunning: boolean;
  /** Sets the timers, and runs what was missed. */
  start(): Promise<void>;
}

export interface AgentSchedulerOptions extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly changes: ChangeLog;
  readonly processes: ProcessRegistry;
  readonly runner: AgentRunner;
  /** For agents without a time zone of their own. */
  readonly timeZone: string;
}

export function createAgentScheduler(options: AgentSchedulerOptions): AgentScheduler {
  const { db, clock, ids, events, logger, changes, processes, runner, timeZone } = options;
  const limit = pLimit(MAX_CONCURRENT_CLAIMS);
  const tasks = createBackgroundTasks(logger);
  const closers: (() => unknown)[] = [];
  const catchUp = createTickCatchUp({ db, clock, logger, claim });
  const timers = createAgentTimers({
    clock,
    timeZone,
    onTick: (due, tickAt) =>
      tasks.run("claiming a tick", async () => {
        await sleep(Math.random() * MAX_CLAIM_JITTER_MS);
        await claim(due, tickAt);
      }),
    onLag: (lagging, window) => tasks.run("catching up on ticks", () => catchUp.runMissed(lagging, window)),
  });
  let isRunning = false;
  let caughtUpToMs: number | null = null;

  async function claim({ agent }: AgentSchedule, tickAt: Date): Promise<void> {
    const attempt = { agent, tickAt, runId: ids() };
    const tryClaim = () => claimTick({ db, clock, logger, runner }, attempt);
    const result: ClaimResult = await limit(() => retryWhileUnavailable(tryClaim, () => !isRunning));
    if (result === "outdated") return refresh(agent.id);
    if (typeof result === "string") return;
    events.publish({ resource: "agent", action: "run", resourceId: agent.id, resourceName: agent.name });
    void runner.execute(result);
  }

  async function refresh(agentId: string): Promise<void> {
    if (!isRunning) return;
    const [agent] = await selectScheduledAgents(db.pool, agentId);
    if (agent === undefined) timers.remove(agentId);
    else timers.set(agent);
  }

  /** Brings the timers in line with the database, and runs missed ticks. */
  async function reconcile(): Promise<void> {
    const agents = await selectScheduledAgents(db.pool);
    const enabled = new Set(agents.map(({ id }) => id));
    for (const { agent } of timers.schedules()) if (!enabled.has(agent.id)) timers.remove(agent.id);
    for (const agent of agents) timers.set(agent);
    await runMissed();
  }

  async function runMissed(): Promise<void> {
    const nowMs = clock.now().getTime();
    const isFirst = caughtUpToMs === null;
    // Later ticks are covered by the timers here or, at the start, by those of the other processes, if there are any.
    const until = new Date(isFirst && (await processes.isAlone()) ? nowMs : nowMs - MAX_TIMER_LAG_MS);
    const from = new Date(caughtUpToMs === null ? nowMs - LATE_AFTER_MS : caughtUpToMs - CATCH_UP_OVERLAP_MS);
    for (const scheduled of timers.schedules()) {
      if (isFirst) await catchUp.skipLate(scheduled);
      await catchUp.runMissed(scheduled, { from, until });
    }
    caughtUpToMs = until.getTime();
  }

  function followChanges(): () => void {
    return changes.subscribe({
      onChanges(changed) {
        const edited = changed.filter(({ resource, action }) => resource === "agent" && !RUN_ACTIONS.has(action));
        for (const id of new Set(edited.map(({ resourceId }) => resourceId))) {
          tasks.run("setting a timer", () => refresh(id));
        }
      },
      onGap: () => tasks.run("setting timers", reconcile),
    });
  }

  return {
    get isRunning() {
      return isRunning;
    },
    async start() {
      isRunning = true;
      const onError = (error: unknown) => logger.error({ err: error }, "could not compare timers with the database");
      const pruneTicks = () => deleteTicksBefore(db.pool, new Date(clock.now().getTime() - TICK_RETENTION_MS));
      const reconciling = repeat(reconcile, { everyMs: RECONCILE_INTERVAL_MS, onError });
      const pruning = repeat(pruneTicks, { everyMs: PRUNE_INTERVAL_MS, onError });
      closers.push(
        followChanges(),
        () => pruning.close(),
        () => reconciling.close(),
      );
    },
    async close() {
      isRunning = false;
      timers.removeAll();
      for (const close of closers.splice(0).toReversed()) await close();
      timers.removeAll();
      await tasks.idle();
    },
  };
}

/** Changes of an agent's runs, which leave its schedule alone. */
const RUN_ACTIONS = new Set(["run", "complete", "fail", "cancel"]);
