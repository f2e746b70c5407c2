import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, PreconditionFailedError } from "../../platform/errors.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import { createAssistantUsageService, type AssistantUsageService } from "./assistant-usage.service.ts";
import { createOwnLimitsService } from "./own-limits.service.ts";
import { largestPerMessage, totalTokens } from "./largest-usage.ts";
import { readTranscriptUsage } from "./transcript-usage.ts";

const NOW = "2026-06-10T12:00:00.000Z";

let database: TestDatabase;
let deps: TestDeps;
let service: AssistantUsageService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE assistant_usage, assistant_limits, settings");
  deps = createTestDeps(database.db, NOW);
  service = createAssistantUsageService({
    ...deps,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    readPricing:
      async () =>
      ({ model, inputTokens }) =>
        model === "priced" ? inputTokens / 1_000 : null,
    ownLimits: createOwnLimitsService(deps),
  });
});
afterAll(() => database.close());

const readUsage = async (transcript: string) => (await readTranscriptUsage(transcript, "s", new Date(NOW))).reports;
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const claude = (id: string, output: number, extra: object = {}) => ({
  type: "assistant",
  requestId: "r1",
  timestamp: "2026-06-10T10:00:00.000Z",
  message: {
    id,
    model: "claude-x",
    content: [],
    usage: { input_tokens: 4, output_tokens: output, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 },
  },
  ...extra,
});

describe("an import", () => {
  test("prices what is reported without a cost, if the price is known", async () => {
    const report = { inputTokens: 4, outputTokens: 1 };
    await service.import({
      sessionId: "s",
      messages: [
        { ...report, messageId: "m1", model: "priced" },
        { ...report, messageId: "m2", model: "priced", costUsd: 1 },
        { ...report, messageId: "m3", model: "unknown" },
      ],
    });
    expect(await service.sumSession("s")).toMatchObject({ messages: 3, costUsd: 1.004 });
  });

  test("reads opencode's messages, of which those that are not answered yet count nothing", async () => {
    const tokens = { total: 1240, input: 200, output: 30, reasoning: 10, cache: { write: 5, read: 1000 } };
    const message = (id: string, own: object) => ({
      info: { id, role: "assistant", modelID: "claude-sonnet-4-5", time: { created: 1_780_000_000_000 }, ...own },
      parts: [],
    });
    const transcript = lines(
      { info: { id: "m0", role: "user" }, parts: [] },
      message("m1", { cost: 0.00135, tokens }),
      message("m2", { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { write: 0, read: 0 } } }),
    );
    await service.import({ sessionId: "s", transcript });
    expect(await service.sumSession("s")).toEqual({
      messages: 1,
      inputTokens: 200,
      outputTokens: 40,
      cacheCreationInputTokens: 5,
      cacheReadInputTokens: 1000,
      totalTokens: 1245,
      costUsd: 0.00135,
    });
  });

  test("counts each answer once, with its largest report, and cached tokens once", async () => {
    const transcript = lines(
      claude("m1", 1),
      { type: "user", message: { role: "user", content: "x" } },
      claude("m1", 8),
      claude("m1", 3),
      claude("m2", 2),
    );
    expect(await service.import({ sessionId: "s", transcript })).toEqual({ received: 2, added: 2, updated: 0 });
    expect(await service.sumSession("s")).toEqual({
      messages: 2,
      inputTokens: 8,
      outputTokens: 10,
      cacheCreationInputTokens: 200,
      cacheReadInputTokens: 2000,
      totalTokens: 2218,
      costUsd: null,
    });
  });

  test("repeated changes nothing and announces nothing", async () => {
    const transcript = lines(claude("m1", 8), claude("m2", 2));
    await service.import({ sessionId: "s", transcript });
    const before = await service.summarize({ period: "7d" });
    deps.changes.length = 0;
    expect(await service.import({ sessionId: "s", transcript })).toEqual({ received: 2, added: 0, updated: 0 });
    expect(await service.summarize({ period: "7d" })).toEqual(before);
    expect(deps.changes).toEqual([]);
  });

  test("updates an answer that was still streaming, and never decreases one", async () => {
    const report = (outputTokens: number) =>
      service.import({ sessionId: "s", messages: [{ messageId: "m", requestId: "r", inputTokens: 1, outputTokens }] });
    await report(5);
    expect(await report(9)).toEqual({ received: 1, added: 0, updated: 1 });
    expect(await report(2)).toEqual({ received: 1, added: 0, updated: 0 });
    expect(await service.sumSession("s")).toMatchObject({ outputTokens: 9 });
  });

  test("of the same session, made concurrently, counts it once", async () => {
    const messages = Array.from({ length: 200 }, (_, index) => ({
      messageId: `m${index}`,
      inputTokens: 1,
      outputTokens: 1,
    }));
    const imports = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        service.import({ sessionId: "s", messages: index % 2 === 0 ? messages : messages.toReversed() }),
      ),
    );
    expect(imports.reduce((sum, { added }) => sum + added, 0)).toBe(200);
    expect(await service.sumSession("s")).toMatchObject({ messages: 200, totalTokens: 400 });
  });

  test("needs something to import", async () => {
    await expect(service.import({ sessionId: "s" })).rejects.toThrow(InvalidInputError);
    expect(await service.import({ sessionId: "s", messages: [] })).toEqual({ received: 0, added: 0, updated: 0 });
  });
});

describe("reading transcripts", () => {
  test("subtracts the cached tokens from the input of Gemini and Codex", async () => {
    const gemini = lines({
      type: "gemini",
      id: "g1",
      model: "gemini-x",
      content: "",
      tokens: { input: 100, output: 7, cached: 60, thoughts: 3 },
    });
    expect(await readUsage(gemini)).toMatchObject([
      { messageId: "g1", inputTokens: 40, cacheReadInputTokens: 60, outputTokens: 10 },
    ]);
    const codexCount = {
      type: "event_msg",
      payload: {
        type: "token_count",
        info: {
          total_token_usage: { total_tokens: 110 },
          last_token_usage: { input_tokens: 100, cached_input_tokens: 80, output_tokens: 10 },
        },
      },
    };
    const codex = lines({ type: "turn_context", payload: { model: "gpt-x" } }, codexCount, codexCount);
    expect(await largestPerMessage(await readUsage(codex))).toMatchObject([
      { model: "gpt-x", inputTokens: 20, cacheReadInputTokens: 80, outputTokens: 10 },
    ]);
    const meta = (id: string) => ({ type: "session_meta", payload: { id, session_id: "s1" } });
    const inThread = async (id: string) => (await readUsage(lines(meta(id), codexCount)))[0]?.messageId;
    expect(await inThread("agent")).toBe("codex:agent");
    expect(await inThread("s1")).toBe((await readUsage(codex))[0]?.messageId);
  });

  test("skips what it does not know", async () => {
    expect(await readUsage("")).toEqual([]);
    expect(await readUsage('{"type":"assistant","message":{"id":"x"}}\n{half')).toEqual([]);
    expect(await readUsage("plain text")).toEqual([]);
    const odd = [claude("x".repeat(300), 1), claude("a\0b", 1), claude("a\ud800", 1), claude("m", 2 ** 40)];
    expect(await readUsage(lines(...odd))).toEqual([]);
  });
});

test("of several reports of one answer the largest is kept, in any order", async () => {
  const report = fc.record({
    messageId: fc.constantFrom("a", "b"),
    requestId: fc.constantFrom("r", undefined),
    inputTokens: fc.nat(5),
    outputTokens: fc.nat(5),
    cacheReadInputTokens: fc.nat(5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(report), async (reports) => {
      const sizes = async (given: typeof reports) =>
        (await largestPerMessage(given)).map(totalTokens).toSorted((one, other) => one - other);
      expect(await sizes(reports)).toEqual(await sizes(reports.toReversed()));
      for (const kept of await largestPerMessage(reports)) {
        const rivals = reports.filter(
          (other) => other.messageId === kept.messageId && other.requestId === kept.requestId,
        );
        expect(totalTokens(kept)).toBe(Math.max(...rivals.map(totalTokens)));
      }
    }),
  );
});

test("statistics add up by day, model and project, each largest first", async () => {
  const message = (messageId: string, inputTokens: number, model: string | undefined, occurredAt: string) => ({
    messageId,
    inputTokens,
    outputTokens: 0,
    model,
    occurredAt,
  });
  await service.import({
    sessionId: "s1",
    projectPath: "/a",
    messages: [message("1", 5, "x", "2026-06-09T23:30:00Z"), message("2", 3, undefined, "2026-06-08T10:00:00Z")],
  });
  await service.import({
    sessionId: "s2",
    projectPath: "/b",
    messages: [message("3", 100, "y", "2026-06-10T10:00:00Z"), message("4", 1, "y", "2026-01-01T00:00:00Z")],
  });
  const statistics = await service.summarize({ period: "7d", tz: "Europe/Berlin" });
  expect(statistics).toMatchObject({ messages: 3, inputTokens: 108, totalTokens: 108, sessions: 2 });
  expect(statistics.dailyUsage.map(({ date, inputTokens }) => [date.slice(8), inputTokens])).toEqual([
    ["03", 0],
    ["04", 0],
    ["05", 0],
    ["06", 0],
    ["07", 0],
    ["08", 3],
    ["09", 0],
    ["10", 105],
  ]);
  expect(statistics.byModel.map(({ model, inputTokens }) => [model, inputTokens])).toEqual([
    ["y", 100],
    ["x", 5],
    [null, 3],
  ]);
  expect(statistics.byProject.map(({ projectPath, messages }) => [projectPath, messages])).toEqual([
    ["/b", 1],
    ["/a", 2],
  ]);
});

test("limit windows are those of each assistant, from the format of its transcripts", async () => {
  const codex = (total_tokens: number, timestamp: string) => ({
    type: "event_msg",
    timestamp,
    payload: {
      type: "token_count",
      info: { total_token_usage: { total_tokens }, last_token_usage: { input_tokens: 100, output_tokens: 10 } },
    },
  });
  const claudeAt = (id: string, timestamp: string) => claude(id, 96, { timestamp });
  await service.import({ sessionId: "s1", transcript: lines(codex(110, "2026-06-10T06:10:00Z")) });
  await service.import({
    sessionId: "s2",
    transcript: lines(
      claudeAt("m0", "2026-06-03T11:59:00Z"),
      claudeAt("m1", "2026-06-09T10:00:00Z"),
      claudeAt("m2", "2026-06-10T09:30:00Z"),
      claudeAt("m3", "2026-06-10T10:30:00Z"),
    ),
  });
  const unknown = { messageId: "m4", inputTokens: 1, outputTokens: 1, occurredAt: "2026-06-10T11:00:00Z" };
  await service.import({ sessionId: "s3", messages: [unknown] });
  const startsAt = "2026-06-03T12:00:00.000Z";
  expect(await service.limits()).toEqual({
    assistants: [
      {
        assistant: "claude-code",
        fiveHours: {
          startsAt: "2026-06-10T09:00:00.000Z",
          endsAt: "2026-06-10T14:00:00.000Z",
          messages: 2,
          totalTokens: 2400,
          costUsd: null,
          pace: { tokensPerMinute: 40, costUsdPerMinute: null },
          forecast: { totalTokens: 2400 + 40 * 120, costUsd: null },
        },
        lastSevenDays: { startsAt, messages: 3, totalTokens: 3600, costUsd: null },
        reported: { fiveHours: null, week: null },
        own: { fiveHours: null, sevenDays: null },
      },
      {
        assistant: "codex",
        fiveHours: null,
        lastSevenDays: { startsAt, messages: 1, totalTokens: 110, costUsd: null },
        reported: { fiveHours: null, week: null },
        own: { fiveHours: null, sevenDays: null },
      },
    ],
  });
});

test("of the limits that Codex reports the newest are kept", async () => {
  const counted = (total_tokens: number, time: string, used_percent: number) => {
    const resets_at = Date.parse("2026-06-10T15:00:00Z") / 1000;
    return {
      type: "event_msg",
      timestamp: `2026-06-10T${time}:00.000Z`,
      payload: {
        type: "token_count",
        info: { total_token_usage: { total_tokens }, last_token_usage: { input_tokens: 100, output_tokens: 10 } },
        rate_limits: { primary: { used_percent, window_minutes: 300, resets_at } },
      },
    };
  };
  const newer = lines(counted(110, "11:00", 20), counted(220, "11:30", 50));
  await service.import({ sessionId: "s1", transcript: newer });
  await service.import({ sessionId: "s2", transcript: lines(counted(110, "10:30", 90)) });
  const limit = { usedPercent: 50, resetsAt: "2026-06-10T15:00:00.000Z", reportedAt: "2026-06-10T11:30:00.000Z" };
  const fullAt = "2026-06-10T13:00:00.000Z";
  expect((await service.limits()).assistants).toMatchObject([
    { assistant: "codex", reported: { fiveHours: { ...limit, fullAt }, week: null } },
  ]);
});

test("limits that a person has entered are stored with a version, and come with what is used of them", async () => {
  const ownLimits = createOwnLimitsService(deps);
  expect(await ownLimits.get()).toEqual({ assistants: [], version: 0, updatedAt: null });
  const tokens = { unit: "tokens", amount: 4_400 } as const;
  const assistants = [
    { assistant: "claude-code" as const, fiveHours: tokens, sevenDays: { unit: "usd", amount: 1 } as const },
  ];
  await ownLimits.set({ assistants, expectedVersion: 0 });
  await expect(ownLimits.set({ assistants: [], expectedVersion: 0 })).rejects.toThrow(PreconditionFailedError);
  await service.import({
    sessionId: "s",
    transcript: lines(claude("m1", 96, { timestamp: "2026-06-10T10:00:00.000Z" })),
  });
  expect((await service.limits()).assistants).toMatchObject([
    { own: { fiveHours: { ...tokens, usedPercent: expect.closeTo(27.3, 1) }, sevenDays: { usedPercent: null } } },
  ]);
});
