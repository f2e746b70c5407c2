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
        content: [{ type: "text", text: "To be deleted" }],
        costUsd: null,
        durationMs: null,
        createdAt: expect.any(String),
      },
      expect.objectContaining({
        role: "assistant",
        content: [{ type: "text", text: "Hello." }],
        costUsd: expect.any(Number),
      }),
    ]);
    const deleted = await api("DELETE", `/api/conversations/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { data: { success: true } }]);
    expect((await api("GET", `/api/conversations/${id}`)).status).toBe(404);
  });

  test("that do not exist are 404", async () => {
    for (const id of [NOBODY, "x"]) {
      expect((await api("GET", `/api/conversations/${id}`)).status).toBe(404);
      expect((await api("DELETE", `/api/conversations/${id}`)).status).toBe(404);
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
