import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import {
  createTestWorkspace,
  type TestAssistanceOptions,
  type TestProcess,
  type TestWorkspace,
} from "../../../testing/test-assistance.ts";
import type { Tool } from "../tools/toolbox.ts";
import type { AgentRunDetail } from "./agent-run.schema.ts";
import type { Agent, CreateAgent } from "./agent.schema.ts";

let workspace: TestWorkspace;
let process: TestProcess;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.close());

const HARMLESS = { effect: "reads", allows: "Nothing.", bringsText: false } as const;
const parameters = { type: "object", properties: {} };
/** Returns its input. */
const echo: Tool = { name: "echo", description: "Echo", ...HARMLESS, parameters, run: async (input) => input };
/** Never ends. */
const stuck: Tool = {
  name: "stuck",
  description: "Stuck",
  ...HARMLESS,
  parameters,
  run: () => new Promise(() => undefined),
};
const useTool = (name: string, args: object | string = {}) => ({ toolCalls: [{ name, arguments: args }] });

async function start(options: TestAssistanceOptions = {}): Promise<TestProcess> {
  process = await workspace.start({ tools: [echo, stuck], ...options });
  return process;
}

const createAgent = (input: Partial<CreateAgent> = {}): Promise<Agent> =>
  process.assistance.agents.create(
    { name: "Scribe", schedule: "0 9 * * *", prompt: "Work", ...input },
    workspace.user.userId,
  );

async function run(agent: Agent): Promise<AgentRunDetail> {
  const { runId, finished } = await process.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
  await finished;
  return process.assistance.agentRuns.get(agent.id, runId);
}

async function startRun(agent: Agent) {
  const { runId, finished } = await process.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
  return { finished, get: () => process.assistance.agentRuns.get(agent.id, runId) };
}

const usage = async () => (await process.assistance.usage.list({ period: "24h", page: 1, limit: 100 })).data;

describe("a run", () => {
  test("asks the model, makes its tool calls, and ends with its output and cost", async () => {
    await start();
    workspace.model.reply(
      {
        text: "Looking.",
        ...useTool("echo", { a: 1 }),
        usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10 },
      },
      { text: "Done.", usage: { inputTokens: 200, cachedInputTokens: 100, outputTokens: 20 } },
    );
    const done = await run(await createAgent());
    expect(done).toMatchObject({
      status: "success",
      trigger: "manual",
      output: "Looking.\n\nDone.",
      errorMessage: null,
      model: "double-1",
      inputTokens: 300,
      cachedInputTokens: 100,
      outputTokens: 30,
      numTurns: 2,
      costUsd: 0.0001 + 0.00005 + 0.0001 + 0.00001 + 0.0001,
      isCostKnown: true,
    });
    expect(done.completedAt).not.toBeNull();
    expect(done.steps.map(({ type }) => type)).toEqual(["text", "tool_use", "tool_result", "text"]);
    expect(workspace.model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: '{"a":1}' });
  });

  test("is one record of usage, even after several calls", async () => {
    await start();
    workspace.model.reply(useTool("echo"), { text: "Done." });
    const done = await run(await createAgent());
    expect(await usage()).toMatchObject([
      {
        source: "agent",
        sourceId: done.id,
        sourceName: "Scribe",
        numTurns: 2,
        costUsd: done.costUsd,
        inputTokens: 200,
      },
    ]);
  });

  test("publishes what happened, after it was stored", async () => {
    await start();
    const agent = await createAgent();
    await run(agent);
    expect(process.changes.filter(({ resource }) => resource === "agent").map(({ action }) => action)).toEqual([
      "create",
      "run",
      "complete",
    ]);
  });

  test("reports a failed tool call to the model, and continues", async () => {
    await start();
    workspace.model.reply(useTool("echo", "{not json"), useTool("unheard_of"), { text: "Sorry." });
    const done = await run(await createAgent());
    expect(done.status).toBe("success");
    expect(done.steps.filter((step) => step.type === "tool_result")).toMatchObject([
      { is_error: true, content: "The arguments are not valid JSON." },
      { is_error: true, content: "There is no tool unheard_of." },
    ]);
  });

  test("may only use the tools of its agent", async () => {
    await start();
    workspace.model.reply(useTool("echo"), { text: "Hm." });
    const done = await run(await createAgent({ tools: ["stuck"] }));
    expect(workspace.model.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual(["stuck"]);
    expect(done.steps[1]).toMatchObject({ is_error: true });
  });

  test("asks again when the model fails in the middle, and keeps only the last answer", async () => {
    await start();
    workspace.model.reply({ text: ["Half", " an"], fault: { kind: "disconnect", afterChunks: 1 } }, { text: "Whole." });
    const done = await run(await createAgent());
    expect(done).toMatchObject({ status: "success", output: "Whole.", isCostKnown: false });
  });

  test("ends as error if the model refuses", async () => {
    await start();
    workspace.model.reply({ fault: { kind: "status", status: 401 } });
    expect(await run(await createAgent())).toMatchObject({
      status: "error",
      errorMessage: expect.stringContaining("401"),
    });
    expect(process.changes.at(-1)).toMatchObject({ resource: "agent", action: "fail" });
  });

  test("shows the value of a secret neither to the model nor in its output", async () => {
    await start({ secret: "hunter2" });
    workspace.model.reply({ text: "I say hunter2.", ...useTool("echo", { said: "hunter2" }) }, { text: "hunter2" });
    const done = await run(await createAgent({ prompt: "The password is hunter2" }));
    expect(done.output).not.toContain("hunter2");
    expect(JSON.stringify(done.steps.filter(({ type }) => type !== "tool_use"))).not.toContain("hunter2");
    expect(JSON.stringify(workspace.model.requests)).not.toContain("hunter2");
  });
});

describe("limits", () => {
  test("maxTurns ends a run as error, with its output, before tools whose results nobody would see", async () => {
    await start();
    workspace.model.replyAlways({ text: "More.", ...useTool("echo") });
    const done = await run(await createAgent({ maxTurns: 3 }));
    expect(done).toMatchObject({ status: "error", numTurns: 3, output: "More.\n\nMore.\n\nMore." });
    expect(done.errorMessage).toContain("3 turns");
    expect(workspace.model.requests).toHaveLength(3);
  });

  test("maxBudgetUsd ends a run as budget_exceeded before the call that could exceed it, and keeps the output", async () => {
    await start();
    workspace.model.replyAlways({
      text: "Spent.",
      ...useTool("echo"),
      usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 1000 },
    });
    const maxBudgetUsd = 0.03;
    const done = await run(await createAgent({ maxBudgetUsd }));
    expect(done.status).toBe("budget_exceeded");
    expect(done.costUsd).toBeLessThanOrEqual(maxBudgetUsd);
    expect(done.costUsd).toBeGreaterThan(maxBudgetUsd - 0.012);
    expect(done.output).toContain("Spent.");
    expect(done.costUsd).toBe(workspace.model.requests.length * 0.006);
  });

  test("a budget of zero makes no call", async () => {
    await start();
    expect(await run(await createAgent({ maxBudgetUsd: 0 }))).toMatchObject({ status: "budget_exceeded", costUsd: 0 });
    expect(workspace.model.requests).toHaveLength(0);
  });

  test("an unpriced model with a budget refuses to start", async () => {
    await start({ model: "unheard-of" });
    expect(await run(await createAgent({ maxBudgetUsd: 5 }))).toMatchObject({ status: "error", numTurns: 0 });
    expect(workspace.model.requests).toHaveLength(0);
    expect(await run(await createAgent())).toMatchObject({ status: "success", isCostKnown: false, costUsd: 0 });
  });

  test("the daily budgets of workspace and agent reject a manual run with 402 if they do not cover a call", async () => {
    await start({ dailyBudgetUsd: 0.001 });
    const agent = await createAgent();
    await expect(process.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" })).rejects.toMatchObject({
      status: 402,
    });
    await start();
    const frugal = await createAgent({ dailyBudgetUsd: 0.001 });
    await expect(process.assistance.agentRuns.start({ agentId: frugal.id, trigger: "manual" })).rejects.toMatchObject({
      status: 402,
    });
    expect(workspace.model.requests).toHaveLength(0);
    expect(await process.assistance.agentRuns.list({ id: agent.id, limit: 10 })).toEqual({ items: [] });
  });

  test("an agent's daily budget counts all of its runs, and no others", async () => {
    await start();
    workspace.model.replyAlways({ text: "x", usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 800 } });
    const [one, other] = [await createAgent({ dailyBudgetUsd: 0.013 }), await createAgent({ dailyBudgetUsd: 0.013 })];
    expect((await run(one)).status).toBe("success");
    await expect(run(one)).resolves.toMatchObject({ status: "success" });
    await expect(run(one)).rejects.toMatchObject({ status: 402 });
    expect((await run(other)).status).toBe("success");
  });
});

describe("cancelling", () => {
  const cancelDuring = async (isReached: () => boolean | Promise<boolean>) => {
    const agent = await createAgent();
    const started = await startRun(agent);
    await eventually(isReached);
    const before = performance.now();
    expect(await process.assistance.agents.cancel(agent.id)).toBe(1);
    await started.finished;
    const requests = workspace.model.requests.length;
    expect(performance.now() - before).toBeLessThan(5000);
    expect(await started.get()).toMatchObject({ status: "cancelled" });
    return { agent, run: await started.get(), requests };
  };

  test("during a model call ends it and keeps the output", async () => {
    await start();
    workspace.model.reply({ text: ["Half an answer", "."], fault: { kind: "hang", afterChunks: 1 } });
    const { run } = await cancelDuring(() => workspace.model.requests.length === 1);
    await eventually(() => workspace.model.abortedCount === 1);
    expect(run.isCostKnown).toBe(false);
    expect(run.numTurns).toBe(1);
  });

  test("during a tool ends the run without waiting for it", async () => {
    await start();
    workspace.model.reply({ text: "Wait.", ...useTool("stuck") });
    const { run } = await cancelDuring(async () => {
      const { rowCount } = await workspace.db.pool.query("SELECT FROM agent_runs WHERE num_turns = 1");
      return rowCount === 1;
    });
    expect(run.output).toBe("Wait.");
    expect(workspace.model.requests).toHaveLength(1);
  });

  test("while waiting to retry ends the wait", async () => {
    await start();
    workspace.model.reply({ fault: { kind: "status", status: 503, retryAfterS: 20 } });
    const { run } = await cancelDuring(() => workspace.model.requests.length === 1);
    expect(run.costUsd).toBe(0);
    expect(workspace.model.requests).toHaveLength(1);
  });

  test("reaches a run in another process", async () => {
    const other = await start();
    const here = await start();
    workspace.model.reply({ text: ["a", "b"], fault: { kind: "hang", afterChunks: 1 } });
    const agent = await createAgent();
    const { finished } = await other.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
    await eventually(() => workspace.model.requests.length === 1);
    expect(await here.assistance.agents.cancel(agent.id)).toBe(1);
    await finished;
    await eventually(() => workspace.model.abortedCount === 1);
  });

  test("is 404 if nothing is running", async () => {
    await start();
    const agent = await createAgent();
    await expect(process.assistance.agents.cancel(agent.id)).rejects.toMatchObject({ status: 404 });
  });

  test("deleting an agent ends its run, and the cost remains in the usage", async () => {
    await start();
    workspace.model.reply({ text: ["a", "b"], fault: { kind: "hang", afterChunks: 1 } });
    const agent = await createAgent();
    const { finished } = await startRun(agent);
    await eventually(() => workspace.model.requests.length === 1);
    await process.assistance.agents.delete(agent.id);
    await finished;
    await eventually(() => workspace.model.abortedCount === 1);
    expect(await usage()).toMatchObject([{ source: "agent", sourceName: "Scribe", isCostKnown: false }]);
  });
});

describe("the end of a process", () => {
  test("a clean stop ends its runs as cancelled, with their output", async () => {
    await start();
    workspace.model.reply({ text: ["So far", "."], fault: { kind: "hang", afterChunks: 1 } });
    const agent = await createAgent();
    const { get } = await startRun(agent);
    await eventually(async () => (await get()).output === "So far");
    await process.close();
    const ended = await get();
    expect(ended).toMatchObject({ status: "cancelled", output: "So far" });
    expect(ended.errorMessage).toContain("stopped");
  });

  test("after a crash, another process ends its runs as error and leaves live ones alone", async () => {
    const dying = await start();
    const living = await start();
    workspace.model.replyAlways({ text: ["So far", "."], fault: { kind: "hang", afterChunks: 1 } });
    const agent = await createAgent();
    const lost = await dying.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
    const alive = await living.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
    const get = (runId: string) => living.assistance.agentRuns.get(agent.id, runId);
    await eventually(async () => (await get(lost.runId)).output === "So far");
    await workspace.db.pool.query(
      "DELETE FROM server_processes WHERE id = (SELECT process_id FROM agent_runs WHERE id = $1)",
      [lost.runId],
    );
    const ended = await eventually(async () => {
      const run = await get(lost.runId);
      return run.status !== "running" && run;
    });
    expect(ended).toMatchObject({ status: "error", output: "So far" });
    expect(ended.errorMessage).toContain("ended unexpectedly");
    expect((await get(alive.runId)).status).toBe("running");
    expect(living.changes.concat(dying.changes)).toContainEqual(
      expect.objectContaining({ resource: "agent", action: "fail" }),
    );
  });
});
