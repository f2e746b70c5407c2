/**
 * Times the hook statistics over 30 days with 100,000 and with 1,000,000 events in the window, on the embedded database with
 * default settings, and checks that the buckets add up to the totals:
 *
 *   npm run bench -- hook-statistics [events …]
 */
import { systemClock } from "@workspace/core";
import { createHookStatisticsService, type HookStatisticsService } from "@workspace/core/testing";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { seedHookEvents } from "./seed.ts";

const SIZES = process.argv.slice(2).map(Number);
const ROUNDS = 30;

for (const size of SIZES.length > 0 ? SIZES : [100_000, 1_000_000]) {
  await withBenchDatabase((db) => measure(db, createHookStatisticsService({ db, clock: systemClock }), size));
}

async function measure(db: Db, statistics: HookStatisticsService, size: number): Promise<void> {
  const loadMs = await time(() => seedHookEvents(db.pool, size));
  const firstMs = await time(() => statistics.summarize({ period: "30d" }));
  console.log(
    `${size} events in 30 days: loaded in ${round(loadMs)} ms, first request (counts them) ${round(firstMs)} ms`,
  );
  for (const tz of ["UTC", "America/New_York", "Asia/Kathmandu"]) {
    const times: number[] = [];
    for (let index = 0; index < ROUNDS; index += 1) {
      times.push(await time(() => statistics.summarize({ period: "30d", tz })));
    }
    console.log(`  ${tz.padEnd(18)} ${describe(times)}`);
  }
  const lateMs = await time(async () => {
    await insertLateEvents(db);
    await statistics.summarize({ period: "30d" });
  });
  console.log(`  after 500 late events in 500 hours: ${round(lateMs)} ms`);
  await assertAddsUp(db, statistics);
}

async function insertLateEvents(db: Db): Promise<void> {
  await db.pool.query(
    `INSERT INTO hook_events (id, event_type, tool_name, blocked, created_at)
     SELECT gen_random_uuid(), 'PreToolUse', 'Late', false, now() - interval '1 hour' * i - interval '20 minutes'
     FROM generate_series(1, 500) AS i`,
  );
}

async function assertAddsUp(db: Db, statistics: HookStatisticsService): Promise<void> {
  const { totalEvents, dailyActivity, eventsByType } = await statistics.summarize({ period: "30d" });
  const { rows } = await db.pool.query<{ total: number }>(
    "SELECT count(*) AS total FROM hook_events WHERE created_at >= now() - interval '720 hours'",
  );
  const days = dailyActivity.reduce((sum, day) => sum + day.total, 0);
  const types = Object.values(eventsByType).reduce((sum, total) => sum + total, 0);
  console.log(
    `  total ${totalEvents}, sum of days ${days}, sum of types ${types}; counted one by one ${rows[0]?.total}`,
  );
  if (totalEvents !== days || days !== types) throw new Error("The buckets do not add up.");
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`;
}

function round(ms: number): string {
  return ms.toFixed(1);
}
