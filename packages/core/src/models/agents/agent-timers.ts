import { scheduleJob, type Job } from "node-schedule";
import type { Clock } from "../../platform/clock.ts";
import type { ScheduledAgent } from "./agent-tick.queries.ts";
import { createCronSchedule } from "./cron-schedule.ts";
import type { AgentSchedule } from "./tick-catch-up.ts";

/** A timer that lags by less still fires for every single tick; beyond that, the ticks in between count as missed. */
export const MAX_TIMER_LAG_MS = 30_000;

export interface AgentTimersOptions {
  readonly clock: Clock;
  /** For agents without a time zone of their own. */
  readonly timeZone: string;
  /** An agent is due. */
  onTick(due: AgentSchedule, tickAt: Date): void;
  /** A timer fired too late, so that ticks in this window may have been missed. */
  onLag(lagging: AgentSchedule, window: { from: Date; until: Date }): void;
}

/** One timer per enabled agent, set for its next tick. */
export interface AgentTimers {
  /** Sets the agent's timer, unless its schedule is unchanged. */
  set(agent: ScheduledAgent): void;
  remove(agentId: string): void;
  removeAll(): void;
  /** The schedules that have timers. */
  schedules(): Iterable<AgentSchedule>;
}

interface Timer extends AgentSchedule {
  job: Job | null;
}

export function createAgentTimers({ clock, timeZone, onTick, onLag }: AgentTimersOptions): AgentTimers {
  const timers = new Map<string, Timer>();

  function setNext(timer: Timer, after: Date): void {
    const tickAt = timer.schedule.next(after);
    const fire = () => {
      if (timers.get(timer.agent.id) !== timer) return;
      onTick(timer, tickAt);
      const now = clock.now();
      const isLagging = now.getTime() - tickAt.getTime() > MAX_TIMER_LAG_MS;
      if (isLagging) onLag(timer, { from: tickAt, until: now });
      setNext(timer, isLagging ? now : tickAt);
    };
    // The library's types do not say that it returns null for a time that has passed.
    timer.job = scheduleJob(tickAt, fire) as Job | null;
    if (timer.job === null) setImmediate(fire);
  }

  function remove(agentId: string): void {
    timers.get(agentId)?.job?.cancel();
    timers.delete(agentId);
  }

  return {
    set(agent) {
      const current = timers.get(agent.id)?.agent;
      if (current?.scheduledSince === agent.scheduledSince && current.schedule === agent.schedule) return;
      remove(agent.id);
      const schedule = createCronSchedule(agent.schedule, agent.timezone ?? timeZone);
      const timer: Timer = { agent, schedule, job: null };
      timers.set(agent.id, timer);
      setNext(timer, clock.now());
    },
    remove,
    removeAll() {
      for (const id of timers.keys()) remove(id);
    },
    schedules: () => timers.values(),
  };
}
