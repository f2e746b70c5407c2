import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidV7 } from "../../platform/ids.ts";
import { createSpendGuard } from "./spend-guard.ts";
import type { UsageSource, UsageStatsInput } from "./usage.schema.ts";
import { createUsageService, type UsageService } from "./usage.service.ts";

let database: TestDatabase;
let now: Date;
let service: UsageService;
beforeEach(async () => {
  database = await createTestDatabase();
  now = new Date("2026-03-10T12:34:56.789Z");
  const clock = { now: () => now };
  const { db } = database;
  service = createUsageService({
    db,
    clock,
    spendGuard: createSpendGuard({ db, clock, timeZone: "UTC", readDailyLimit: async () => null }),
  });
});
afterEach(() => database.close());

interface Given {
  at: string;
  source?: UsageSource;
  name?: string | null;
  model?: string;
  cost?: number;
  input?: number;
  output?: number;
  isCostKnown?: boolean;
}

const record = ({
  at,
  source = "chat",
  name = "A talk",
  model = "m",
  cost = 0.001,
  input = 10,
  output = 5,
  isCostKnown = true,
}: Given) =>
  database.db.pool.query(
    `INSERT INTO usage_records (id, source, source_name, search_text, model, input_tokens, output_tokens, cost_usd,
       is_cost_known, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [uuidV7(), source, name, name?.toLowerCase() ?? "", model, input, output, cost, isCostKnown, at],
  );

const stats = (input: Partial<UsageStatsInput> = {}) => service.stats({ period: "7d", granularity: "daily", ...input });
const dates = async (input: Partial<UsageStatsInput>) => (await stats(input)).dailyUsage.map(({ date }) => date);

describe("statistics", () => {
  test("of nothing are zeros, for every day that overlaps the window", async () => {
    const { dailyUsage, ...totals } = await stats();
    expect(totals).toEqual({
      totalCostUsd: 0,
      totalInputTokens: 0,
      totalOutputTokens: 0,
      totalCalls: 0,
      avgCostPerCall: 0,
      callsOfUnknownCost: 0,
      bySource: [],
      byModel: [],
      topConsumers: [],
    });
    expect(dailyUsage.map(({ date }) => date)).toEqual(
      ["03", "04", "05", "06", "07", "08", "09", "10"].map((day) => `2026-03-${day}`),
    );
    expect(dailyUsage[0]).toEqual({
      date: "2026-03-03",
      chat: 0,
      agent: 0,
      memory: 0,
      totalCost: 0,
      inputTokens: 0,
      outputTokens: 0,
      calls: 0,
    });
  });

  test("add up exactly to what is in the window", async () => {
    await record({ at: "2026-03-03T12:34:56.788Z", cost: 5 });
    await record({ at: "2026-03-03T12:34:56.789Z", cost: 0.1 });
    await record({ at: "2026-03-10T00:00:00Z", source: "agent", cost: 0.2, isCostKnown: false, model: "other" });
    await record({ at: "2026-03-10T12:34:56.789Z", source: "memory_extraction", name: null, cost: 0.000000001 });
    const found = await stats();
    expect(found).toMatchObject({
      totalCostUsd: 0.300000001,
      totalInputTokens: 30,
      totalOutputTokens: 15,
      totalCalls: 3,
      avgCostPerCall: 0.1,
      callsOfUnknownCost: 1,
      bySource: [
        { source: "agent", cost: 0.2, calls: 1, tokens: 15 },
        { source: "chat", cost: 0.1, calls: 1, tokens: 15 },
        { source: "memory_extraction", cost: 0.000000001, calls: 1, tokens: 15 },
      ],
      byModel: [
        { model: "other", cost: 0.2, calls: 1, tokens: 15 },
        { model: "m", cost: 0.100000001, calls: 2, tokens: 30 },
      ],
      topConsumers: [
        { name: "A talk", source: "agent", cost: 0.2, calls: 1 },
        { name: "A talk", source: "chat", cost: 0.1, calls: 1 },
        { name: "Unknown", source: "memory_extraction", cost: 0.000000001, calls: 1 },
      ],
    });
    expect(found.dailyUsage.at(0)).toMatchObject({ chat: 0.1, agent: 0, totalCost: 0.1, calls: 1 });
    expect(found.dailyUsage.at(-1)).toMatchObject({
      agent: 0.2,
      memory: 0.000000001,
      totalCost: 0.200000001,
      calls: 2,
    });
  });

  test("name the ten costliest", async () => {
    for (let index = 0; index < 12; index += 1)
      await record({ at: "2026-03-10T01:00:00Z", name: `n${index}`, cost: index });
    expect((await stats()).topConsumers.map(({ name }) => name)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `n${n}`),
    );
  });
});

describe("days and hours", () => {
  test.each([
    // With JavaScript's sign: positive is behind UTC.
    [{ tzOffset: 300 }, "2026-03-09", "2026-03-10"],
    [{ tzOffset: -330 }, "2026-03-10", "2026-03-11"],
    [{ tz: "America/New_York" }, "2026-03-09", "2026-03-10"],
    [{ tz: "Asia/Kolkata", tzOffset: 300 }, "2026-03-10", "2026-03-11"],
  ])("are those of %j", async (zone, early, late) => {
    now = new Date("2026-03-11T12:00:00Z");
    await record({ at: "2026-03-10T03:00:00Z", name: "early" });
    await record({ at: "2026-03-10T19:00:00Z", name: "late" });
    const { dailyUsage } = await stats(zone);
    const found = dailyUsage.filter(({ calls }) => calls > 0).map(({ date }) => date);
    expect(found).toEqual([early, late]);
  });

  test("are the 25 or 26 hours that overlap the window of a day", async () => {
    const hours = await dates({ period: "24h", granularity: "hourly" });
    expect(hours).toHaveLength(25);
    expect([hours.at(0), hours.at(-1)]).toEqual(["2026-03-09T12", "2026-03-10T12"]);
  });

  test("omit the hour that the clocks skip, and include the one that they repeat once", async () => {
    now = new Date("2026-03-29T12:00:00Z");
    const spring = await dates({ period: "24h", granularity: "hourly", tz: "Europe/Berlin" });
    expect(spring).not.toContain("2026-03-29T02");
    expect(spring).toContain("2026-03-29T03");
    now = new Date("2026-10-25T12:00:00Z");
    await record({ at: "2026-10-25T00:30:00Z" });
    await record({ at: "2026-10-25T01:30:00Z" });
    const { dailyUsage, totalCalls } = await stats({ period: "24h", granularity: "hourly", tz: "Europe/Berlin" });
    expect(dailyUsage.filter(({ date }) => date === "2026-10-25T02")).toMatchObject([{ calls: 2 }]);
    expect(totalCalls).toBe(2);
  });

  test.each(["Australia/Lord_Howe", "America/Santiago", "Pacific/Apia", "Africa/Casablanca"])(
    "cover the window and add up to the totals in %s, through every clock change",
    async (tz) => {
      for (let day = 0; day < 365; day += 3) {
        await record({
          at: new Date(Date.UTC(2026, 0, 1) + day * 86_400_000 + day * 1_234_567).toISOString(),
          cost: 0.001,
        });
      }
      for (const month of [1, 3, 4, 5, 9, 10, 11]) {
        now = new Date(Date.UTC(2026, month, 5, 7, 11));
        for (const granularity of ["daily", "hourly"] as const) {
          const { dailyUsage, totalCalls } = await stats({ period: "30d", granularity, tz });
          const labels = dailyUsage.map(({ date }) => date);
          expect(labels).toEqual([...new Set(labels)].toSorted());
          expect(dailyUsage.reduce((sum, { calls }) => sum + calls, 0)).toBe(totalCalls);
        }
      }
    },
  );
});

describe("the list", () => {
  test("is newest first, in pages, with the total number", async () => {
    for (let index = 0; index < 7; index += 1) await record({ at: `2026-03-09T0${index}:00:00Z`, name: `r${index}` });
    const page = await service.list({ period: "7d", page: 2, limit: 3 });
    expect(page.data.map(({ sourceName }) => sourceName)).toEqual(["r3", "r2", "r1"]);
    expect(page.pagination).toEqual({ page: 2, limit: 3, total: 7, totalPages: 3 });
    expect((await service.list({ period: "7d", page: 9, limit: 3 })).data).toEqual([]);
    expect((await service.list({ period: "24h", page: 1, limit: 3 })).pagination.total).toBe(0);
  });

  test("is filtered by source and by name, in any case, with wildcards as ordinary characters", async () => {
    await record({ at: "2026-03-09T01:00:00Z", name: "100% straße" });
    await record({ at: "2026-03-09T02:00:00Z", name: "Other", source: "agent" });
    const names = async (filter: object) =>
      (await service.list({ period: "7d", page: 1, limit: 20, ...filter })).data.map(({ sourceName }) => sourceName);
    expect(await names({ search: "100%" })).toEqual(["100% straße"]);
    expect(await names({ search: "OTHER" })).toEqual(["Other"]);
    expect(await names({ search: "%" })).toEqual(["100% straße"]);
    expect(await names({ source: "agent" })).toEqual(["Other"]);
  });
});
