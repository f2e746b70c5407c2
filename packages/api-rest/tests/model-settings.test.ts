import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

/** The models that are chosen in the dashboard, with a real server and no model in its environment. */

let model: ModelDouble;
let other: ModelDouble;
let server: TestServer;
let person: Request;
beforeAll(async () => {
  [model, other] = await Promise.all([startModelDouble(), startModelDouble()]);
  server = await startTestServer();
  person = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await Promise.all([model.close(), other.close()]);
});

const NONE = {
  endpoints: [],
  chat: null,
  agents: null,
  extraction: null,
  embeddings: null,
  prices: [],
  dailyBudgetUsd: null,
};
const endpoint = (more: object = {}) => ({ id: "double", name: "Double", baseUrl: model.baseUrl, ...more });
const chat = { endpoint: "double", model: "gpt-5-mini" };
const PRICE = { model: "gpt-5-mini", input: 1, output: 2 };

const put = (settings: object, through: Request = person) =>
  through("PUT", "/api/settings/models", { body: { ...NONE, ...settings } });
const stored = async () => (await person("GET", "/api/settings/models")).body.data;
const secretKeys = async (): Promise<string[]> =>
  (await person("GET", "/api/secrets")).body.data.map(({ key }: { key: string }) => key);
const tryOut = async (body: object) => (await person("POST", "/api/settings/models/test", { body })).body.data;

/** An endpoint that responds to everything in the same way. */
async function respondWith(
  respond: (res: ServerResponse) => void,
): Promise<{ url: string; close: () => Promise<void> }> {
  const http = createServer((_, res) => respond(res)).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, close: promisify(http.close.bind(http)) };
}

/** Runs an agent and returns how it ended. */
async function runAgent(through: Request = person): Promise<any> {
  const agent = { name: "Scribe", schedule: "0 0 29 2 *", prompt: "Write" };
  const { id } = (await through("POST", "/api/agents", { body: agent })).body.data;
  const started = await through("POST", `/api/agents/${id}/run`);
  if (started.status >= 300) return started;
  const run = async () => (await through("GET", `/api/agents/${id}/runs`)).body.data[0];
  await expect.poll(async () => (await run()).status).not.toBe("running");
  return run();
}

beforeEach(async () => {
  await put({});
});

test("a model is used from the next call on, with its key, without a restart and in every process", async () => {
  expect(await runAgent()).toMatchObject({
    status: 503,
    body: { message: expect.stringMatching(/^No model is config/) },
  });
  const second = await startTestServer({ DATABASE_URL: server.databaseUrl });
  try {
    const throughSecond = await second.signIn();
    expect((await throughSecond("GET", "/api/settings/models")).body.data.chat).toBeNull();
    await put({ endpoints: [endpoint({ apiKey: "sk-first" })], chat });
    expect(await runAgent()).toMatchObject({ status: "success", model: "gpt-5-mini" });
    expect(model.apiKeys.at(-1)).toBe("sk-first");
    expect(await runAgent(throughSecond)).toMatchObject({ status: "success", model: "gpt-5-mini" });
    expect(model.apiKeys.at(-1)).toBe("sk-first");
    await put({ endpoints: [endpoint({ apiKey: "sk-second" })], chat: { ...chat, model: "gpt-5-nano" } });
    expect(await runAgent(throughSecond)).toMatchObject({ status: "success", model: "gpt-5-nano" });
    expect(model.apiKeys.at(-1)).toBe("sk-second");
  } finally {
    await second.close();
  }
});

test("each purpose may have a model of its own", async () => {
  const endpoints = [endpoint(), { id: "other", name: "Other", baseUrl: other.baseUrl }];
  await put({ endpoints, chat, agents: { endpoint: "other", model: "of-agents" }, extraction: chat });
  expect(await runAgent()).toMatchObject({ status: "success", model: "of-agents" });
  expect(other.requests.at(-1)).toMatchObject({ model: "of-agents", max_completion_tokens: 4_096 });
  model.replyAlways({ text: '{"memories": []}' });
  const transcript = '{"type":"user","message":{"role":"user","content":"We use pnpm."},"sessionId":"s"}\n';
  const extracted = await person("POST", "/api/memory/extract", { body: { transcript, sessionId: "s" } });
  expect(extracted.status).toBe(200);
  expect(model.requests.at(-1)).toMatchObject({ model: "gpt-5-mini" });
});

describe("the key of an endpoint", () => {
  test("is a secret, which nobody is shown", async () => {
    const response = await put({ endpoints: [endpoint({ apiKey: "sk-hidden" })], chat });
    expect(response.body.data.endpoints).toEqual([{ ...endpoint(), hasKey: true }]);
    expect(JSON.stringify([response.body, await stored()])).not.toContain("sk-hidden");
    expect(await secretKeys()).toEqual([expect.stringMatching(/^MODEL_API_KEY_[0-9A-F]{12}$/)]);
  });

  test("stays if none is given, and goes with null or with its endpoint", async () => {
    await put({ endpoints: [endpoint({ apiKey: "sk-kept" })], chat });
    const before = await secretKeys();
    await put({ endpoints: [endpoint({ name: "Renamed" })], chat });
    expect(await secretKeys()).toEqual(before);
    await runAgent();
    expect(model.apiKeys.at(-1)).toBe("sk-kept");
    await put({ endpoints: [endpoint({ apiKey: null })], chat });
    expect(await secretKeys()).toEqual([]);
    await put({ endpoints: [endpoint({ apiKey: "sk-new" })], chat });
    await put({});
    expect(await secretKeys()).toEqual([]);
  });

  test("is sent to no other server, neither by a change nor by a test", async () => {
    await put({ endpoints: [endpoint({ apiKey: "sk-kept" })], chat });
    const moved = endpoint({ baseUrl: other.baseUrl });
    expect(await put({ endpoints: [moved], chat })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("entered again") },
    });
    expect((await stored()).endpoints).toMatchObject([{ baseUrl: model.baseUrl, hasKey: true }]);
    await tryOut({ endpoint: "double", baseUrl: other.baseUrl });
    expect(other.apiKeys.at(-1)).toBe("none");
    await tryOut({ endpoint: "double", baseUrl: model.baseUrl });
    expect(model.apiKeys.at(-1)).toBe("sk-kept");
  });

  test("that was deleted is asked for again", async () => {
    await put({ endpoints: [endpoint({ apiKey: "sk-kept" })], chat });
    const [key] = await secretKeys();
    await person("DELETE", `/api/secrets/${key}`);
    expect(await runAgent()).toMatchObject({ status: 503, body: { message: expect.stringContaining("Double") } });
  });

  test("leaves nothing behind if the settings were changed in between", async () => {
    const { version } = await stored();
    const change = { endpoints: [endpoint({ apiKey: "sk-lost" })], chat, expectedVersion: version - 1 };
    expect(await put(change)).toMatchObject({ status: 412 });
    const changes = [1, 2, 3].map((key) =>
      put({ endpoints: [endpoint({ apiKey: `sk-${key}` })], chat, expectedVersion: version }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412]);
    expect(await secretKeys()).toHaveLength(1);
  });
});

test("prices and the daily budget hold from the next call on", async () => {
  const settings = { endpoints: [endpoint()], chat, prices: [{ ...PRICE, input: 1_000, output: 1_000 }] };
  await put({ ...settings, dailyBudgetUsd: 0.001 });
  expect((await person("GET", "/api/usage/budget")).body.data).toMatchObject({ limitUsd: 0.001 });
  expect(await runAgent()).toMatchObject({ status: 402 });
  await put({ ...settings, chat: { ...chat, model: "unpriced" }, dailyBudgetUsd: 1 });
  expect(await runAgent()).toMatchObject({ status: 402, body: { message: expect.stringContaining("price") } });
  await put({ ...settings, dailyBudgetUsd: null });
  // 100 tokens of input and 20 of output.
  expect(await runAgent()).toMatchObject({ status: "success", costUsd: 0.12 });
});

test("memories get the vectors of an embedding model once one is chosen", async () => {
  await person("POST", "/api/memory/store", { body: { content: "Herons stand still.", chunkType: "fact" } });
  await put({ endpoints: [endpoint()], embeddings: { endpoint: "double", model: "double-vectors-1" } });
  const embedded = async () =>
    (await server.db.pool.query<{ space: string }>("SELECT space FROM memory_embeddings")).rows;
  await expect.poll(embedded, { timeout: 20_000 }).toEqual([{ space: "double-vectors-1/1024" }]);
  const health = async () => (await server.anonymous("GET", "/api/health")).body.data.embeddings;
  expect(await health()).toEqual({ configured: true, problem: null });
  await put({});
  await expect.poll(health).toEqual({ configured: false, problem: null });
});

describe("a test", () => {
  test("lists the models of an endpoint, and asks one of them", async () => {
    expect(await tryOut({ baseUrl: model.baseUrl, apiKey: "sk-typed" })).toMatchObject({
      ok: true,
      models: ["double-vectors-1", "gpt-5-mini", "gpt-5-nano"],
    });
    expect(model.apiKeys.at(-1)).toBe("sk-typed");
    model.reply({ text: "OK" });
    const asked = await tryOut({ baseUrl: model.baseUrl, model: "gpt-5-mini" });
    expect(asked).toMatchObject({ ok: true, message: "It answered: OK" });
    const usage = (await person("GET", "/api/usage")).body.data;
    expect(usage).toContainEqual(expect.objectContaining({ sourceName: "Connection test" }));
    const vectors = await tryOut({ baseUrl: model.baseUrl, kind: "embeddings", model: "double-vectors-1" });
    expect(vectors).toMatchObject({ ok: true, message: "It returned a vector of 1024 numbers." });
  });

  test("says why it failed, without the key", async () => {
    model.reply({ fault: { kind: "status", status: 401 } });
    const refused = await tryOut({ baseUrl: model.baseUrl, apiKey: "sk-typed", model: "gpt-5-mini" });
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("401") });
    expect(JSON.stringify(refused)).not.toContain("sk-typed");
    const nowhere = await tryOut({ baseUrl: "http://127.0.0.1:9/v1", model: "gpt-5-mini" });
    expect(nowhere).toMatchObject({ ok: false, message: "The model's endpoint is unreachable." });
  });

  test("follows no redirect, which could lead to any service that this machine reaches", async () => {
    const endpoint = await respondWith((res) => res.writeHead(307, { Location: `${model.baseUrl}/models` }).end());
    const seen = model.apiKeys.length;
    try {
      for (const more of [{}, { model: "gpt-5-mini" }, { kind: "embeddings", model: "double-vectors-1" }])
        expect(await tryOut({ baseUrl: endpoint.url, ...more })).toMatchObject({
          ok: false,
          message: expect.stringContaining("redirects elsewhere (307)"),
        });
      expect(model.apiKeys).toHaveLength(seen);
    } finally {
      await endpoint.close();
    }
  });

  test.each(["<html>A page</html>", '"text"', "{}", '{"data":{}}'])("takes %s for no list of models", async (body) => {
    const endpoint = await respondWith((res) => res.end(body));
    try {
      expect(await tryOut({ baseUrl: endpoint.url })).toMatchObject({
        ok: false,
        message: expect.stringContaining("not an answer"),
      });
    } finally {
      await endpoint.close();
    }
  });
});

test("what the environment sets has precedence, and the settings say so", async () => {
  await put({ endpoints: [endpoint()], chat: { ...chat, model: "stored" }, prices: [PRICE], dailyBudgetUsd: 3 });
  const fixed = await startTestServer({
    DATABASE_URL: server.databaseUrl,
    OPENAI_BASE_URL: other.baseUrl,
    OPENAI_API_KEY: "key",
    OPENAI_MODEL: "gpt-5-nano",
    DAILY_BUDGET_USD: "7",
  });
  try {
    const api = await fixed.signIn();
    expect((await api("GET", "/api/settings/models")).body.data).toMatchObject({
      chat: { model: "stored" },
      environment: { model: "gpt-5-nano", embeddingModel: null, pricedModels: [], dailyBudgetUsd: 7 },
    });
    expect(await runAgent(api)).toMatchObject({ status: "success", model: "gpt-5-nano" });
    expect((await api("GET", "/api/usage/budget")).body.data).toMatchObject({ limitUsd: 7 });
  } finally {
    await fixed.close();
  }
});

test.each([
  ["an unknown endpoint", { chat: { endpoint: "nowhere", model: "m" } }],
  [
    "two endpoints of one id",
    {
      endpoints: [
        { id: "a", name: "A", baseUrl: null },
        { id: "a", name: "B", baseUrl: null },
      ],
    },
  ],
  ["another protocol", { endpoints: [{ id: "a", name: "A", baseUrl: "file:///etc/passwd" }] }],
  ["a password in the URL", { endpoints: [{ id: "a", name: "A", baseUrl: "https://u:p@api.example/v1" }] }],
  ["a query in the URL", { endpoints: [{ id: "a", name: "A", baseUrl: "https://api.example/v1?x=1" }] }],
  ["a fragment in the URL", { endpoints: [{ id: "a", name: "A", baseUrl: "https://api.example/v1#x" }] }],
  ["a key with a line break", { endpoints: [{ id: "a", name: "A", baseUrl: null, apiKey: "a\r\nX: b" }] }],
  ["two prices of one model", { prices: [PRICE, PRICE] }],
  ["a negative budget", { dailyBudgetUsd: -1 }],
])("%s is refused, and changes nothing", async (_, given) => {
  const before = await stored();
  expect(await put(given)).toMatchObject({ status: 400 });
  expect(await stored()).toEqual(before);
});

test("only a person changes the settings or tries out a model", async () => {
  expect(await put({}, server.withToken)).toMatchObject({ status: 403 });
  const body = { baseUrl: model.baseUrl };
  expect(await server.withToken("POST", "/api/settings/models/test", { body })).toMatchObject({ status: 403 });
});
