import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { HOOK_EVENT_TYPES, type RecordHookEvent } from "./hook-event.schema.ts";
import { createHookEventService } from "./hook-event.service.ts";
import type { HookStatistics } from "./hook-statistics.schema.ts";
import { createHookStatisticsService } from "./hook-statistics.service.ts";

const HOUR_MS = 3_600_000;
const PERIOD_HOURS = { "24h": 24, "7d": 168, "30d": 720 } as const;
const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"] as const;

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await clear();
  // The database's clock determines which hours are counted, so this must be the real time.
  deps = createTestDeps(database.db, new Date());
});
afterAll(() => database.close());

const clear = () => database.db.pool.query("TRUNCATE hook_events, hook_hourly_counts, hook_stale_hours, settings");
const record = (events: RecordHookEvent[]) => createHookEventService(deps).recordBatch(events);
const summarize = (period: keyof typeof PERIOD_HOURS, tz: string) =>
  createHookStatisticsService(deps).summarize({ period, tz });
const ago = (ms: number) => new Date(deps.clock.now().getTime() - ms).toISOString();

const event = fc.record({
  eventType: fc.constantFrom(...HOOK_EVENT_TYPES),
  toolName: fc.constantFrom(null, "Bash", "Edit", "mcp__x__y"),
  blocked: fc.boolean(),
  durationMs: fc.option(fc.integer({ min: 0, max: 100 })),
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 740 * HOUR_MS }),
    // The edges of hours and of the windows.
    fc
      .record({ hours: fc.integer({ min: 0, max: 722 }), ms: fc.integer({ min: -2, max: 2 }) })
      .map(({ hours, ms }) => Math.max(0, hours * HOUR_MS + ms)),
  ),
});
type GeneratedEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

const mean = (events: readonly GeneratedEvent[]): number => {
  const durations = events.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  return durations.length === 0 ? 0 : durations.reduce((sum, ms) => sum + ms, 0) / durations.length;
};
const count = (events: readonly GeneratedEvent[]) => ({
  total: events.length,
  blocked: events.filter((event) => event.blocked).length,
  avgDurationMs: expect.closeTo(mean(events), 1),
});

/** The statistics, computed naively. */
function countNaively(events: readonly GeneratedEvent[], hours: number, tz: string) {
  const inWindow = events.filter(({ agoMs }) => agoMs <= hours * HOUR_MS);
  const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: tz });
  const day = (agoMs: number) => calendar.format(deps.clock.now().getTime() - agoMs);
  const days = new Set<string>();
  for (let ms = 0; ms <= hours * HOUR_MS; ms += HOUR_MS / 4) days.add(day(ms));
  const { total, blocked, avgDurationMs } = count(inWindow);
  return {
    totalEvents: total,
    blockedEvents: blocked,
    avgDurationMs,
    eventsByType: Object.fromEntries(
      HOOK_EVENT_TYPES.map(
        (type) => [type, inWindow.filter((event) => event.eventType === type).length] as const,
      ).filter(([, total]) => total > 0),
    ),
    toolBreakdown: expect.arrayContaining(
      ["Bash", "Edit", "mcp__x__y"]
        .map((toolName) => ({ toolName, ...count(inWindow.filter((event) => event.toolName === toolName)) }))
        .filter(({ total }) => total > 0),
    ),
    dailyActivity: [...days].toSorted().map((date) => {
      const counts = count(inWindow.filter(({ agoMs }) => day(agoMs) === date));
      return { date, ...counts, allowed: counts.total - counts.blocked };
    }),
  };
}

const sumOf = (statistics: HookStatistics, field: "total" | "blocked") =>
  statistics.dailyActivity.reduce((sum, day) => sum + day[field], 0);

describe("statistics", () => {
  test("equal a naive computation, even if events arrive late, in every period and zone", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 60 }),
        fc.array(event, { maxLength: 20 }),
        fc.constantFrom(...ZONES),
        async (first, later, tz) => {
          await clear();
          const toInput = ({ agoMs, ...rest }: GeneratedEvent) => ({ ...rest, occurredAt: ago(agoMs) });
          await record(first.map(toInput));
          await createHookStatisticsService(deps).prepare();
          await record(later.map(toInput));
          for (const period of ["24h", "7d", "30d"] as const) {
            const statistics = await summarize(period, tz);
            expect(statistics).toMatchObject(countNaively([...first, ...later], PERIOD_HOURS[period], tz));
            expect(sumOf(statistics, "total")).toBe(statistics.totalEvents);
            expect(sumOf(statistics, "blocked")).toBe(statistics.blockedEvents);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test("are correct while others record and count concurrently", async () => {
    const late = (index: number) => ({
      eventType: "PreToolUse" as const,
      occurredAt: ago(((index * 13) % 600) * HOUR_MS),
    });
    const writers = Array.from({ length: 6 }, async () => {
      for (let batch = 0; batch < 5; batch += 1) await record(Array.from({ length: 40 }, (_, index) => late(index)));
    });
    const counters = Array.from({ length: 3 }, async () => {
      for (let round = 0; round < 8; round += 1) await createHookStatisticsService(deps).prepare();
    });
    await Promise.all([...writers, ...counters]);
    expect((await summarize("30d", "UTC")).totalEvents).toBe(1200);
  });

  test("include an event that is being recorded while the events of its hour are counted", async () => {
    const { pool } = database.db;
    await createHookStatisticsService(deps).prepare();
    await record([{ eventType: "PreToolUse", occurredAt: ago(50 * HOUR_MS) }]);
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await client.query(
        "INSERT INTO hook_events SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).* FROM hook_events e",
      );
      await createHookStatisticsService(deps).prepare();
      await client.query("COMMIT");
    } finally {
      client.release();
    }
    expect((await summarize("7d", "UTC")).totalEvents).toBe(2);
  });

  test("follow direct changes of the table", async () => {
    await record([{ eventType: "PreToolUse", occurredAt: ago(50 * HOUR_MS) }]);
    expect((await summarize("7d", "UTC")).totalEvents).toBe(1);
    await database.db.pool.query("DELETE FROM hook_events");
    expect((await summarize("7d", "UTC")).totalEvents).toBe(0);
  });

  test("are zero for every day without events", async () => {
    const statistics = await summarize("7d", "UTC");
    expect(statistics).toMatchObject({
      totalEvents: 0,
      blockRate: 0,
      avgDurationMs: 0,
      eventsByType: {},
      toolBreakdown: [],
      recentSessions: [],
    });
    expect(statistics.dailyActivity).toHaveLength(8);
  });

  test("rank tools by their calls and round the block rate to two decimals", async () => {
    const call = (toolName: string, blocked = false) => ({ eventType: "PreToolUse" as const, toolName, blocked });
    await record([call("Edit"), call("Bash", true), call("Bash")]);
    const { blockRate, toolBreakdown } = await summarize("24h", "UTC");
    expect(blockRate).toBe(33.33);
    expect(toolBreakdown.map(({ toolName }) => toolName)).toEqual(["Bash", "Edit"]);
  });

  test("include the last ten sessions, each once, newest first", async () => {
    const inSession = (session: number, minutesAgo: number) => ({
      eventType: "PreToolUse" as const,
      sessionId: `s${session}`,
      occurredAt: ago(minutesAgo * 60_000),
    });
    await record([
      ...Array.from({ length: 12 }, (_, session) => inSession(session, 100 - session)),
      ...Array.from({ length: 30 }, () => inSession(3, 5)),
      { eventType: "PreToolUse" },
    ]);
    expect((await summarize("24h", "UTC")).recentSessions).toEqual([
      "s3",
      "s11",
      "s10",
      "s9",
      "s8",
      "s7",
      "s6",
      "s5",
      "s4",
      "s2",
    ]);
  });
});
