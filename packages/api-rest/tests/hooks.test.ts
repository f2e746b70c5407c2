import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const record = (body: object) => api("POST", "/api/hooks/events", { body });
const list = async (query: string) => (await api("GET", `/api/hooks/events?${query}`)).body.data;

describe("recording an event", () => {
  test("is 201 and returns the contract's fields", async () => {
    const { status, body } = await record({
      eventType: "PreToolUse",
      toolName: "Bash",
      blocked: true,
      blockReason: "rm -rf",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        eventType: "PreToolUse",
        blocked: true,
        blockReason: "rm -rf",
        createdAt: expect.stringMatching(TIMESTAMP),
      },
    });
    expect((await record({ eventType: "SessionStart" })).body.data).toMatchObject({
      blocked: false,
      blockReason: null,
    });
  });

  test("again with the same id returns the stored one and adds nothing", async () => {
    const id = randomUUID();
    const first = await record({
      id,
      eventType: "PreToolUse",
      sessionId: "repeat",
      occurredAt: "2026-01-02T03:04:05+01:00",
    });
    expect(first.body.data.createdAt).toBe("2026-01-02T02:04:05.000Z");
    const again = await record({ id, eventType: "SessionEnd", sessionId: "repeat" });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await list("sessionId=repeat")).toHaveLength(1);
  });

  test.each([
    ["no type", {}],
    ["an unknown type", { eventType: "Stop" }],
    ["a malformed id", { eventType: "SessionStart", id: "x" }],
    ["blocked as text", { eventType: "SessionStart", blocked: "true" }],
    ["data that is no object", { eventType: "SessionStart", eventData: [1] }],
    ["a duration below zero", { eventType: "SessionStart", durationMs: -1 }],
    ["an exit code between two", { eventType: "SessionStart", exitCode: 1.5 }],
    ["an exit code beyond all", { eventType: "SessionStart", exitCode: 1e12 }],
    ["a time without its zone", { eventType: "SessionStart", occurredAt: "2026-01-02T03:04:05" }],
    ["a session that fits no index", { eventType: "SessionStart", sessionId: "x".repeat(256) }],
    ["NUL in its data", { eventType: "SessionStart", eventData: { a: "\0" } }],
  ])("with %s is 400", async (_what, body) => {
    expect((await record(body)).status).toBe(400);
  });
});

describe("recording a batch", () => {
  const batch = (events: unknown) => api("POST", "/api/hooks/events/batch", { body: { events } });

  test("is 201 with the stored events, in order, and only adds new ones", async () => {
    const events = Array.from({ length: 500 }, (_, index) => ({
      id: randomUUID(),
      eventType: "PostToolUse",
      sessionId: "batch",
      toolName: `T${index % 7}`,
    }));
    const { status, body } = await batch(events);
    expect(status).toBe(201);
    expect(body.data.map((event: any) => event.id)).toEqual(events.map((event) => event.id));
    expect((await batch(events)).body).toEqual(body);
    expect(await list("sessionId=batch&limit=500")).toHaveLength(500);
  });

  test("with one invalid event stores none", async () => {
    expect((await batch([{ eventType: "SessionStart", sessionId: "all-or-none" }, { eventType: "x" }])).status).toBe(
      400,
    );
    expect(await list("sessionId=all-or-none")).toEqual([]);
  });

  test("of more than 500, or without a list, is 400", async () => {
    expect((await batch(Array.from({ length: 501 }, () => ({ eventType: "SessionStart" })))).status).toBe(400);
    expect((await batch("x")).status).toBe(400);
    expect((await batch([])).body).toEqual({ data: [] });
  });
});

describe("the list", () => {
  test("is most recent first, with every filter", async () => {
    const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000).toISOString();
    const event = (second: number, given: object) =>
      record({ eventType: "PreToolUse", sessionId: "list", toolName: "Bash", occurredAt: at(second), ...given });
    await event(1, { blocked: true, eventData: { n: 1 } });
    await event(2, { eventType: "PostToolUse" });
    await event(3, { toolName: "Edit" });
    const types = async (query: string) =>
      (await list(`sessionId=list&${query}`)).map((item: any) => `${item.eventType} ${item.toolName}`);
    expect(await types("")).toEqual(["PreToolUse Edit", "PostToolUse Bash", "PreToolUse Bash"]);
    expect(await types("eventType=PostToolUse&eventType=SessionEnd")).toEqual(["PostToolUse Bash"]);
    expect(await types("toolName=Edit")).toEqual(["PreToolUse Edit"]);
    expect(await types("blocked=true")).toEqual(["PreToolUse Bash"]);
    expect(await types(`since=${encodeURIComponent(at(2))}`)).toEqual(["PreToolUse Edit"]);
    expect(await types("since=2100-01-01")).toEqual([]);
    expect(await types("limit=1")).toHaveLength(1);
    expect((await list("sessionId=list&blocked=true"))[0]).toMatchObject({
      eventData: { n: 1 },
      exitCode: null,
      hookScript: null,
    });
  });

  test("can be paged through", async () => {
    const { body } = await api("GET", "/api/hooks/events?sessionId=list&limit=2");
    const next = await api("GET", `/api/hooks/events?sessionId=list&limit=2&cursor=${body.nextCursor}`);
    expect(next.body.data).toHaveLength(1);
    expect(next.body.nextCursor).toBeUndefined();
  });

  test("ends a page before its limit if the events are large, and continues after it", async () => {
    const eventData = { text: "a".repeat(900_000) };
    for (let index = 0; index < 12; index += 1) {
      await api("POST", "/api/hooks/events", {
        body: { eventType: "PostToolUse", sessionId: "much", blocked: true, eventData },
      });
    }
    for (const [path, eventsOf] of [
      ["/api/hooks/events?sessionId=much&limit=500", (body: { data: unknown }) => body.data],
      ["/api/hooks/sessions/much?limit=500", (body: { data: { events: unknown } }) => body.data.events],
    ] as const) {
      const first = await api("GET", path);
      const second = await api("GET", `${path}&cursor=${first.body.nextCursor}`);
      const third = await api("GET", `${path}&cursor=${second.body.nextCursor}`);
      expect(third.body.nextCursor).toBeUndefined();
      const pages = [first, second, third].map(({ body }) => eventsOf(body));
      expect(pages).toEqual([expect.any(Array), expect.any(Array), expect.any(Array)]);
      expect(pages.map((events) => Array.isArray(events) && events.length)).toEqual([5, 5, 2]);
      expect(pages.flat()).toEqual(Array.from({ length: 12 }, () => expect.objectContaining({ eventData })));
    }
    const { body } = await api("GET", "/api/hooks/sessions/much?limit=1");
    expect(body.data.blockedCalls).toHaveLength(5);
  });

  test.each(["limit=0", "limit=501", "eventType=Stop", "blocked=yes", "since=yesterday", "cursor=x"])(
    "with %s is 400",
    async (query) => {
      expect((await api("GET", `/api/hooks/events?${query}`)).status).toBe(400);
    },
  );
});

describe("the statistics", () => {
  test("have the contract's fields, and their days add up", async () => {
    const { body } = await api("GET", "/api/hooks/stats?period=24h&tz=Europe/Berlin");
    const { data } = body;
    expect(Object.keys(data).toSorted()).toEqual([
      "avgDurationMs",
      "blockRate",
      "blockedEvents",
      "dailyActivity",
      "eventsByType",
      "recentSessions",
      "toolBreakdown",
      "totalEvents",
    ]);
    expect(data.totalEvents).toBeGreaterThan(500);
    expect(data.dailyActivity.reduce((sum: number, day: any) => sum + day.total, 0)).toBe(data.totalEvents);
    expect(data.dailyActivity[0]).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      total: expect.any(Number),
      blocked: expect.any(Number),
      allowed: expect.any(Number),
      avgDurationMs: expect.any(Number),
    });
    expect((await api("GET", "/api/hooks/stats")).body.data.dailyActivity).toHaveLength(8);
    expect((await api("GET", "/api/hooks/stats?tzOffset=-330&period=30d")).status).toBe(200);
  });

  test.each(["period=1y", "tz=Nowhere/City", "tzOffset=900"])("with %s are 400", async (query) => {
    expect((await api("GET", `/api/hooks/stats?${query}`)).status).toBe(400);
  });
});

test("a session is returned completely, and an unknown one is 404", async () => {
  const { body } = await api("GET", "/api/hooks/sessions/list");
  expect(body.data).toMatchObject({ sessionId: "list", totalEvents: 3, blockedEvents: 1, memories: [], usage: null });
  expect(body.data.events.map((event: any) => event.toolName)).toEqual(["Bash", "Bash", "Edit"]);
  expect((await api("GET", "/api/hooks/sessions/unknown")).status).toBe(404);
});

test("the policy is stored with its version", async () => {
  const put = (body: object) => api("PUT", "/api/hooks/policy", { body });
  expect((await api("GET", "/api/hooks/policy")).body.data).toEqual({ document: {}, version: 0, updatedAt: null });
  const none = { version: 1, rules: [] };
  expect((await put({ document: none })).body.data).toMatchObject({ version: 1, document: none });
  expect((await put({ document: none, expectedVersion: 0 })).status).toBe(412);
  expect((await put({ document: [] })).status).toBe(400);
  expect((await put({ document: { version: 1, description: "x".repeat(300_000) } })).status).toBe(400);
});

test.each([
  [{}, ["document.version"]],
  [{ version: 1, use: ["no-such-rule"], packs: ["git", "all"] }, ["document.use.0", "document.packs.1"]],
  [
    { version: 1, rules: [{ id: "x", decision: "allow", when: {} }] },
    ["document.rules.0.decision", "document.rules.0.when"],
  ],
  [{ version: 1, rules: [{ id: "x", decision: "ask", when: { prompt: "(" } }] }, ["document.rules.0.when.prompt"]],
])("a policy that the hooks would reject is refused, and changes nothing: %j", async (document, paths) => {
  const before = (await api("GET", "/api/hooks/policy")).body.data;
  const { status, body } = await api("PUT", "/api/hooks/policy", { body: { document } });
  expect(status).toBe(400);
  expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
  expect((await api("GET", "/api/hooks/policy")).body.data).toEqual(before);
});

test("as many problems of a policy are named as anyone mends at once", async () => {
  const document = { version: 1, rules: Array.from({ length: 2000 }, () => ({})) };
  const { status, body } = await api("PUT", "/api/hooks/policy", { body: { document } });
  expect([status, body.issues.length]).toEqual([400, 100]);
});

test("how much of its memory a session is given is stored with its version, and only people may change it", async () => {
  const path = "/api/hooks/memory-settings";
  const standard = { sessionStart: 2500, prompt: 300, file: 150 };
  const put = (body: object) => api("PUT", path, { body });
  expect((await api("GET", path)).body.data).toEqual({ standard, projects: [], version: 0, updatedAt: null });
  const own = { project: "github.com/ada/app", sessionStart: 0, prompt: 100, file: 0 };
  expect((await put({ standard, projects: [own] })).body.data).toMatchObject({ version: 1, projects: [own] });
  expect((await api("GET", path)).body.data).toMatchObject({ standard, projects: [own], version: 1 });
  expect((await put({ standard, projects: [], expectedVersion: 0 })).status).toBe(412);
  expect((await put({ standard, projects: [own, own] })).status).toBe(400);
  expect((await put({ standard: { ...standard, prompt: -1 }, projects: [] })).status).toBe(400);
});

test("an assistant's usage is imported once, and has its own statistics", async () => {
  const usage = {
    messageId: "m1",
    requestId: "r1",
    model: "x",
    inputTokens: 10,
    outputTokens: 5,
    cacheReadInputTokens: 100,
  };
  const send = (body: object) => api("POST", "/api/hooks/assistant-usage", { body });
  expect((await send({ sessionId: "u", messages: [usage, usage] })).body.data).toEqual({
    received: 1,
    added: 1,
    updated: 0,
  });
  expect((await send({ sessionId: "u", messages: [usage] })).body.data).toEqual({ received: 1, added: 0, updated: 0 });
  expect((await api("GET", "/api/hooks/assistant-usage/stats?period=24h")).body.data).toMatchObject({
    messages: 1,
    totalTokens: 115,
    sessions: 1,
    byModel: [{ model: "x" }],
  });
  expect((await api("GET", "/api/hooks/assistant-usage/limits")).body.data).toEqual({ assistants: [] });
  const known = { ...usage, messageId: "m2", assistant: "claude-code" };
  await send({ sessionId: "u", messages: [known] });
  expect((await api("GET", "/api/hooks/assistant-usage/limits")).body.data).toMatchObject({
    assistants: [{ assistant: "claude-code", fiveHours: { messages: 1, totalTokens: 115, forecast: null } }],
  });
  expect((await api("GET", "/api/usage/stats")).body.data.totalCalls).toBe(0);
  expect((await send({ sessionId: "u" })).status).toBe(400);
  expect((await send({ sessionId: "u", messages: [{ ...usage, inputTokens: -1 }] })).status).toBe(400);
  expect((await send({ sessionId: "u", transcriptPath: "/etc/passwd" })).status).toBe(403);
});

test("of a session whose transcript was cut it is known that it is not complete", async () => {
  const body = { transcript: JSON.stringify([{ role: "user", content: "Count to a million" }]), isCut: true };
  await api("POST", "/api/memory/extract", { body: { ...body, sessionId: "cut-1" } });
  await api("POST", "/api/hooks/sessions/cut-2/transcript", { body });
  for (const id of ["cut-1", "cut-2"]) {
    const { data } = (await api("GET", `/api/hooks/sessions/${id}/transcript`)).body;
    expect(data).toMatchObject({ turnCount: 1, isComplete: false });
  }
});

test("what was said in a session is kept, read in pages and searched, without a model too", async () => {
  const transcript = [
    { role: "user", content: "Why do the webhooks fail?", timestamp: "2026-01-05T10:00:00Z" },
    { role: "assistant", content: "The partner's certificate has expired." },
  ];
  const body = { transcript: JSON.stringify(transcript), sessionId: "read/back", projectPath: "/shop" };
  for (const _ of [1, 2]) expect((await api("POST", "/api/memory/extract", { body })).status).toBe(503);
  const kept = await api("POST", "/api/hooks/sessions/read%2Fback/transcript", {
    body: { transcript: body.transcript },
  });
  expect(kept).toMatchObject({ status: 200, body: { data: { turnCount: 2, isComplete: true } } });
  const first = await api("GET", "/api/hooks/sessions/read%2Fback/transcript?limit=1");
  expect(first.body).toMatchObject({
    data: { turnCount: 2, turns: [{ position: 1, kind: "user", occurredAt: "2026-01-05T10:00:00.000Z" }] },
    nextCursor: expect.any(String),
  });
  const next = await api("GET", `/api/hooks/sessions/read%2Fback/transcript?cursor=${first.body.nextCursor}`);
  expect(next.body.data.turns).toMatchObject([{ position: 2, kind: "assistant" }]);
  const last = await api("GET", "/api/hooks/sessions/read%2Fback/transcript?from=2");
  expect(last.body.data.turns).toEqual(next.body.data.turns);
  expect((await api("GET", "/api/hooks/sessions/read%2Fback")).body.data.transcript).toMatchObject({ turnCount: 2 });
  expect((await api("GET", "/api/hooks/sessions/unknown/transcript")).status).toBe(404);

  const search = async () => (await api("GET", "/api/hooks/sessions/search?query=expired+certificates")).body.data;
  await expect
    .poll(search, { timeout: 20_000 })
    .toMatchObject([{ sessionId: "read/back", position: 2, projectPath: "/shop" }]);
  expect((await api("GET", "/api/hooks/sessions/search?query=%20")).status).toBe(400);
});

test("everything needs credentials; a key with the hooks scope is enough, one without is not", async () => {
  const keyWith = async (scopes: string[]) =>
    createRequest(server.url, {
      Authorization: `Bearer ${(await api("POST", "/api/api-keys", { body: { name: "k", scopes } })).body.data.key}`,
    });
  const [hooks, memory] = [await keyWith(["hooks"]), await keyWith(["memory:read"])];
  const routes = [
    ["GET", "/api/hooks/events"],
    ["POST", "/api/hooks/events"],
    ["POST", "/api/hooks/events/batch"],
    ["GET", "/api/hooks/stats"],
    ["GET", "/api/hooks/sessions/list"],
    ["GET", "/api/hooks/sessions/read%2Fback/transcript"],
    ["GET", "/api/hooks/sessions/search?query=x"],
    ["GET", "/api/hooks/policy"],
    ["GET", "/api/hooks/memory-settings"],
    ["POST", "/api/hooks/assistant-usage"],
    ["GET", "/api/hooks/assistant-usage/stats"],
    ["GET", "/api/hooks/assistant-usage/limits"],
  ] as const;
  for (const [method, path] of routes) {
    expect((await server.anonymous(method, path)).status).toBe(401);
    expect((await memory(method, path)).status).toBe(403);
    expect([200, 400]).toContain((await hooks(method, path)).status);
  }
  const loosened = await hooks("PUT", "/api/hooks/policy", { body: { document: {} } });
  expect(loosened.status).toBe(403);
  expect((await hooks("PUT", "/api/hooks/memory-settings", { body: {} })).status).toBe(403);
});
