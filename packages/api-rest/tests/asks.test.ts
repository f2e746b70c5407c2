import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

/** At gpt-4.1's price of $2 and $8 per million tokens: 0.6 cents, so one credit. */
const ONE_CREDIT = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };
/** 2.8 cents. */
const THREE_CREDITS = { inputTokens: 2000, cachedInputTokens: 0, outputTokens: 3000 };
/** All that a program learns about a failure of the model; only the owner sees the reason. */
const NO_ANSWER = "The agent could not answer. The workspace's owner can see the reason in the agent's runs.";
const NOBODY = "00000000-0000-7000-8000-000000000000";

let model: ModelDouble;
let server: TestServer;
let api: Request;
let key: string;
let program: Request;
let agentId: string;

beforeAll(async () => {
  model = await startModelDouble();
  server = await startTestServer({
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-4.1",
    V1_CREDITS: "20",
  });
  api = await server.signIn();
  const created = await api("POST", "/api/api-keys", {
    body: { name: "asker", scopes: ["agents:ask", "agents:read"] },
  });
  key = created.body.data.key;
  program = createRequest(server.url, { Authorization: `Bearer ${key}` });
  const agent = await api("POST", "/api/agents", {
    body: { name: "Helper", schedule: "0 0 1 1 *", prompt: "Help only with gardening.", enabled: false },
  });
  agentId = agent.body.data.id;
});
afterAll(async () => {
  await server.close();
  await model.close();
});
beforeEach(() => model.replyAlways({ text: ["The answer ", "is 42."], usage: ONE_CREDIT }));

const ask = (message: string, options: { headers?: Record<string, string>; body?: object } = {}) =>
  program("POST", "/api/v1/agents/ask", {
    body: { agentId, message, ...options.body },
    ...(options.headers !== undefined && { headers: options.headers }),
  });
const pool = async () => (await api("GET", "/api/credits")).body.data;
const ledger = async (): Promise<any[]> => (await api("GET", "/api/credits/entries?limit=1000")).body.data;
const countOf = <Value>(values: readonly Value[], wanted: Value) => values.filter((value) => value === wanted).length;

async function expectSoundLedger(): Promise<void> {
  const entries = (await ledger()).toReversed();
  let balance = 0;
  for (const entry of entries) {
    balance += entry.delta;
    expect(entry.balanceAfter).toBe(balance);
  }
  expect(await pool()).toEqual({ balance, held: 0, available: Math.max(balance, 0) });
}

test("50 at once with a pool for 20: exactly 20 are answered, the rest are 402 before any model call", async () => {
  const before = model.requests.length;
  model.replyAlways({ text: "Yes.", usage: ONE_CREDIT, delayMs: 20 });
  const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(`question ${index}`)));
  const statuses = responses.map(({ status }) => status);
  expect(countOf(statuses, 200)).toBe(20);
  expect(countOf(statuses, 402)).toBe(30);
  expect(model.requests.length - before).toBe(20);
  const used = responses.filter(({ status }) => status === 200).map(({ body }) => body.data);
  expect(used.every(({ creditsUsed }) => creditsUsed === 1)).toBe(true);
  expect(used.map(({ creditsRemaining }) => creditsRemaining).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  );
  expect(await pool()).toEqual({ balance: 0, held: 0, available: 0 });
  await expectSoundLedger();
});

test("a top-up lets them continue", async () => {
  expect((await ask("no")).body).toEqual({ message: "The credit pool is empty. Top it up to continue." });
  const { status, body } = await api("POST", "/api/credits", { body: { amount: 1000, note: "March" } });
  expect(status).toBe(200);
  expect(body.data).toEqual({ balance: 1000, held: 0, available: 1000 });
  expect((await ledger())[0]).toMatchObject({ delta: 1000, balanceAfter: 1000, reason: "top_up", note: "March" });
  for (const bad of [0, -5, 1.5, "5", null, 1_000_001]) {
    expect((await api("POST", "/api/credits", { body: { amount: bad } })).status).toBe(400);
  }
});

describe("an answer", () => {
  test("includes its cost and is recorded as a run, as usage and in the ledger", async () => {
    model.reply({ text: "Long.", usage: THREE_CREDITS });
    const { status, body } = await ask("How are you?");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      agentId,
      runId: expect.any(String),
      conversationId: expect.any(String),
      response: "Long.",
      costUsd: 0.028,
      isCostKnown: true,
      inputTokens: 2000,
      outputTokens: 3000,
      creditsUsed: 3,
      creditsRemaining: expect.any(Number),
    });
    const { runId } = body.data;
    const runs = await api("GET", `/api/agents/${agentId}/runs?limit=1`);
    expect(runs.body.data[0]).toMatchObject({
      id: runId,
      status: "success",
      trigger: "api",
      output: "Long.",
      costUsd: 0.028,
    });
    expect((await ledger())[0]).toMatchObject({ delta: -3, reason: "ask", note: "Helper", runId, apiKeyName: "asker" });
    const usage = await api("GET", "/api/usage?limit=1");
    expect(usage.body.data[0]).toMatchObject({ source: "agent", sourceId: runId, costUsd: 0.028 });
    await expectSoundLedger();
  });

  test("uses the agent's prompt as instructions and the message as the user's turn", async () => {
    await ask("How are you?");
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: "system", content: expect.stringContaining("Help only with gardening.") },
      { role: "user", content: "How are you?" },
    ]);
  });

  test("continues a conversation, whose earlier exchanges are turns", async () => {
    const first = (await ask("My name is Bo.")).body.data;
    const { conversationId } = first;
    model.reply({ fault: { kind: "status", status: 400 } });
    expect((await ask("This one fails.", { body: { conversationId } })).status).toBe(502);
    const second = await ask("What is my name?", { body: { conversationId } });
    expect(second.body.data.conversationId).toBe(conversationId);
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: "system", content: expect.stringContaining("Help only with gardening.") },
      { role: "user", content: "My name is Bo." },
      { role: "assistant", content: "The answer is 42." },
      { role: "user", content: "What is my name?" },
    ]);
    expect((await ask("x", { body: { conversationId: NOBODY } })).status).toBe(404);
  });

  test.each([
    [404, { agentId: NOBODY }],
    [404, { agentId: "x" }],
    [400, { agentId: undefined }],
    [400, { message: "  " }],
    [400, { message: 5 }],
    [400, { conversationId: 5 }],
  ])("is %d for %j, and costs nothing", async (status, body) => {
    const before = await pool();
    expect((await ask("q", { body })).status).toBe(status);
    expect(await pool()).toEqual(before);
  });

  test("of a model that fails is 502 with our own message, and charged with what was spent: nothing", async () => {
    const before = await pool();
    model.reply({ fault: { kind: "status", status: 400 } });
    const { status, body } = await ask("fails");
    expect(status).toBe(502);
    expect(body).toEqual({ message: NO_ANSWER });
    expect(await pool()).toEqual(before);
    const { body: runs } = await api("GET", `/api/agents/${agentId}/runs?limit=1`);
    expect(runs.data[0].errorMessage).toContain("A failure with status 400, as scripted.");
  });
});

describe("an Idempotency-Key", () => {
  test("returns the first answer again and is charged once, even for concurrent retries", async () => {
    const [before, calls] = [(await pool()).balance, model.requests.length];
    model.replyAlways({ text: "Once.", usage: ONE_CREDIT, delayMs: 50 });
    const headers = { "Idempotency-Key": "abc" };
    const responses = await Promise.all([1, 2, 3].map(() => ask("once", { headers })));
    responses.push(await ask("once", { headers }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(model.requests.length - calls).toBe(1);
    expect((await pool()).balance).toBe(before - 1);
    expect((await ask("other", { headers })).status).toBe(409);
    expect((await ask("x", { headers: { "Idempotency-Key": "k".repeat(256) } })).status).toBe(400);
    await expectSoundLedger();
  });

  test("may also be sent in the body, as tools have no headers", async () => {
    const body = { idempotencyKey: "in the body" };
    const first = await ask("by body", { body });
    expect([first.status, (await ask("by body", { body })).body]).toEqual([200, first.body]);
    expect((await ask("by body", { headers: { "Idempotency-Key": "in the body" } })).body).toEqual(first.body);
    expect((await ask("by body", { body, headers: { "Idempotency-Key": "another" } })).status).toBe(400);
  });

  test("of a refused request may be reused", async () => {
    const headers = { "Idempotency-Key": "retry" };
    await server.db.pool.query("UPDATE credit_pools SET held = balance");
    expect((await ask("later", { headers })).status).toBe(402);
    await server.db.pool.query("UPDATE credit_pools SET held = 0");
    expect((await ask("later", { headers })).status).toBe(200);
  });
});

test("an assistant asks over MCP, follows the progress, and gets the first answer for the same key", async () => {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  onTestFinished(() => client.close());
  const pieces = ["a".repeat(150), "b".repeat(150), "c".repeat(250)];
  model.replyAlways({ text: pieces, usage: ONE_CREDIT });
  const asked = { agentId, message: "over MCP", idempotencyKey: "over MCP" };
  const progress: { progress: number; message?: string | undefined }[] = [];
  const askOnce = () =>
    client.callTool({ name: "agents_ask", arguments: asked }, undefined, {
      onprogress: (report) => progress.push(report),
    });
  const first: any = await askOnce();
  expect(first.structuredContent.data.response).toBe(pieces.join(""));
  expect(progress).toMatchObject([
    { progress: 0, message: "The agent has begun." },
    { progress: 300, message: pieces.slice(0, 2).join("") },
    { progress: 550, message: pieces[2] },
  ]);
  const calls = model.requests.length;
  expect(await askOnce()).toEqual(first);
  expect(model.requests.length).toBe(calls);
  // Without a token for progress, the response is JSON as for every other tool.
  expect(await client.callTool({ name: "agents_ask", arguments: asked })).toEqual(first);
});

describe("a stream", () => {
  const stream = async (body: object) => {
    const response = await fetch(new URL("/api/v1/agents/ask", server.url), {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { response, text: await response.text() };
  };

  test("sends the answer as it is generated, then the complete one", async () => {
    const { response, text } = await stream({ agentId, message: "stream" });
    expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    const events = text.split("\n\n").filter((event) => event.startsWith("event: "));
    expect(events.slice(0, 2)).toEqual([
      'event: text\ndata: {"delta":"The answer "}',
      'event: text\ndata: {"delta":"is 42."}',
    ]);
    expect(events.at(-1)).toContain('event: done\ndata: {"data":{"agentId"');
    expect(events.at(-1)).toContain('"response":"The answer is 42."');
  });

  test("reports that the answer was interrupted", async () => {
    model.reply({ text: ["a", "b"], fault: { kind: "malformed", afterChunks: 1 } });
    const { text } = await stream({ agentId, message: "breaks" });
    const error = JSON.stringify({ status: 502, message: NO_ANSWER });
    expect(text).toContain(`event: error\ndata: ${error}\n\n`);
  });

  test("reports no more than that if the model refuses", async () => {
    model.reply({ fault: { kind: "status", status: 400 } });
    const { text } = await stream({ agentId, message: "refused" });
    expect(text).toContain(NO_ANSWER);
    expect(text).not.toContain("as scripted");
  });

  test("follows the agent's prompt, and has earlier exchanges as turns", async () => {
    const { conversationId } = (await ask("My name is Bo.")).body.data;
    await stream({ agentId, message: "And now?", conversationId });
    expect(model.requests.at(-1)?.messages.map(({ role, content }) => [role, content])).toEqual([
      ["system", expect.stringContaining("Help only with gardening.")],
      ["user", "My name is Bo."],
      ["assistant", "The answer is 42."],
      ["user", "And now?"],
    ]);
  });

  test("is refused like any other request before it begins", async () => {
    const { response, text } = await stream({ agentId: NOBODY, message: "x" });
    expect(response.status).toBe(404);
    expect(JSON.parse(text)).toEqual({ message: "There is no such agent." });
  });

  test("that is not read to its end is charged all the same", async () => {
    const before = (await pool()).balance;
    model.reply({ text: ["a", "b"], usage: ONE_CREDIT, delayMs: 100 });
    const leaving = new AbortController();
    const response = await fetch(new URL("/api/v1/agents/ask", server.url), {
      method: "POST",
      signal: leaving.signal,
      headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream", "Content-Type": "application/json" },
      body: JSON.stringify({ agentId, message: "leaving" }),
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await expect.poll(async () => (await pool()).balance).toBe(before - 1);
    await expectSoundLedger();
  });
});

test("asks that a crash left uncharged are charged after the next start", async () => {
  const id = "0192d3f0-0000-7000-8000-000000000001";
  const { rows } = await server.db.pool.query("SELECT id FROM api_keys LIMIT 1");
  await server.db.pool.query("UPDATE credit_pools SET held = held + 1");
  await server.db.pool.query(
    `INSERT INTO agent_asks (id, api_key_id, request_hash, agent_id, agent_name, conversation_id, message, created_at)
     VALUES ($1, $2, 'x', $3, 'Helper', $1, 'lost', now() - interval '2 minutes')`,
    [id, rows[0].id, agentId],
  );
  await server.db.pool.query(
    `INSERT INTO usage_records (id, source, input_tokens, output_tokens, cost_usd, created_at)
     VALUES ($1, 'agent', 1, 1, 0.0501, now())`,
    [id],
  );
  const before = (await pool()).balance;
  const other = await startTestServer({ DATABASE_URL: server.databaseUrl });
  try {
    await expect.poll(async () => (await pool()).balance).toBe(before - 6);
    await expectSoundLedger();
  } finally {
    await other.close();
  }
});

test("without a model the response is 503, and nothing is reserved or charged", async () => {
  const other = await startTestServer({ DATABASE_URL: server.databaseUrl });
  try {
    const before = await pool();
    const request = createRequest(other.url, { Authorization: `Bearer ${key}` });
    const { status, body } = await request("POST", "/api/v1/agents/ask", { body: { agentId, message: "hello" } });
    expect(status).toBe(503);
    expect(body.message).toContain("OPENAI_API_KEY");
    expect(await pool()).toEqual(before);
  } finally {
    await other.close();
  }
});
