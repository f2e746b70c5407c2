import type { Agent, NextRuns, StoredAgent } from "./agent.schema.ts";
import { createCronSchedule, nextTimes } from "./cron-schedule.ts";

const PREVIEW_LENGTH = 5;

/** Adds the agent's next run, which follows from its schedule and the time. */
export function withNextRun(agent: StoredAgent, defaultTimeZone: string, now: Date): Agent {
  const schedule = createCronSchedule(agent.schedule, agent.timezone ?? defaultTimeZone);
  return { ...agent, nextRunAt: agent.enabled ? schedule.next(now).toISOString() : null };
}

/** When a schedule is next due. */
export function previewSchedule(schedule: string, timezone: string, now: Date): NextRuns {
  const times = nextTimes(createCronSchedule(schedule, timezone), now, PREVIEW_LENGTH);
  return { timezone, nextRuns: times.map((time) => time.toISOString()) };
}
