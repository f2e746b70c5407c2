import { createListener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { uuidV7 } from "../../platform/ids.ts";
import { silentLogger, type Logger } from "../../platform/logger.ts";
import { createProcessRegistry } from "../../platform/process-registry.ts";
import { createAgentRunner } from "./agent-runner.ts";
import { deleteTicksBefore, selectScheduledAgents, type ScheduledAgent } from "./agent-tick.queries.ts";
import { deleteAgent, insertAgent } from "./agent.queries.ts";
import { createCronSchedule } from "./cron-schedule.ts";
import { createTickCatchUp } from "./tick-catch-up.ts";
import { claimTick, type ClaimResult, type TickClaimDeps } from "./tick-claim.ts";

const HOUR_MS = 60 * 60 * 1000;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const everyMinute = createCronSchedule("* * * * *", "UTC");
const everyYear = createCronSchedule("0 0 1 1 *", "UTC");

let database: TestDatabase;
let deps: TestDeps;
let claimDeps: TickClaimDeps;
let agent: ScheduledAgent;
const logged: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const { db, poolConfig } = database;
  await db.pool.query("TRUNCATE users CASCADE");
  logged.length = 0;
  const note = (level: string) => (fields: object, message: string) =>
    void logged.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, info: note("info"), warn: note("warn") };
  deps = { ...createTestDeps(db, at(0)), logger };
  const runner = createAgentRunner({
    ...deps,
    listener: createListener(poolConfig, { log: silentLogger }),
    processes: createProcessRegistry({ ...deps, leaseMs: 1_000 }),
    modelName: async () => null,
    executeRun: () => Promise.resolve(),
  });
  claimDeps = { ...deps, runner };
  agent = await makeAgent();
});

/** An agent whose schedule has been in force for a day. */
async function makeAgent(): Promise<ScheduledAgent> {
  const userId = uuidV7();
  const user = "INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())";
  await database.db.pool.query(user, [userId]);
  const id = uuidV7();
  await insertAgent(database.db.pool, {
    id,
    name: "Tick",
    description: null,
    schedule: "* * * * *",
    timezone: null,
    prompt: "Work",
    enabled: true,
    maxTurns: 1,
    maxBudgetUsd: null,
    dailyBudgetUsd: null,
    tools: null,
    allowDestructive: false,
    scheduledSince: at(-24 * 60),
    creatorId: userId,
    createdAt: at(-24 * 60),
    updatedAt: at(-24 * 60),
  });
  const [scheduled] = await selectScheduledAgents(database.db.pool, id);
  if (scheduled === undefined) throw new Error("the agent does not exist");
  return scheduled;
}

async function select<Row extends object>(text: string): Promise<Row[]> {
  return (await database.db.pool.query<Row>(text)).rows;
}

/** `started 12:05`, for each claimed tick. */
async function ticks(): Promise<string[]> {
  const rows = await select<{ outcome: string; tickAt: string }>(
    `SELECT outcome, tick_at AS "tickAt" FROM agent_ticks ORDER BY tick_at`,
  );
  return rows.map(({ outcome, tickAt }) => `${outcome} ${new Date(tickAt).toISOString().slice(11, 16)}`);
}

const runs = () =>
  select<{ id: string; status: string; trigger: string }>("SELECT id, status, trigger FROM agent_runs");
const endRuns = () => database.db.pool.query("UPDATE agent_runs SET status = 'success'");

const claim = (tickAt: Date, runId = uuidV7()): Promise<ClaimResult> => claimTick(claimDeps, { agent, tickAt, runId });

describe("a tick", () => {
  test("starts a run that is stored with it", async () => {
    const runId = uuidV7();
    expect(await claim(at(0), runId)).toMatchObject({ id: runId, question: null, startedAt: at(0) });
    expect(await ticks()).toEqual(["started 12:00"]);
    expect(await runs()).toEqual([{ id: runId, status: "running", trigger: "schedule" }]);
  });

  test("starts the same run when the process that claimed it retries", async () => {
    const runId = uuidV7();
    await claim(at(0), runId);
    expect(await claim(at(0), runId)).toMatchObject({ id: runId });
    expect(await runs()).toHaveLength(1);
  });

  test("belongs to only one of many that claim it at the same time", async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => claim(at(0))));
    expect(results.filter((result) => result === "taken")).toHaveLength(9);
    expect(await runs()).toHaveLength(1);
    expect(await claim(at(0))).toBe("taken");
  });

  test("is skipped while the agent is still running, and the next one is not", async () => {
    await claim(at(0));
    expect(await claim(at(1))).toBe("skipped");
    expect(logged).toEqual([
      `info: skipped a tick because the agent is still running ${JSON.stringify({
        agentId: agent.id,
        agentName: "Tick",
        tickAt: "2026-01-01T12:01:00.000Z",
      })}`,
    ]);
    await endRuns();
    expect(await claim(at(2))).toMatchObject({ agent: { id: agent.id } });
    expect(await ticks()).toEqual(["started 12:00", "skipped_overlap 12:01", "started 12:02"]);
  });

  test("is run up to an hour late, and no later", async () => {
    deps.clock.set(new Date(at(0).getTime() + HOUR_MS));
    expect(await claim(at(0))).toMatchObject({ startedAt: at(60) });
    await endRuns();
    deps.clock.set(new Date(at(1).getTime() + HOUR_MS + 1));
    expect(await claim(at(1))).toBe("skipped");
    expect(logged).toEqual([expect.stringMatching(/^warn: skipped a tick that was missed more than an hour ago/)]);
    expect(await ticks()).toEqual(["started 12:00", "skipped_late 12:01"]);
  });

  test("is outdated if the schedule was changed, or the agent deleted, since its timer was set", async () => {
    await database.db.pool.query("UPDATE agents SET scheduled_since = now()");
    expect(await claim(at(0))).toBe("outdated");
    await deleteAgent(database.db.pool, agent.id);
    expect(await claim(at(0))).toBe("outdated");
    expect(await ticks()).toEqual([]);
    expect(await runs()).toEqual([]);
  });

  test("is deleted when it is old, unless it is the last one of its agent", async () => {
    for (const minute of [0, 1, 2]) await claim(at(minute));
    await deleteTicksBefore(database.db.pool, at(1));
    expect(await ticks()).toEqual(["skipped_overlap 12:01", "skipped_overlap 12:02"]);
    await deleteTicksBefore(database.db.pool, at(60));
    expect(await ticks()).toEqual(["skipped_overlap 12:02"]);
  });
});

describe("unclaimed ticks", () => {
  const claimed: Date[] = [];
  const catchUp = () => {
    claimed.length = 0;
    return createTickCatchUp({
      ...deps,
      claim: (_scheduled, tickAt) => {
        claimed.push(tickAt);
        return Promise.resolve();
      },
    });
  };
  const runMissed = (from: Date, until: Date, schedule = everyMinute) =>
    catchUp().runMissed({ agent, schedule }, { from, until });

  test("are coalesced into one run if no server was running", async () => {
    await claim(at(1));
    await runMissed(at(0), at(4));
    expect(claimed).toEqual([at(4)]);
    expect(await ticks()).toEqual(["started 12:01", "coalesced 12:02", "coalesced 12:03"]);
    expect(logged).toEqual([
      `info: missed ticks are coalesced into one run {"agentId":"${agent.id}","agentName":"Tick","count":2}`,
    ]);
  });

  test("are run one by one if later ones were claimed", async () => {
    await claim(at(1));
    await claim(at(4));
    logged.length = 0;
    await runMissed(at(0), at(4));
    expect(claimed).toEqual([at(2), at(3)]);
    expect(await ticks()).toEqual(["started 12:01", "skipped_overlap 12:04"]);
    expect(logged).toEqual([]);
  });

  test("are not looked for before the window, nor before the schedule was created", async () => {
    await runMissed(at(2), at(3));
    expect(claimed).toEqual([at(3)]);
    agent = { ...agent, scheduledSince: at(5).toISOString() };
    await runMissed(at(0), at(6));
    expect(claimed).toEqual([at(6)]);
    await runMissed(at(0), at(5));
    expect(claimed).toEqual([]);
    expect(await ticks()).toEqual([]);
  });

  test("do not exist if none was due", async () => {
    await runMissed(at(0), at(5), everyYear);
    expect(claimed).toEqual([]);
  });

  test("are recorded as skipped only for the last one that is too late, unless it was claimed", async () => {
    deps.clock.set(at(90));
    await catchUp().skipLate({ agent, schedule: everyMinute });
    expect(claimed).toEqual([at(29)]);
    await claim(at(29));
    await catchUp().skipLate({ agent, schedule: everyMinute });
    expect(claimed).toEqual([]);
  });

  test("are not skipped if the schedule is more recent", async () => {
    deps.clock.set(at(90));
    agent = { ...agent, scheduledSince: at(29).toISOString() };
    await catchUp().skipLate({ agent, schedule: everyMinute });
    expect(claimed).toEqual([]);
  });
});
