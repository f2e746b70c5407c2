import { setTimeout as sleep } from "node:timers/promises";
import { scheduleJob, type Job } from "node-schedule";
import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { EventBus } from "../platform/events.ts";
import type { IdGenerator } from "../platform/ids.ts";
import { createLimiter } from "../platform/limiter.ts";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import { repeat, type Closable } from "../platform/repeat.ts";
import { retryWhileAway } from "../platform/retry-while-away.ts";
import type { ChangeLog } from "../realtime/change-log.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { deleteTicksBefore, selectScheduledAgents, type ScheduledAgent } from "./agent-tick.queries.ts";
import { createCronSchedule } from "./cron-schedule.ts";
import { createTickCatchUp, type ScheduleOfAgent } from "./tick-catch-up.ts";
import { claimTick, LATE_AFTER_MS, type ClaimResult } from "./tick-claim.ts";

/** How often timers are compared with the database, and missed ticks looked for: after a sleep, or a database that was away. */
const RECONCILE_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const TICKS_KEPT_MS = 48 * 60 * 60 * 1000;
/** Many agents may be due in one moment; requests need connections to the database too. */
const CLAIMS_AT_ONCE = 4;
/** Processes do not all reach for a tick in the same instant: most then find it taken, and need not wait for each other. */
const SPREAD_MS = 40;
/** Up to here behind, every tick is made up for by its timer; further behind it counts as missed. */
const IN_HAND_MS = 30_000;
/** Ticks are looked at more than once, since one may be found missing only when a later one was taken. */
const LOOK_BACK_OVERLAP_MS = 2 * RECONCILE_EVERY_MS;

/** The timers of every enabled agent. Every process has them; a tick belongs to the one that claims it. */
export interface AgentScheduler extends Closable {
  readonly isRunning: boolean;
  /** Sets the timers, and runs what was missed. */
  start(): Promise<void>;
}

export interface AgentSchedulerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly changes: ChangeLog;
  readonly processes: ProcessRegistry;
  readonly runner: AgentRunner;
  /** For agents without a time zone of their own. */
  readonly timeZone: string;
}

interface Timer extends ScheduleOfAgent {
  job: Job | null;
}

export function createAgentScheduler(options: AgentSchedulerOptions): AgentScheduler {
  const { db, clock, ids, events, logger, changes, processes, runner, timeZone } = options;
  const timers = new Map<string, Timer>();
  const inTurn = createLimiter(CLAIMS_AT_ONCE);
  const working = new Set<Promise<void>>();
  const closers: (() => unknown)[] = [];
  const missed = createTickCatchUp({ db, clock, logger, claim });
  let isRunning = false;
  let lookedUntilMs: number | null = null;

  /** Does work in the background that close() waits for. */
  function inBackground(what: string, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => logger.error({ err: error }, `${what} failed`))
      .finally(() => working.delete(done));
    working.add(done);
  }

  async function claim({ agent }: ScheduleOfAgent, tickAt: Date): Promise<void> {
    const attempt = { agent, tickAt, runId: ids() };
    const claimIt = () => claimTick({ db, clock, logger, runner }, attempt);
    const result: ClaimResult = await inTurn(() => retryWhileAway(claimIt, () => !isRunning));
    if (result === "outdated") return refresh(agent.id);
    if (typeof result === "string") return;
    events.publish({ resource: "agent", action: "run", resourceId: agent.id, resourceName: agent.name });
    void runner.execute(result);
  }

  function setTimer(timer: Timer, after: Date): void {
    const tickAt = timer.schedule.next(after);
    const fire = () => {
      if (timers.get(timer.agent.id) !== timer) return;
      inBackground("claiming a tick", async () => {
        await sleep(Math.random() * SPREAD_MS);
        await claim(timer, tickAt);
      });
      const now = clock.now();
      const isBehind = now.getTime() - tickAt.getTime() > IN_HAND_MS;
      if (isBehind) inBackground("catching up on ticks", () => missed.lookBack(timer, { from: tickAt, until: now }));
      setTimer(timer, isBehind ? now : tickAt);
    };
    // The library's types do not say that it may give none.
    timer.job = scheduleJob(tickAt, fire) as Job | null;
    // A time that has passed gets no timer.
    if (timer.job === null) setImmediate(fire);
  }

  function removeTimer(agentId: string): void {
    timers.get(agentId)?.job?.cancel();
    timers.delete(agentId);
  }

  /** Sets the agent's timer unless it has the right one; says whether it was set. */
  function ensureTimer(agent: ScheduledAgent): Timer | null {
    const current = timers.get(agent.id)?.agent;
    if (current?.scheduledSince === agent.scheduledSince && current.schedule === agent.schedule) return null;
    removeTimer(agent.id);
    const timer: Timer = { agent, schedule: createCronSchedule(agent.schedule, agent.timezone ?? timeZone), job: null };
    timers.set(agent.id, timer);
    setTimer(timer, clock.now());
    return timer;
  }

  async function refresh(agentId: string): Promise<void> {
    if (!isRunning) return;
    const [agent] = await selectScheduledAgents(db.pool, agentId);
    if (agent === undefined) removeTimer(agentId);
    else ensureTimer(agent);
  }

  /** Sets timers after the database, and makes up for ticks that were missed. */
  async function reconcile(): Promise<void> {
    const agents = await selectScheduledAgents(db.pool);
    const enabled = new Set(agents.map(({ id }) => id));
    for (const id of timers.keys()) if (!enabled.has(id)) removeTimer(id);
    for (const agent of agents) ensureTimer(agent);
    await lookBack();
  }

  async function lookBack(): Promise<void> {
    const nowMs = clock.now().getTime();
    const isFirst = lookedUntilMs === null;
    // Younger ticks are in hand: by timers here, or at the start by the other processes, if there are any.
    const until = new Date(isFirst && (await processes.isAlone()) ? nowMs : nowMs - IN_HAND_MS);
    const from = new Date(lookedUntilMs === null ? nowMs - LATE_AFTER_MS : lookedUntilMs - LOOK_BACK_OVERLAP_MS);
    for (const timer of timers.values()) {
      if (isFirst) await missed.skipLate(timer);
      await missed.lookBack(timer, { from, until });
    }
    lookedUntilMs = until.getTime();
  }

  return {
    get isRunning() {
      return isRunning;
    },
    async start() {
      isRunning = true;
      closers.push(
        changes.subscribe({
          onChanges(changed) {
            const schedules = changed.filter(
              ({ resource, action }) => resource === "agent" && !RUN_ACTIONS.has(action),
            );
            for (const id of new Set(schedules.map(({ resourceId }) => resourceId))) {
              inBackground("setting a timer", () => refresh(id));
            }
          },
          onGap: () => inBackground("setting timers", reconcile),
        }),
      );
      const onError = (error: unknown) =>
        logger.error({ err: error }, "timers could not be compared with the database");
      const reconciling = repeat(reconcile, { everyMs: RECONCILE_EVERY_MS, onError });
      const pruning = repeat(() => deleteTicksBefore(db.pool, new Date(clock.now().getTime() - TICKS_KEPT_MS)), {
        everyMs: PRUNE_EVERY_MS,
        onError,
      });
      closers.push(
        () => pruning.close(),
        () => reconciling.close(),
      );
    },
    async close() {
      isRunning = false;
      for (const id of timers.keys()) removeTimer(id);
      for (const close of closers.splice(0).toReversed()) await close();
      for (const id of timers.keys()) removeTimer(id);
      await Promise.all(working);
    },
  };
}

/** What happens to an agent's runs, and leaves its schedule alone. */
const RUN_ACTIONS = new Set(["run", "complete", "fail", "cancel"]);
