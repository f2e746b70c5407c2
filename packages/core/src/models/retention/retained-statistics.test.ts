import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createHookStatisticsService } from "../../assistants/hooks/hook-statistics.service.ts";
import { selectGroupedTotals } from "../../assistants/assistant-usage/assistant-usage.queries.ts";
import { statisticsWindow } from "../../platform/statistics-window.ts";
import { selectRunStats } from "../agents/agent-stats.queries.ts";
import { selectUsage, selectUsageStats } from "../usage/usage.queries.ts";
import { createPruning } from "./pruning.ts";
import { forEachKind, RETENTION_RULES } from "./retention-kinds.ts";

const HOUR_MS = 3_600_000;
const ZONES = [
  { tz: "UTC" },
  { tz: "America/New_York" },
  { tz: "Asia/Kathmandu" },
  { tz: "Australia/Lord_Howe" },
  { tz: "Pacific/Kiritimati" },
  { tzOffset: -765 },
  { tzOffset: 840 },
];
const PERIODS = ["24h", "7d", "30d"] as const;
const AGENT = "0190a000-0000-7000-8000-000000000001";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  // The database's clock determines which hours are counted, so this must be the real time.
  deps = createTestDeps(database.db, new Date());
  await query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@example.org', now())", [AGENT]);
  await query(
    `INSERT INTO agents (id, name, schedule, prompt, scheduled_since, creator_id, created_at, updated_at)
     VALUES ($1, 'A', '* * * * *', 'p', now(), $1, now(), now())`,
    [AGENT],
  );
});
afterAll(() => database.close());

const query = async (text: string, values: unknown[] = []) => (await database.db.pool.query(text, values)).rows;

/** When something happened, in milliseconds before now: often at the edges of what statistics cover, and of what is kept. */
const agoMs = fc.oneof(
  fc.integer({ min: 0, max: 60 * 24 * HOUR_MS }),
  fc
    .record({ hours: fc.constantFrom(24, 168, 720, 744, 745, 768, 800), ms: fc.integer({ min: -2, max: 2 }) })
    .map(({ hours, ms }) => hours * HOUR_MS + ms),
);
const happening = fc.record({ agoMs, n: fc.integer({ min: 0, max: 5 }), isBad: fc.boolean() });

async function store(happenings: readonly { agoMs: number; n: number; isBad: boolean }[]): Promise<void> {
  const rows = JSON.stringify(
    happenings.map(({ agoMs: ms, ...rest }) => ({
      ...rest,
      at: new Date(deps.clock.now().getTime() - ms).toISOString(),
    })),
  );
  const from = `FROM jsonb_to_recordset($1) AS r (at timestamptz, n int, "isBad" boolean)`;
  await query(
    `INSERT INTO hook_events (id, event_type, session_id, tool_name, blocked, duration_ms, created_at)
     SELECT gen_random_uuid(), 'PreToolUse', 's' || n, 'T' || n, "isBad", n, at ${from} ORDER BY at`,
    [rows],
  );
  await query(
    `INSERT INTO usage_records (id, source, source_name, model, input_tokens, output_tokens, cost_usd, is_cost_known, created_at)
     SELECT gen_random_uuid(), 'agent', 'A' || n, 'm' || n, n, 1, n * 0.1, NOT "isBad", at ${from}`,
    [rows],
  );
  await query(
    `INSERT INTO agent_runs (id, agent_id, status, trigger, cost_usd, started_at, completed_at, duration_ms)
     SELECT gen_random_uuid(), $2, CASE WHEN "isBad" THEN 'error' ELSE 'success' END::run_status, 'manual', n * 0.1, at, at, n ${from}`,
    [rows, AGENT],
  );
  await query(
    `INSERT INTO assistant_usage (id, session_id, message_id, request_id, model, input_tokens, output_tokens, cost_usd, created_at)
     SELECT gen_random_uuid(), 's' || n, gen_random_uuid(), 'r', 'm', n, 1, n * 0.1, at ${from}`,
    [rows],
  );
}

async function everyFigure(zone: (typeof ZONES)[number]): Promise<unknown> {
  const figures: unknown[] = [];
  for (const period of PERIODS) {
    const window = statisticsWindow(period, zone, deps.clock.now());
    figures.push(
      await createHookStatisticsService(deps).summarize({ period, ...zone }),
      await selectUsageStats(database.db.pool, window, "day"),
      await selectUsageStats(database.db.pool, window, "hour"),
      await selectUsage(database.db.pool, { from: window.from, limit: 100, page: 1 }),
      await selectRunStats(database.db.pool, window, null),
      await selectGroupedTotals(database.db.pool, window),
    );
  }
  return figures;
}

test(
  "statistics are the same before and after the removal of what is old, in every period and zone",
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { maxLength: 40 }),
        fc.array(happening, { maxLength: 10 }),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 31, max: 50 }),
        fc.boolean(),
        async (first, late, zone, days, isCountedBefore) => {
          await query(
            "TRUNCATE hook_events, hook_hourly_counts, hook_stale_hours, settings, usage_records, agent_runs",
          );
          await query("TRUNCATE assistant_usage, assistant_session_usage");
          await store(first);
          if (isCountedBefore) await createHookStatisticsService(deps).prepare();
          await store(late);
          const before = await everyFigure(zone);
          const pruning = createPruning({
            ...deps,
            oldTrash: { removeBefore: () => Promise.resolve(0) },
            retentionDays: () =>
              Promise.resolve({
                ...forEachKind((kind) => RETENTION_RULES[kind].default),
                hookEvents: days,
                usage: days,
                runs: days,
                assistantUsage: days,
              }),
          });
          const done = await pruning.prune({ signal: new AbortController().signal, isBackground: false });
          const isOld = ({ agoMs: ms }: { agoMs: number }) => ms > days * 24 * HOUR_MS;
          const removed = done?.removed.find(({ kind }) => kind === "hookEvents")?.rows ?? 0;
          expect(removed).toBe([...first, ...late].filter(isOld).length);
          expect(await everyFigure(zone)).toEqual(before);
          await createHookStatisticsService(deps).prepare();
          expect(await everyFigure(zone)).toEqual(before);
        },
      ),
      { numRuns: 25 },
    );
  },
);
