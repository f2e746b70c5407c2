import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { insertCoalescedTicks, selectLastTick, selectTicksSince, type ScheduledAgent } from "./agent-tick.queries.ts";
import type { CronSchedule } from "./cron-schedule.ts";
import { findMissedTicks, lastLateTick, recentTicks } from "./missed-ticks.ts";

/** An enabled agent and when it is due. */
export interface ScheduleOfAgent {
  readonly agent: ScheduledAgent;
  readonly schedule: CronSchedule;
}

export interface TickCatchUpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claim: (of: ScheduleOfAgent, tickAt: Date) => Promise<void>;
}

/** Makes up for ticks that nobody has taken. */
export interface TickCatchUp {
  /**
   * Looks at the ticks in a window that ends when the ticks after it are surely in hand. Those that a process which died had
   * in hand are run, each; of those that were due while no server was there only the last is, for all of them.
   */
  lookBack(of: ScheduleOfAgent, window: { from: Date; until: Date }): Promise<void>;
  /** Records the last tick that is too old to be run, so that it is known to be skipped. */
  skipLate(of: ScheduleOfAgent): Promise<void>;
}

export function createTickCatchUp({ db, clock, logger, claim }: TickCatchUpDeps): TickCatchUp {
  return {
    async lookBack(of, { from, until }) {
      const { agent, schedule } = of;
      const since = new Date(Math.max(Date.parse(agent.scheduledSince), from.getTime()));
      const due = recentTicks(schedule, since, until);
      const [first] = due;
      if (first === undefined) return;
      const { lost, last, coalesced } = findMissedTicks(due, await selectTicksSince(db.pool, agent.id, first));
      for (const tickAt of lost) await claim(of, tickAt);
      if (coalesced.length > 0) {
        await insertCoalescedTicks(db.pool, { agentId: agent.id, ticks: coalesced, claimedAt: clock.now() });
        logger.info(
          { agentId: agent.id, agentName: agent.name, count: coalesced.length },
          "missed ticks are run as one",
        );
      }
      if (last !== null) await claim(of, last);
    },

    async skipLate(of) {
      const { agent, schedule } = of;
      const lastTick = await selectLastTick(db.pool, agent.id);
      const since = Math.max(Date.parse(agent.scheduledSince), lastTick === null ? 0 : Date.parse(lastTick));
      const late = lastLateTick(schedule, new Date(since), clock.now());
      if (late !== null) await claim(of, late);
    },
  };
}
