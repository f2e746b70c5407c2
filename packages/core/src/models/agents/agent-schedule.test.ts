import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestWorkspace, type TestProcess, type TestWorkspace } from "../../../testing/test-assistance.ts";
import type { CreateAgent } from "./agent.schema.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.close());

const EVERY_SECOND = "* * * * * *";
const NEVER_SOON = "0 0 29 2 *";

const createAgent = (process: TestProcess, input: Partial<CreateAgent> = {}) =>
  process.assistance.agents.create(
    { name: "Tick", schedule: EVERY_SECOND, prompt: "Work", ...input },
    workspace.user.userId,
  );

async function select<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await workspace.db.pool.query<Row>(text, values)).rows;
}

const ticks = () =>
  select<{ tickAt: string; outcome: string }>(`SELECT tick_at AS "tickAt", outcome FROM agent_ticks ORDER BY tick_at`);
const runs = () =>
  select<{ status: string; trigger: string }>("SELECT status, trigger FROM agent_runs ORDER BY started_at");

/** Pretends that the schedule has been in force, and the server down, since then. */
const setScheduledSince = (agentId: string, since: Date) =>
  workspace.db.pool.query("UPDATE agents SET scheduled_since = $2 WHERE id = $1", [agentId, since]);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
/** A daily schedule that was due at that minute. */
const dailyAt = (time: Date) => `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;

describe("a schedule", () => {
  test("runs its agent at each of its times exactly once, with three processes", async () => {
    const [first] = await Promise.all([workspace.start(), workspace.start(), workspace.start()]);
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, index) => createAgent(first, { name: `Tick ${index}` })),
    );
    await eventually(async () => (await ticks()).length >= 30);
    await first.assistance.agents.setEnabled({ enabled: false });
    const claimed = await select<{ agentId: string; at: string; tries: number; distinct: number }>(
      `SELECT agent_id AS "agentId", count(*) AS tries, count(DISTINCT tick_at) AS distinct,
         count(DISTINCT tick_at) = extract(epoch FROM max(tick_at) - min(tick_at)) + 1 AS at
       FROM agent_ticks GROUP BY agent_id`,
    );
    expect(claimed).toHaveLength(agents.length);
    // No second was missed, and none claimed twice.
    for (const { at, tries, distinct } of claimed) expect([at, tries]).toEqual([true, distinct]);
    const started = await select<{ runs: number; ticks: number }>(
      "SELECT (SELECT count(*) FROM agent_runs) AS runs, (SELECT count(*) FROM agent_ticks WHERE outcome = 'started') AS ticks",
    );
    expect(started[0]?.runs).toBe(started[0]?.ticks);
  }, 20_000);

  test("takes effect in every process as soon as it is created, changed, enabled or disabled", async () => {
    const [here, there] = [await workspace.start(), await workspace.start()];
    const agent = await createAgent(here, { schedule: NEVER_SOON });
    await there.assistance.agents.update({ id: agent.id, schedule: EVERY_SECOND });
    await eventually(async () => (await ticks()).length > 0);
    await here.assistance.agents.update({ id: agent.id, enabled: false });
    await eventually(async () => (await runs()).every(({ status }) => status !== "running"));
    const count = (await ticks()).length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await ticks()).length).toBe(count);
    await there.assistance.agents.update({ id: agent.id, enabled: true });
    await eventually(async () => (await ticks()).length > count);
  }, 20_000);

  test("skips a tick while the agent is still running, but a manual run does not wait", async () => {
    const process = await workspace.start();
    workspace.model.replyAlways({ text: ["a", "b"], fault: { kind: "hang", afterChunks: 1 } });
    const agent = await createAgent(process);
    await eventually(async () => (await ticks()).some(({ outcome }) => outcome === "skipped_overlap"));
    expect(await runs()).toHaveLength(1);
    await process.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" });
    expect((await runs()).map(({ trigger }) => trigger)).toEqual(["schedule", "manual"]);
  });
});

describe("after downtime", () => {
  test("a tick missed less than an hour ago is run once, by one of the processes", async () => {
    const before = await workspace.start();
    const due = minutesAgo(10);
    const agent = await createAgent(before, { schedule: dailyAt(due) });
    await before.close();
    await setScheduledSince(agent.id, minutesAgo(60 * 24 * 3));
    await Promise.all([workspace.start(), workspace.start()]);
    await eventually(async () => (await runs()).some(({ status }) => status === "success"));
    // The day before was missed too, and too long ago.
    expect((await ticks()).map(({ outcome }) => outcome)).toEqual(["skipped_late", "started"]);
    expect(await runs()).toHaveLength(1);
  });

  test("many missed ticks are run once", async () => {
    const before = await workspace.start();
    const agent = await createAgent(before, { schedule: "* * * * *", enabled: true });
    await before.close();
    await workspace.db.pool.query("DELETE FROM agent_ticks");
    await setScheduledSince(agent.id, minutesAgo(30));
    await workspace.start();
    await eventually(async () => (await runs()).length > 0);
    const outcomes = (await ticks()).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "coalesced").length).toBeGreaterThanOrEqual(28);
    expect(outcomes.filter((outcome) => outcome === "started")).toHaveLength(1);
  });

  test("a tick lost by a process that died is run, although later ones were claimed", async () => {
    const before = await workspace.start();
    const agent = await createAgent(before, { schedule: "* * * * *" });
    await before.close();
    await workspace.db.pool.query("DELETE FROM agent_ticks");
    await setScheduledSince(agent.id, minutesAgo(10));
    await workspace.db.pool.query(
      `INSERT INTO agent_ticks (agent_id, tick_at, outcome, claimed_at)
       SELECT $1, date_trunc('minute', now()) - minute * interval '1 minute', 'skipped_overlap', now()
       FROM generate_series(0, 9) AS minute WHERE minute <> 5`,
      [agent.id],
    );
    await workspace.start();
    await eventually(async () => (await runs()).some(({ status }) => status === "success"));
    expect((await ticks()).filter(({ outcome }) => outcome === "started")).toHaveLength(1);
  });

  test("a tick missed more than an hour ago is skipped", async () => {
    const before = await workspace.start();
    const agent = await createAgent(before, { schedule: dailyAt(minutesAgo(90)) });
    await before.close();
    await setScheduledSince(agent.id, minutesAgo(60 * 24 * 3));
    await workspace.start();
    await eventually(async () => (await ticks()).length === 1);
    expect(await ticks()).toMatchObject([{ outcome: "skipped_late" }]);
    expect(await runs()).toHaveLength(0);
  });

  test("a tick from before the schedule was created was not missed", async () => {
    const before = await workspace.start();
    await createAgent(before, { schedule: dailyAt(minutesAgo(10)) });
    await before.close();
    const after = await workspace.start();
    await createAgent(after, { name: "Witness" });
    await eventually(async () => (await ticks()).length > 0);
    expect(
      (await select("SELECT FROM agent_ticks t JOIN agents a ON a.id = t.agent_id WHERE a.name = 'Tick'")).length,
    ).toBe(0);
  });
});

test("without a model, a manual run is 503, and a scheduled one is recorded as error", async () => {
  const process = await workspace.start({ model: null });
  const agent = await createAgent(process);
  await expect(process.assistance.agentRuns.start({ agentId: agent.id, trigger: "manual" })).rejects.toMatchObject({
    status: 503,
  });
  await eventually(async () =>
    (await runs()).some(({ status, trigger }) => status === "error" && trigger === "schedule"),
  );
});

test("a scheduled run that the daily budget does not cover is recorded as budget_exceeded", async () => {
  const process = await workspace.start({ dailyBudgetUsd: 0.0001 });
  await createAgent(process);
  await eventually(async () => (await runs()).some(({ status }) => status === "budget_exceeded"));
  expect(workspace.model.requests).toHaveLength(0);
  await eventually(() => process.changes.some(({ resource, action }) => resource === "agent" && action === "fail"));
});
