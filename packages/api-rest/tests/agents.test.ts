import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN } from "./credentials.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const YEARLY = "0 0 29 2 *";

let model: ModelDouble;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  model = await startModelDouble();
  const env = {
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
    TZ: "Europe/Berlin",
  };
  server = await startTestServer(env);
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const create = async (body: object = {}) =>
  (await api("POST", "/api/agents", { body: { name: "Agent", schedule: YEARLY, prompt: "Work", ...body } })).body.data;
const runsOf = async (id: string, query = "") => (await api("GET", `/api/agents/${id}/runs?${query}`)).body.data;

async function waitForRun(id: string, runId: string) {
  for (;;) {
    const { data } = (await api("GET", `/api/agents/${id}/runs/${runId}`)).body;
    if (data.status !== "running") return data;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
async function run(id: string) {
  const { body } = await api("POST", `/api/agents/${id}/run`);
  return waitForRun(id, body.runId);
}

/** Starts a run whose answer never ends, once the model has been asked: a reply it had not taken would go to the next run. */
async function startEndlessRun(id: string): Promise<string> {
  const requestCount = model.requests.length;
  model.reply({ text: ["a", "b"], fault: { kind: "hang", afterChunks: 1 } });
  const { body } = await api("POST", `/api/agents/${id}/run`);
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(requestCount + 1);
  return body.runId;
}

describe("creating", () => {
  test("returns the agent with the contract's defaults", async () => {
    const { status, body } = await api("POST", "/api/agents", {
      body: { name: "  Scribe ", schedule: "30 2 * * *", prompt: "Write" },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.any(String),
      name: "Scribe",
      description: null,
      schedule: "30 2 * * *",
      timezone: null,
      prompt: "Write",
      enabled: true,
      maxTurns: 50,
      maxBudgetUsd: null,
      dailyBudgetUsd: null,
      tools: [
        "search",
        "tasks_list",
        "tasks_tags",
        "tasks_count",
        "tasks_parties",
        "tasks_get",
        "tasks_ready",
        "tasks_blocks",
        "tasks_reminders",
        "tasks_details",
        "tasks_linked",
        "tasks_activity",
        "tasks_sessions",
        "tasks_views",
        "projects_list",
        "notes_search",
        "fs_list",
        "fs_read",
        "memory_search",
        "notes_read",
        "query_run",
        "session_search",
        "session_list",
        "why",
      ],
      allowDestructive: false,
      nextRunAt: expect.stringMatching(TIMESTAMP),
      lastRunAt: null,
      lastStatus: null,
      creator: { id: expect.any(String), name: ADMIN.name },
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
      version: "1",
    });
    expect((await api("GET", `/api/agents/${body.data.id}`)).body).toEqual(body);
  });

  test.each([
    ["no name", { name: undefined }],
    ["an empty name", { name: " " }],
    ["no schedule", { schedule: undefined }],
    ["a schedule of four fields", { schedule: "* * * *" }],
    ["a schedule that never comes", { schedule: "0 0 30 2 *" }],
    ["a macro", { schedule: "@daily" }],
    ["an unknown time zone", { timezone: "Mars/Olympus" }],
    ["no prompt", { prompt: undefined }],
    ["no turns", { maxTurns: 0 }],
    ["half a turn", { maxTurns: 1.5 }],
    ["a negative budget", { maxBudgetUsd: -1 }],
    ["a budget in words", { maxBudgetUsd: "5" }],
    ["enabled in words", { enabled: "true" }],
    ["a tool that there is not", { tools: ["rm_rf"] }],
  ])("refuses %s with 400", async (_what, body) => {
    const response = await api("POST", "/api/agents", { body: { name: "A", schedule: YEARLY, prompt: "P", ...body } });
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/./);
  });
});

describe("listing and reading", () => {
  test("is alphabetical, and paged on request", async () => {
    for (const name of ["list ärger", "list Zebra", "list apple"]) await create({ name });
    const names = (await api("GET", "/api/agents")).body.data.map(({ name }: any) => name);
    expect(names.filter((name: string) => name.startsWith("list"))).toEqual(["list apple", "list ärger", "list Zebra"]);
    const paged: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const { body } = await api("GET", `/api/agents?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      paged.push(...body.data.map(({ name }: any) => name));
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(names);
  });

  test.each(["", "/runs", "/stats", "/next-runs", `/runs/${NOBODY}`])(
    "is 404 at %s of an agent that there is not",
    async (path) => {
      for (const id of [NOBODY, "x"]) expect((await api("GET", `/api/agents/${id}${path}`)).status).toBe(404);
    },
  );

  test("lists the tools", async () => {
    const names = (await api("GET", "/api/agents/tools")).body.data.map(({ name }: any) => name);
    expect(names).toContain("tasks_create");
  });

  test("accepts the former names of tools, and returns the current ones", async () => {
    const agent = await create({ tools: ["list_tasks", "write_file"] });
    expect(agent.tools).toEqual(["tasks_list", "fs_write"]);
    const patch = { tools: ["delete_memory", "tasks_get"] };
    const { body } = await api("PATCH", `/api/agents/${agent.id}`, { body: patch });
    expect(body.data.tools).toEqual(["memory_delete", "tasks_get"]);
    const refused = await api("PATCH", `/api/agents/${agent.id}`, { body: { tools: ["list_everything"] } });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, "tools"]);
  });
});

describe("changing", () => {
  test("only changes the given fields; null removes a limit", async () => {
    const agent = await create({ maxBudgetUsd: 0.123456789, tools: ["tasks_list"], description: "d" });
    expect(agent.maxBudgetUsd).toBe(0.123456789);
    const { status, body } = await api("PATCH", `/api/agents/${agent.id}`, { body: { name: "Renamed" } });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...agent, name: "Renamed", updatedAt: expect.stringMatching(TIMESTAMP), version: "2" });
    const cleared = await api("PATCH", `/api/agents/${agent.id}`, {
      body: { maxBudgetUsd: null, tools: null, enabled: false },
    });
    expect(cleared.body.data).toMatchObject({
      maxBudgetUsd: null,
      tools: null,
      enabled: false,
      nextRunAt: null,
      description: "d",
    });
  });

  test("is 400 for invalid values and 404 for an unknown agent", async () => {
    const agent = await create();
    for (const body of [{ schedule: "x" }, { name: null }, { maxTurns: 0 }, { tools: ["x"] }, { timezone: "x" }]) {
      expect((await api("PATCH", `/api/agents/${agent.id}`, { body })).status).toBe(400);
    }
    for (const id of [NOBODY, "x"]) expect((await api("PATCH", `/api/agents/${id}`, { body: {} })).status).toBe(404);
  });

  test("enables and disables several at once, and returns which have changed", async () => {
    const [on, off] = [await create(), await create({ enabled: false })];
    const { body } = await api("POST", "/api/agents/enabled", { body: { enabled: false, ids: [on.id, off.id] } });
    expect(body.data).toEqual([{ id: on.id, name: on.name }]);
    expect((await api("POST", "/api/agents/enabled", { body: {} })).status).toBe(400);
  });
});

describe("deleting", () => {
  test("removes the agent and its runs for good", async () => {
    const agent = await create({ name: "Gone" });
    await run(agent.id);
    const { status, body } = await api("DELETE", `/api/agents/${agent.id}`);
    expect([status, body]).toEqual([200, { data: { id: agent.id, name: "Gone" } }]);
    expect((await api("GET", `/api/agents/${agent.id}/runs`)).status).toBe(404);
    expect((await api("DELETE", `/api/agents/${agent.id}`)).status).toBe(404);
  });
});

describe("running", () => {
  test("returns immediately, without a wrapper, even for a disabled agent", async () => {
    const agent = await create({ enabled: false });
    const { status, body } = await api("POST", `/api/agents/${agent.id}/run`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: "Agent started", runId: expect.any(String) });
    const ended = await waitForRun(agent.id, body.runId);
    expect(ended).toMatchObject({
      id: body.runId,
      agentId: agent.id,
      status: "success",
      output: "Hello.",
      numTurns: 1,
      trigger: "manual",
    });
    expect(ended.steps).toEqual([{ type: "text", text: "Hello." }]);
    const [listed] = await runsOf(agent.id);
    const { steps: _steps, ...summary } = ended;
    expect(listed).toEqual(summary);
    expect((await api("GET", `/api/agents/${agent.id}`)).body.data).toMatchObject({
      lastStatus: "success",
      lastRunAt: ended.startedAt,
    });
  });

  test("is 404 for no agent", async () => {
    for (const id of [NOBODY, "x"]) expect((await api("POST", `/api/agents/${id}/run`)).status).toBe(404);
  });

  test("can be cancelled, and is 404 if nothing is running", async () => {
    const agent = await create();
    expect((await api("POST", `/api/agents/${agent.id}/cancel`)).status).toBe(404);
    const runId = await startEndlessRun(agent.id);
    const { status, body } = await api("POST", `/api/agents/${agent.id}/cancel`);
    expect([status, body]).toEqual([200, { success: true, message: expect.any(String), cancelledCount: 1 }]);
    expect((await waitForRun(agent.id, runId)).status).toBe("cancelled");
    expect((await api("POST", `/api/agents/${NOBODY}/cancel`)).status).toBe(404);
  });
});

describe("the history of runs", () => {
  test("is newest first, filtered by period and status, with the requested limit", async () => {
    const agent = await create();
    for (let index = 0; index < 3; index += 1) await run(agent.id);
    model.reply({ fault: { kind: "status", status: 400 } });
    await run(agent.id);
    const all = await runsOf(agent.id);
    expect(all.map(({ status }: any) => status)).toEqual(["error", "success", "success", "success"]);
    const times = all.map(({ startedAt }: any) => startedAt);
    expect(times).toEqual([...times].toSorted().toReversed());
    expect(await runsOf(agent.id, "limit=2")).toEqual(all.slice(0, 2));
    expect(await runsOf(agent.id, "status=error&period=24h")).toEqual(all.slice(0, 1));
    for (const query of ["limit=0", "limit=x", "period=1y", "status=done"]) {
      expect((await api("GET", `/api/agents/${agent.id}/runs?${query}`)).status).toBe(400);
    }
  });
});

describe("statistics", () => {
  /** Moves runs into the past, which no request can do. */
  const insertRun = (agentId: string, hoursAgo: number, status: string, costUsd: number, durationMs: number | null) =>
    server.db.pool.query(
      `INSERT INTO agent_runs (id, agent_id, status, trigger, process_id, cost_usd, duration_ms, started_at)
       VALUES (gen_random_uuid(), $1, $2, 'schedule', gen_random_uuid(), $3, $4, now() - $5 * interval '1 hour')`,
      [agentId, status, costUsd, durationMs, hoursAgo],
    );

  test("are those of the contract, over the window", async () => {
    const agent = await create();
    await insertRun(agent.id, 1, "success", 0.1, 1000);
    await insertRun(agent.id, 2, "success", 0.2, 2000);
    await insertRun(agent.id, 30, "error", 0.3, 300);
    await insertRun(agent.id, 31, "budget_exceeded", 0.4, 700);
    await insertRun(agent.id, 32, "cancelled", 0.000000001, 100);
    await insertRun(agent.id, 24 * 20, "success", 5, 1);
    const { data } = (await api("GET", `/api/agents/${agent.id}/stats`)).body;
    expect(data).toMatchObject({ totalRuns: 5, successRate: 50, avgDurationMs: 820, totalCostUsd: 1.000000001 });
    expect(data.lastRunAt).toMatch(TIMESTAMP);
    expect(data.dailyRuns).toHaveLength(8);
    const sum = (key: string) => data.dailyRuns.reduce((total: number, day: any) => total + day[key], 0);
    expect([sum("total"), sum("success"), sum("error")]).toEqual([5, 2, 2]);
    const month = (await api("GET", `/api/agents/${agent.id}/stats?period=30d`)).body.data;
    expect([month.totalRuns, month.dailyRuns.length]).toEqual([6, 31]);
    expect((await api("GET", `/api/agents/${agent.id}/stats?period=24h`)).body.data.totalRuns).toBe(2);
  });

  test("of an agent that never ran are zeros", async () => {
    const agent = await create();
    const { data } = (await api("GET", `/api/agents/${agent.id}/stats?tz=Asia/Kolkata`)).body;
    expect(data).toMatchObject({ totalRuns: 0, successRate: 0, avgDurationMs: 0, totalCostUsd: 0, lastRunAt: null });
    expect(data.dailyRuns[0]).toEqual({ date: expect.any(String), success: 0, error: 0, total: 0, costUsd: 0 });
  });

  test("of all agents are not confused with an agent's id", async () => {
    const agent = await create();
    await startEndlessRun(agent.id);
    const { status, body } = await api("GET", "/api/agents/stats");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      totalAgents: expect.any(Number),
      activeAgents: expect.any(Number),
      runsInPeriod: expect.any(Number),
      successRate: expect.any(Number),
      totalCostUsd: expect.any(Number),
      runningAgentIds: [agent.id],
      dailyRuns: expect.any(Array),
    });
    await api("POST", `/api/agents/${agent.id}/cancel`);
    for (const query of ["period=1y", "tz=Mars/Olympus", "tzOffset=x", "tzOffset=9999"]) {
      expect((await api("GET", `/api/agents/stats?${query}`)).status).toBe(400);
    }
  });
});

describe("the next five times", () => {
  test("of a schedule that is not stored, in the requested time zone or else the server's", async () => {
    const { status, body } = await api(
      "GET",
      `/api/agents/next-runs?schedule=${encodeURIComponent("0 9 * * *")}&timezone=UTC`,
    );
    expect(status).toBe(200);
    expect(body.data.timezone).toBe("UTC");
    expect(body.data.nextRuns).toHaveLength(5);
    for (const time of body.data.nextRuns) expect(time).toMatch(/T09:00:00\.000Z$/);
    const local = await api("GET", `/api/agents/next-runs?schedule=${encodeURIComponent("0 9 * * *")}`);
    expect(local.body.data.timezone).toBe("Europe/Berlin");
    expect((await api("GET", "/api/agents/next-runs?schedule=x")).status).toBe(400);
  });

  test("of an agent, enabled or disabled", async () => {
    const agent = await create({ schedule: "0 12 * * *", timezone: "UTC", enabled: false });
    const { body } = await api("GET", `/api/agents/${agent.id}/next-runs`);
    expect(body.data.nextRuns[0]).toMatch(/T12:00:00\.000Z$/);
  });
});

test("health reports that the scheduler is running", async () => {
  expect((await server.anonymous("GET", "/api/health")).body.data.scheduler).toEqual({ running: true });
});
