import { setTimeout as sleep } from "node:timers/promises";
import { transaction } from "@workspace/db";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestWorkspace, type TestProcess, type TestWorkspace } from "../../../testing/test-assistance.ts";
import { NO_FURTHER_LIMITS, type SpendingLimits } from "../usage/spend-guard.ts";
import { BudgetExceededError, UnpricedModelError } from "../usage/spending-errors.ts";
import type { ModelCall } from "./model-gateway.ts";
import type { ModelRequest } from "./model-request.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "./retry-delay.ts";

const request: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools: [] };

let workspace: TestWorkspace;
let process: TestProcess;
beforeEach(async () => {
  workspace = await createTestWorkspace();
  process = await workspace.start();
});
afterEach(() => workspace.close());

const gatewayOf = ({ assistance }: TestProcess) => assistance.models.requireGateway("chat");

async function call(
  options: { limits?: SpendingLimits; signal?: AbortSignal; onRestart?: () => void; on?: TestProcess } = {},
): Promise<ModelCall & { streamed: string }> {
  const { limits = NO_FURTHER_LIMITS, signal = new AbortController().signal, onRestart, on = process } = options;
  let streamed = "";
  const onText = (delta: string) => void (streamed += delta);
  const restart = onRestart === undefined ? {} : { onRestart: () => ((streamed = ""), onRestart()) };
  const gateway = await gatewayOf(on);
  const result = await gateway.call(request, { limits, signal, onText, ...restart });
  return { ...result, streamed };
}

const book = ({ assistance }: TestProcess, { charge }: ModelCall) =>
  transaction(workspace.db.pool, (client) =>
    assistance.models.book(client, charge, {
      id: "00000000-0000-7000-8000-000000000001",
      source: "chat",
      sourceId: "s",
      sourceName: "n",
      durationMs: 1,
      happenedAt: new Date(),
    }),
  );

describe("an answer", () => {
  test("is streamed, counted and priced to the billionth of a dollar", async () => {
    workspace.model.reply({
      text: ["Hel", "lo"],
      usage: { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 7 },
    });
    const { outcome, answer, charge, streamed } = await call();
    expect([outcome, answer.text, streamed]).toEqual(["answered", "Hello", "Hello"]);
    expect(charge.cost).toBe(600n * 1000n + 400n * 100n + 7n * 5000n);
    expect(charge.isCostKnown).toBe(true);
  });

  test("is requested with a maximum length, and with usage", async () => {
    await call();
    expect(workspace.model.requests[0]).toMatchObject({
      max_completion_tokens: 1000,
      stream_options: { include_usage: true },
    });
  });

  test("without a token count is estimated, and marked as such", async () => {
    workspace.model.reply({ text: "Hello", usage: null });
    const { charge } = await call();
    expect(charge.isCostKnown).toBe(false);
    expect(charge.usage.outputTokens).toBe(2);
    expect(charge.upperBound).toBeGreaterThan(charge.cost);
  });
});

describe("a failure", () => {
  test.each([
    ["429", { kind: "status", status: 429, retryAfterS: 0 }],
    ["500", { kind: "status", status: 500 }],
    ["a lost connection", { kind: "disconnect" }],
    ["something that is not an answer", { kind: "malformed" }],
  ] as const)("by %s is retried, and costs nothing", async (_what, fault) => {
    workspace.model.reply({ fault });
    const { outcome, charge, streamed } = await call();
    expect([outcome, streamed]).toEqual(["answered", "Hello."]);
    expect(workspace.model.requests).toHaveLength(2);
    expect(charge.usage).toEqual({ inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 });
  });

  test("by something that does not end is retried, and not waited for", async () => {
    process = await workspace.start({ silenceTimeoutMs: 60_000 });
    workspace.model.reply({ fault: { kind: "flood" } });
    expect(await call()).toMatchObject({ outcome: "answered", streamed: "Hello." });
    await eventually(() => workspace.model.abortedCount === 1);
  });

  test("by silence is retried", async () => {
    process = await workspace.start({ silenceTimeoutMs: 100 });
    workspace.model.reply({ fault: { kind: "hang" } });
    expect(await call()).toMatchObject({ outcome: "answered", streamed: "Hello." });
  });

  test.each([400, 401, 403, 404, 422])("by %d is final", async (status) => {
    workspace.model.reply({ fault: { kind: "status", status } });
    const result = await call();
    expect(result).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining(String(status)) } });
    expect(workspace.model.requests).toHaveLength(1);
  });

  test("in the middle of an answer is final if the text was already streamed, and its cost counts", async () => {
    workspace.model.reply({ text: ["Hello", " there"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call();
    expect(result).toMatchObject({ outcome: "failed", streamed: "Hello", answer: { text: "Hello" } });
    expect(result.charge.isCostKnown).toBe(false);
    expect(result.charge.cost).toBeGreaterThan(0n);
  });

  test("in the middle of an answer is retried if the text can be discarded, and both attempts are paid for", async () => {
    workspace.model.reply({ text: ["Hello", " there"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call({ onRestart: () => undefined });
    expect(result).toMatchObject({ outcome: "answered", streamed: "Hello.", answer: { text: "Hello." } });
    expect(result.charge.usage.inputTokens).toBeGreaterThan(100);
    expect(result.charge.isCostKnown).toBe(false);
  });

  test("is retried a few times, with increasing delays, and no sooner than requested", () => {
    expect(MAX_ATTEMPTS).toBeGreaterThan(2);
    const delays = [1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, null, 1));
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(retryDelayMs(1, 3000, 0)).toBe(3000);
    expect(retryDelayMs(1, 3_600_000, 0)).toBeLessThan(60_000);
  });
});

describe("an abort", () => {
  test("ends a call before its first word", async () => {
    workspace.model.reply({ fault: { kind: "hang" } });
    const controller = new AbortController();
    const calling = call({ signal: controller.signal });
    await eventually(() => workspace.model.requests.length === 1);
    controller.abort();
    expect(await calling).toMatchObject({ outcome: "aborted", streamed: "" });
    await eventually(() => workspace.model.abortedCount === 1);
  });

  test("keeps the answer so far", async () => {
    workspace.model.reply({ text: ["one ", "two"], fault: { kind: "hang", afterChunks: 1 } });
    const controller = new AbortController();
    let streamed = "";
    const gateway = await gatewayOf(process);
    const calling = gateway.call(request, {
      limits: NO_FURTHER_LIMITS,
      signal: controller.signal,
      onText: (delta) => {
        streamed += delta;
        controller.abort();
      },
    });
    expect(await calling).toMatchObject({ outcome: "aborted", answer: { text: "one " } });
    expect(streamed).toBe("one ");
  });

  test("ends the wait before a retry, and nothing more is spent", async () => {
    workspace.model.reply({ fault: { kind: "status", status: 429, retryAfterS: 20 } });
    const controller = new AbortController();
    const calling = call({ signal: controller.signal });
    await eventually(() => workspace.model.requests.length === 1);
    // The refusal must have arrived; the wait that it asks for is much longer.
    await sleep(500);
    controller.abort();
    const { outcome, charge } = await calling;
    expect([outcome, charge.cost]).toEqual(["aborted", 0n]);
    expect(workspace.model.requests).toHaveLength(1);
  });
});

describe("a cap", () => {
  const worst = 1000n * 5000n + BigInt(Buffer.byteLength(JSON.stringify(request))) * 1000n;

  test("rejects a call that could exceed it, before it is made", async () => {
    const limits = { runLeft: worst - 1n, agent: null };
    await expect(call({ limits })).rejects.toThrow(BudgetExceededError);
    expect(workspace.model.requests).toHaveLength(0);
    expect(await call({ limits: { runLeft: worst, agent: null } })).toMatchObject({ outcome: "answered" });
  });

  test("is not exceeded by many concurrent calls in several processes", async () => {
    const calls = 40;
    const fitting = 7;
    const dailyBudgetUsd = Number(worst * BigInt(fitting)) / 1e9;
    const processes = await Promise.all([1, 2, 3].map(() => workspace.start({ dailyBudgetUsd })));
    workspace.model.replyAlways({ text: "ok", delayMs: 100 });
    const results = await Promise.allSettled(
      Array.from({ length: calls }, (_, index) => call({ on: processes[index % 3] ?? process })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(fitting);
    expect(workspace.model.requests).toHaveLength(fitting);
  });

  test("regains what a call did not use, once that is booked", async () => {
    const limited = await workspace.start({ dailyBudgetUsd: Number(worst + 200_000n) / 1e9 });
    const first = await call({ on: limited });
    await expect(call({ on: limited })).rejects.toThrow(BudgetExceededError);
    await book(limited, first);
    const second = await call({ on: limited });
    await book(limited, second);
    await expect(call({ on: limited })).rejects.toThrow(BudgetExceededError);
    expect(await limited.assistance.usage.budget()).toMatchObject({ spentUsd: 0.0004, reservedUsd: 0 });
  });

  test("is charged for a call that failed in the middle of its answer, with the most that it can have cost", async () => {
    const limited = await workspace.start({ dailyBudgetUsd: 1 });
    workspace.model.reply({ text: ["a", "b"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call({ on: limited });
    await book(limited, result);
    const { spentUsd, reservedUsd } = await limited.assistance.usage.budget();
    expect([spentUsd, reservedUsd]).toEqual([Number(result.charge.upperBound) / 1e9, 0]);
  });

  test("does not count as respected if the price of the model is unknown", async () => {
    const unpriced = await workspace.start({ model: "unheard-of", dailyBudgetUsd: 100 });
    await expect(call({ on: unpriced })).rejects.toThrow(UnpricedModelError);
    const free = await workspace.start({ model: "unheard-of" });
    expect((await call({ on: free })).charge).toMatchObject({
      cost: 0n,
      isCostKnown: false,
    });
    expect(workspace.model.requests).toHaveLength(1);
  });
});

test("a secret's value does not reach the model", async () => {
  const careful = await workspace.start({ secret: "hunter2" });
  const gateway = await gatewayOf(careful);
  await gateway.call(
    {
      messages: [
        { role: "user", content: "My password is hunter2." },
        {
          role: "assistant",
          content: "hunter2?",
          toolCalls: [{ id: "1", name: "t", argumentsJson: '{"p":"hunter2"}' }],
        },
        { role: "tool", toolCallId: "1", content: "hunter2" },
      ],
      tools: [],
    },
    { limits: NO_FURTHER_LIMITS, signal: new AbortController().signal, onText: () => undefined },
  );
  expect(JSON.stringify(workspace.model.requests)).not.toContain("hunter2");
});

test("without a model, requiring it says why there is none", async () => {
  const bare = await workspace.start({ model: null });
  await expect(gatewayOf(bare)).rejects.toThrow("No model is configured.");
});
