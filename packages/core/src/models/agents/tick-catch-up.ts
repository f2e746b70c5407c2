import type { Deps } from "../../platform/deps.ts";
import { insertCoalescedTicks, selectLastTick, selectTicksSince, type ScheduledAgent } from "./agent-tick.queries.ts";
import type { CronSchedule } from "./cron-schedule.ts";
import { findMissedTicks, lastLateTick, recentTicks } from "./missed-ticks.ts";

/** An enabled agent and its schedule. */
export interface AgentSchedule {
  readonly agent: ScheduledAgent;
  readonly schedule: CronSchedule;
}

export interface TickCatchUpDeps extends Deps<"db" | "clock" | "logger"> {
  readonly claim: (scheduled: AgentSchedule, tickAt: Date) => Promise<void>;
}

/** Makes up for ticks that no process has claimed. */
export interface TickCatchUp {
  /**
   * Runs the missed ticks in a window, which must end early enough that timers cover all later ticks. Ticks lost by a process
   * that died are run one by one; of those that were due while no server was running, only the last is run, for all of them.
   */
  runMissed(scheduled: AgentSchedule, window: { from: Date; until: Date }): Promise<void>;
  /** Records the last tick that is too late to be run as skipped. */
  skipLate(scheduled: AgentSchedule): Promise<void>;
}

export function createTickCatchUp({ db, clock, logger, claim }: TickCatchUpDeps): TickCatchUp {
  return {
    async runMissed(scheduled, { from, until }) {
      const { agent, schedule } = scheduled;
      const since = new Date(Math.max(Date.parse(agent.scheduledSince), from.getTime()));
      const due = recentTicks(schedule, since, until);
      const [first] = due;
      if (first === undefined) return;
      const { lost, last, coalesced } = findMissedTicks(due, await selectTicksSince(db.pool, agent.id, first));
      for (const tickAt of lost) await claim(scheduled, tickAt);
      if (coalesced.length > 0) {
        await insertCoalescedTicks(db.pool, { agentId: agent.id, ticks: coalesced, claimedAt: clock.now() });
        logger.info(
          { agentId: agent.id, agentName: agent.name, count: coalesced.length },
          "missed ticks are coalesced into one run",
        );
      }
      if (last !== null) await claim(scheduled, last);
    },

    async skipLate(scheduled) {
      const { agent, schedule } = scheduled;
      const lastTick = await selectLastTick(db.pool, agent.id);
      const since = Math.max(Date.parse(agent.scheduledSince), lastTick === null ? 0 : Date.parse(lastTick));
      const late = lastLateTick(schedule, new Date(since), clock.now());
      if (late !== null) await claim(scheduled, late);
    },
  };
}
