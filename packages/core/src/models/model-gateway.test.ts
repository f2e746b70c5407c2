import { setTimeout as sleep } from "node:timers/promises";
import { transaction } from "@workspace/db";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestWorkspace, type TestProcess, type TestWorkspace } from "../testing/test-assistance.ts";
import { eventually } from "../testing/eventually.ts";
import { NO_FURTHER_LIMITS, type SpendingLimits } from "../usage/spend-guard.ts";
import { BudgetExceededError, UnpricedModelError } from "./model-error.ts";
import type { ModelCall, ModelGateway } from "./model-gateway.ts";
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

const gateway = () => process.assistance.models.requireGateway();

async function call(
  options: { limits?: SpendingLimits; signal?: AbortSignal; onRestart?: () => void; on?: ModelGateway } = {},
): Promise<ModelCall & { told: string }> {
  const { limits = NO_FURTHER_LIMITS, signal = new AbortController().signal, onRestart, on = gateway() } = options;
  let told = "";
  const onText = (delta: string) => void (told += delta);
  const restart = onRestart === undefined ? {} : { onRestart: () => ((told = ""), onRestart()) };
  const result = await on.call(request, { limits, signal, onText, ...restart });
  return { ...result, told };
}

const book = (model: ModelGateway, { charge }: ModelCall) =>
  transaction(workspace.db.pool, (client) =>
    model.book(client, charge, {
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
    const { outcome, answer, charge, told } = await call();
    expect([outcome, answer.text, told]).toEqual(["answered", "Hello", "Hello"]);
    expect(charge.cost).toBe(600n * 1000n + 400n * 100n + 7n * 5000n);
    expect(charge.isCostKnown).toBe(true);
  });

  test("is asked for with a limit to its length, and with usage", async () => {
    await call();
    expect(workspace.model.requests[0]).toMatchObject({
      max_completion_tokens: 1000,
      stream_options: { include_usage: true },
    });
  });

  test("whose tokens nobody counted is estimated, and said to be", async () => {
    workspace.model.reply({ text: "Hello", usage: null });
    const { charge } = await call();
    expect(charge.isCostKnown).toBe(false);
    expect(charge.usage.outputTokens).toBe(2);
    expect(charge.atMost).toBeGreaterThan(charge.cost);
  });
});

describe("a failure", () => {
  test.each([
    ["429", { kind: "status", status: 429, retryAfterS: 0 }],
    ["500", { kind: "status", status: 500 }],
    ["a lost connection", { kind: "disconnect" }],
    ["something that is no answer", { kind: "malformed" }],
  ] as const)("by %s is tried again, and costs nothing", async (_what, fault) => {
    workspace.model.reply({ fault });
    const { outcome, charge, told } = await call();
    expect([outcome, told]).toEqual(["answered", "Hello."]);
    expect(workspace.model.requests).toHaveLength(2);
    expect(charge.usage).toEqual({ inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 });
  });

  test("by silence is tried again", async () => {
    process = await workspace.start({ silenceTimeoutMs: 100 });
    workspace.model.reply({ fault: { kind: "hang" } });
    expect(await call()).toMatchObject({ outcome: "answered", told: "Hello." });
  });

  test.each([400, 401, 403, 404, 422])("by %d is final", async (status) => {
    workspace.model.reply({ fault: { kind: "status", status } });
    const result = await call();
    expect(result).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining(String(status)) } });
    expect(workspace.model.requests).toHaveLength(1);
  });

  test("in the middle of an answer is final where the text was told already, and its cost is kept", async () => {
    workspace.model.reply({ text: ["Hello", " there"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call();
    expect(result).toMatchObject({ outcome: "failed", told: "Hello", answer: { text: "Hello" } });
    expect(result.charge.isCostKnown).toBe(false);
    expect(result.charge.cost).toBeGreaterThan(0n);
  });

  test("in the middle of an answer is tried again where the text can be taken back, and both are paid for", async () => {
    workspace.model.reply({ text: ["Hello", " there"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call({ onRestart: () => undefined });
    expect(result).toMatchObject({ outcome: "answered", told: "Hello.", answer: { text: "Hello." } });
    expect(result.charge.usage.inputTokens).toBeGreaterThan(100);
    expect(result.charge.isCostKnown).toBe(false);
  });

  test("is tried again a few times, ever later, and no sooner than asked", () => {
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
    expect(await calling).toMatchObject({ outcome: "aborted", told: "" });
    await eventually(() => workspace.model.abortedCount === 1);
  });

  test("keeps what was answered by then", async () => {
    workspace.model.reply({ text: ["one ", "two"], fault: { kind: "hang", afterChunks: 1 } });
    const controller = new AbortController();
    let told = "";
    const calling = gateway().call(request, {
      limits: NO_FURTHER_LIMITS,
      signal: controller.signal,
      onText: (delta) => {
        told += delta;
        controller.abort();
      },
    });
    expect(await calling).toMatchObject({ outcome: "aborted", answer: { text: "one " } });
    expect(told).toBe("one ");
  });

  test("ends the wait before another try, and nothing is spent after it", async () => {
    workspace.model.reply({ fault: { kind: "status", status: 429, retryAfterS: 20 } });
    const controller = new AbortController();
    const calling = call({ signal: controller.signal });
    await eventually(() => workspace.model.requests.length === 1);
    // The refusal has to arrive; the wait that it asks for is much longer.
    await sleep(500);
    controller.abort();
    const { outcome, charge } = await calling;
    expect([outcome, charge.cost]).toEqual(["aborted", 0n]);
    expect(workspace.model.requests).toHaveLength(1);
  });
});

describe("a cap", () => {
  const worst = 1000n * 5000n + BigInt(Buffer.byteLength(JSON.stringify(request))) * 1000n;

  test("refuses a call that could overshoot it, before it is made", async () => {
    const limits = { runLeft: worst - 1n, agent: null };
    await expect(call({ limits })).rejects.toThrow(BudgetExceededError);
    expect(workspace.model.requests).toHaveLength(0);
    expect(await call({ limits: { runLeft: worst, agent: null } })).toMatchObject({ outcome: "answered" });
  });

  test("is not overshot by many calls at once, in several processes", async () => {
    const calls = 40;
    const fitting = 7;
    const dailyBudgetUsd = Number(worst * BigInt(fitting)) / 1e9;
    const processes = await Promise.all([1, 2, 3].map(() => workspace.start({ dailyBudgetUsd })));
    workspace.model.replyAlways({ text: "ok", delayMs: 100 });
    const results = await Promise.allSettled(
      Array.from({ length: calls }, (_, index) =>
        call({ on: (processes[index % 3] ?? process).assistance.models.requireGateway() }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(fitting);
    expect(workspace.model.requests).toHaveLength(fitting);
  });

  test("has room again for what a call did not use, once that is booked", async () => {
    const limited = await workspace.start({ dailyBudgetUsd: Number(worst + 200_000n) / 1e9 });
    const model = limited.assistance.models.requireGateway();
    const first = await call({ on: model });
    await expect(call({ on: model })).rejects.toThrow(BudgetExceededError);
    await book(model, first);
    const second = await call({ on: model });
    await book(model, second);
    await expect(call({ on: model })).rejects.toThrow(BudgetExceededError);
    expect(await limited.assistance.usage.budget()).toMatchObject({ spentUsd: 0.0004, reservedUsd: 0 });
  });

  test("is counted against by a call that failed after it had begun to answer, at the most that it can have cost", async () => {
    const limited = await workspace.start({ dailyBudgetUsd: 1 });
    workspace.model.reply({ text: ["a", "b"], fault: { kind: "disconnect", afterChunks: 1 } });
    const result = await call({ on: limited.assistance.models.requireGateway() });
    await book(limited.assistance.models.requireGateway(), result);
    const { spentUsd, reservedUsd } = await limited.assistance.usage.budget();
    expect([spentUsd, reservedUsd]).toEqual([Number(result.charge.atMost) / 1e9, 0]);
  });

  test("is not taken for kept where the model has no known price", async () => {
    const unpriced = await workspace.start({ model: "unheard-of", dailyBudgetUsd: 100 });
    await expect(call({ on: unpriced.assistance.models.requireGateway() })).rejects.toThrow(UnpricedModelError);
    const free = await workspace.start({ model: "unheard-of" });
    expect((await call({ on: free.assistance.models.requireGateway() })).charge).toMatchObject({
      cost: 0n,
      isCostKnown: false,
    });
    expect(workspace.model.requests).toHaveLength(1);
  });
});

test("a secret's value does not reach the model", async () => {
  const careful = await workspace.start({ secret: "hunter2" });
  await careful.assistance.models.requireGateway().call(
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

test("without a model, asking for it says which settings are missing", async () => {
  const bare = await workspace.start({ model: null });
  expect(() => bare.assistance.models.requireGateway()).toThrow("Set OPENAI_API_KEY and OPENAI_MODEL");
});
