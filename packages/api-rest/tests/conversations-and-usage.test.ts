import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";

let model: ModelDouble;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  model = await startModelDouble();
  server = await startTestServer({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-5-mini" });
  api = server.withToken;
});
afterAll(async () => {
  await server.close();
  await model.close();
});

async function chat(message: string): Promise<string> {
  const client = await connectRealtime(server.url);
  client.send({ type: "chat:send", message });
  const { conversationId } = await client.waitFor(({ type }) => type === "chat:stream_end");
  await client.close();
  return conversationId;
}

describe("conversations", () => {
  test("are listed newest start first, without their messages, at most 50", async () => {
    for (let index = 0; index < 3; index += 1) await chat(`Question ${index}`);
    const { status, body } = await api("GET", "/api/conversations");
    expect(status).toBe(200);
    expect(body.data.slice(0, 3).map(({ title }: any) => title)).toEqual(["Question 2", "Question 1", "Question 0"]);
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      sessionId: expect.any(String),
      title: "Question 2",
      summary: "Hello.",
      status: "idle",
      errorMessage: null,
      totalCostUsd: expect.any(Number),
      isCostKnown: true,
      messageCount: 2,
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      model: null,
      match: null,
    });
    expect((await api("GET", "/api/conversations?limit=0")).status).toBe(400);
    expect((await api("GET", "/api/conversations?cursor=x")).status).toBe(400);
    expect((await api("GET", "/api/conversations?search=question 1")).body.data).toHaveLength(1);
  });

  test("are read with their messages, and deleted for good", async () => {
    const id = await chat("To be deleted");
    const { body } = await api("GET", `/api/conversations/${id}`);
    expect(body.data.messages).toEqual([
      {
        id: expect.any(String),
        conversationId: id,
        role: "user",
        parentId: null,
        content: [{ type: "text", text: "To be deleted" }],
        mentions: [],
        attachments: [],
        costUsd: null,
        isCostKnown: true,
        durationMs: null,
        model: null,
        createdAt: expect.any(String),
      },
      expect.objectContaining({
        role: "assistant",
        content: [{ type: "text", text: "Hello." }],
        costUsd: expect.any(Number),
        isCostKnown: true,
        model: "gpt-5-mini",
      }),
    ]);
    const deleted = await api("DELETE", `/api/conversations/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { data: { success: true } }]);
    expect((await api("GET", `/api/conversations/${id}`)).status).toBe(404);
  });

  test("are renamed, and found by that name and by what was said in them", async () => {
    const id = await chat("Which bird stood at the pond?");
    const renamed = await api("PUT", `/api/conversations/${id}`, { body: { title: "  Herons  " } });
    expect([renamed.status, renamed.body.data.title]).toEqual([200, "Herons"]);
    const search = async (text: string) =>
      (await api("GET", `/api/conversations?search=${text}`)).body.data.map(({ title, match }: any) => [title, match]);
    expect(await search("HERON")).toEqual([["Herons", null]]);
    const match = { messageId: expect.any(String), excerpt: "Which bird stood at the pond?" };
    expect(await search("at the pond")).toEqual([["Herons", match]]);
    for (const title of ["", " ", "x".repeat(201), 5]) {
      expect((await api("PUT", `/api/conversations/${id}`, { body: { title } })).status).toBe(400);
    }
    expect((await api("GET", `/api/conversations/${id}`)).body.data.title).toBe("Herons");
  });

  test("that do not exist are 404", async () => {
    for (const id of [NOBODY, "x"]) {
      expect((await api("GET", `/api/conversations/${id}`)).status).toBe(404);
      expect((await api("DELETE", `/api/conversations/${id}`)).status).toBe(404);
      expect((await api("PUT", `/api/conversations/${id}`, { body: { title: "x" } })).status).toBe(404);
    }
  });
});

describe("usage", () => {
  test("is listed in the contract's shape", async () => {
    const id = await chat("Counted");
    const { status, body } = await api("GET", "/api/usage?search=counted");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          source: "chat",
          sourceId: id,
          sourceName: "Counted",
          model: "gpt-5-mini",
          inputTokens: 100,
          cachedInputTokens: 0,
          outputTokens: 20,
          costUsd: 0.000065,
          isCostKnown: true,
          durationMs: expect.any(Number),
          numTurns: 1,
          createdAt: expect.any(String),
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    });
  });

  test.each(["period=1y", "source=x", "page=0", "limit=101", "limit=x", "page=1.5"])("refuses %s", async (query) => {
    expect((await api("GET", `/api/usage?${query}`)).status).toBe(400);
  });

  test("has statistics in the contract's shape", async () => {
    const { status, body } = await api("GET", "/api/usage/stats?granularity=hourly&period=24h&tzOffset=-120");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      totalCostUsd: expect.any(Number),
      totalInputTokens: expect.any(Number),
      totalOutputTokens: expect.any(Number),
      totalCalls: expect.any(Number),
      avgCostPerCall: expect.any(Number),
      callsOfUnknownCost: 0,
      dailyUsage: expect.any(Array),
      bySource: [
        { source: "chat", cost: body.data.totalCostUsd, calls: body.data.totalCalls, tokens: expect.any(Number) },
      ],
      byModel: [
        { model: "gpt-5-mini", cost: body.data.totalCostUsd, calls: body.data.totalCalls, tokens: expect.any(Number) },
      ],
      topConsumers: expect.any(Array),
    });
    expect(body.data.dailyUsage.at(-1)).toEqual({
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}$/),
      chat: expect.any(Number),
      agent: 0,
      memory: 0,
      totalCost: expect.any(Number),
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      calls: expect.any(Number),
    });
  });

  test.each(["period=1y", "granularity=weekly", "tz=x", "tzOffset=1.5"])("refuses statistics by %s", async (query) => {
    expect((await api("GET", `/api/usage/stats?${query}`)).status).toBe(400);
  });

  test("shows the day's budget", async () => {
    const { body } = await api("GET", "/api/usage/budget");
    expect(body.data).toEqual({
      day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      timeZone: "UTC",
      limitUsd: null,
      spentUsd: expect.any(Number),
      reservedUsd: 0,
      resetsAt: expect.any(String),
    });
    expect(body.data.spentUsd).toBeGreaterThan(0);
  });
});

describe("the model of a conversation", () => {
  test("is chosen for it, from the next message on", async () => {
    const { endpoints, default: current } = (await api("GET", "/api/conversations/models")).body.data;
    expect(current).toBe("gpt-5-mini");
    expect(endpoints).toEqual([
      {
        endpoint: null,
        name: new URL(model.baseUrl).host,
        models: [
          { model: "double-vectors-1", isPriceKnown: false },
          { model: "gpt-5-mini", isPriceKnown: true },
          { model: "gpt-5-nano", isPriceKnown: true },
        ],
        problem: null,
      },
    ]);
    const client = await connectRealtime(server.url);
    client.send({ type: "chat:send", message: "First", model: { endpoint: null, model: "gpt-5-nano" } });
    const { conversationId } = await client.waitFor(({ type }) => type === "chat:stream_end");
    const choose = (chosen: unknown) => api("PUT", `/api/conversations/${conversationId}`, { body: { model: chosen } });
    expect((await choose({ endpoint: null, model: "double-vectors-1" })).status).toBe(200);
    client.send({ type: "chat:send", message: "Second", conversationId });
    await client.waitFor(({ type, seq }) => type === "chat:stream_end" && seq > 4);
    expect((await choose({ endpoint: "gone", model: "double-vectors-1" })).status).toBe(200);
    client.send({ type: "chat:send", message: "Third", conversationId });
    expect((await client.waitFor(({ type, seq }) => type === "chat:error" && seq === null)).message).toContain(
      "Choose another model",
    );
    await client.close();
    const { messages, model: chosen } = (await api("GET", `/api/conversations/${conversationId}`)).body.data;
    expect(chosen).toEqual({ endpoint: "gone", model: "double-vectors-1" });
    expect(messages.map((message: any) => [message.role, message.model, message.isCostKnown])).toEqual([
      ["user", null, true],
      ["assistant", "gpt-5-nano", true],
      ["user", null, true],
      ["assistant", "double-vectors-1", false],
    ]);
    expect((await choose(null)).body.data.model).toBe(null);
    expect((await choose({ model: "x" })).status).toBe(400);
  });
});
