import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, PreconditionFailedError } from "../../platform/errors.ts";
import { createAssistantUsageService } from "../../assistants/assistant-usage/assistant-usage.service.ts";
import type { OldTrash } from "./pruning.ts";
import { RETENTION_KINDS, type EnvironmentRetention, type RetentionKind } from "./retention-kinds.ts";
import { createRetentionSettingsService } from "./retention-settings.service.ts";
import { setRetentionSettingsInput, type SetRetentionSettings } from "./retention.schema.ts";
import { createRetentionService } from "./retention.service.ts";

const NOW = "2026-11-26T12:00:00.000Z";
const DAY_MS = 86_400_000;
const USER = "0190a000-0000-7000-8000-000000000001";

let database: TestDatabase;
let deps: TestDeps;

afterEach(() => database.close());
beforeEach(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, NOW);
  await database.db.pool.query(
    "INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@example.org', now())",
    [USER],
  );
});

const query = async (text: string, values: unknown[] = []) => (await database.db.pool.query(text, values)).rows;
const count = async (table: string) => Number((await query(`SELECT count(*) AS n FROM ${table}`))[0].n);
const daysAgo = (days: number) => new Date(deps.clock.now().getTime() - days * DAY_MS).toISOString();
const hasNoTrash: OldTrash = { removeBefore: () => Promise.resolve(0) };

function createServices(environmentRetention: EnvironmentRetention = {}, oldTrash = hasNoTrash) {
  const retentionSettings = createRetentionSettingsService({ ...deps, environmentRetention });
  return { retentionSettings, retention: createRetentionService({ ...deps, oldTrash, retentionSettings }) };
}

const choose = (days: SetRetentionSettings["days"]) => createServices().retentionSettings.set({ days });

/** Removes what is old, as on the day after the first start. */
async function runDaily(environment: EnvironmentRetention = {}) {
  const { retention } = createServices(environment);
  await retention.look();
  deps.clock.set(new Date(deps.clock.now().getTime() + DAY_MS));
  await retention.look();
  return retention.status();
}

/** A row of each kind as old as given, and the tables that they are in. */
const ROWS: Readonly<Record<Exclude<RetentionKind, "trash">, (at: string) => Promise<unknown>>> = {
  hookEvents: (at) =>
    query("INSERT INTO hook_events (id, event_type, created_at) VALUES (gen_random_uuid(), 'PreToolUse', $1)", [at]),
  transcripts: (at) =>
    query("INSERT INTO session_transcripts (session_id, updated_at) VALUES (gen_random_uuid()::text, $1)", [at]),
  assistantUsage: (at) =>
    query(
      `INSERT INTO assistant_usage (id, session_id, message_id, request_id, input_tokens, output_tokens, created_at)
       VALUES (gen_random_uuid(), 's', gen_random_uuid(), 'r', 1, 2, $1)`,
      [at],
    ),
  usage: (at) =>
    query(
      `INSERT INTO usage_records (id, source, input_tokens, output_tokens, cost_usd, created_at)
       VALUES (gen_random_uuid(), 'chat', 1, 2, 0.5, $1)`,
      [at],
    ),
  runs: async (at) => {
    await query(
      `INSERT INTO agents (id, name, schedule, prompt, scheduled_since, creator_id, created_at, updated_at)
       VALUES ($1, 'A', '* * * * *', 'p', now(), $1, now(), now()) ON CONFLICT DO NOTHING`,
      [USER],
    );
    await query(
      `INSERT INTO agent_runs (id, agent_id, status, trigger, started_at, completed_at)
       VALUES (gen_random_uuid(), $1, 'success', 'manual', $2, $2)`,
      [USER, at],
    );
  },
  signIns: (at) =>
    query(
      "INSERT INTO sign_ins (id, user_id, outcome, created_at) VALUES (gen_random_uuid(), $1, 'wrong_password', $2)",
      [USER, at],
    ),
  secretAccesses: (at) =>
    query(
      "INSERT INTO secret_accesses (id, secret_key, actor, action, created_at) VALUES (gen_random_uuid(), 'K', 'a', 'read', $1)",
      [at],
    ),
  changes: (at) =>
    query("INSERT INTO change_events (resource, action, resource_id, created_at) VALUES ('task', 'edit', 'x', $1)", [
      at,
    ]),
  conversations: (at) =>
    query(
      "INSERT INTO conversations (id, session_id, title, started_at, creator_id) VALUES (gen_random_uuid(), 's', 't', $1, $2)",
      [at, USER],
    ),
  deletedTasks: (at) =>
    query(
      `INSERT INTO tasks (id, title, creator_id, created_at, modified_at, deleted_at, search_text)
       VALUES (gen_random_uuid(), 't', $1, $2, $2, $2, 't')`,
      [USER, at],
    ),
  deletedProjects: (at) =>
    query(
      "INSERT INTO projects (id, name, color, created_at, modified_at, deleted_at) VALUES (gen_random_uuid(), 'P', '#000000', $1, $1, $1)",
      [at],
    ),
  deletedViews: (at) =>
    query(
      `INSERT INTO task_views (id, name, settings, position, creator_id, created_at, modified_at, deleted_at)
       VALUES (gen_random_uuid(), 'V', '{}', 1, $1, $2, $2, $2)`,
      [USER, at],
    ),
  versions: async (at) => {
    await query(
      `INSERT INTO documents (id, title, path, directory, link_name, file_type, creator_id, content_hash, size_bytes, mtime_ns,
         inode, birthtime_ns, created_at, modified_at, search_text)
       VALUES ($1, 'N', 'n.md', '', 'n', 'markdown', $1, 'h', 1, 1, 1, 1, now(), now(), 'n') ON CONFLICT DO NOTHING`,
      [USER],
    );
    await query(
      `INSERT INTO document_versions (id, document_id, content_hash, size_bytes, path, created_at)
       VALUES (gen_random_uuid(), $1, 'h', 100, 'n.md', $2)`,
      [USER, at],
    );
  },
};
const TABLES: Readonly<Record<keyof typeof ROWS, string>> = {
  hookEvents: "hook_events",
  transcripts: "session_transcripts",
  assistantUsage: "assistant_usage",
  usage: "usage_records",
  runs: "agent_runs",
  signIns: "sign_ins",
  secretAccesses: "secret_accesses",
  changes: "change_events",
  conversations: "conversations",
  deletedTasks: "tasks",
  deletedProjects: "projects",
  deletedViews: "task_views",
  versions: "document_versions",
};

describe("by default", () => {
  test.each(["conversations", "deletedTasks", "deletedProjects", "versions"] as const)(
    "%s are kept for ever",
    async (kind) => {
      await ROWS[kind](daysAgo(9_999));
      const { lastRun } = await runDaily();
      expect(lastRun).toMatchObject({ removed: [] });
      expect(await count(TABLES[kind])).toBe(1);
    },
  );

  test("what machines recorded is removed after long, and not on the first day", async () => {
    for (const kind of ["hookEvents", "runs", "secretAccesses"] as const) {
      await ROWS[kind](daysAgo(367));
      await ROWS[kind](daysAgo(360));
    }
    const { retention } = createServices();
    await retention.look();
    expect(await count("hook_events")).toBe(2);
    expect((await retention.status()).nextRunAt).toBe(daysAgo(-1));
    const { lastRun, isRunning } = await runDaily();
    expect(isRunning).toBe(false);
    expect(lastRun?.removed).toEqual([
      { kind: "hookEvents", rows: 1 },
      { kind: "runs", rows: 1 },
      { kind: "secretAccesses", rows: 1 },
    ]);
    expect(lastRun?.completedAt).not.toBeNull();
    expect(await count("hook_events")).toBe(1);
  });
});

test.each(Object.keys(ROWS).map((kind) => [kind as keyof typeof ROWS]))(
  "%s are removed as the settings say, the rest stays, and the preview says so before",
  async (kind) => {
    for (const days of [101, 101, 99]) await ROWS[kind](daysAgo(days));
    await choose({ [kind]: 100 });
    const { retention } = createServices();
    const shown = (await retention.preview()).find((each) => each.kind === kind);
    expect(shown).toMatchObject({ days: 100, rows: 3, oldRows: 2, oldestAt: daysAgo(101), oldestKeptAt: daysAgo(99) });
    expect(shown?.oldBytes).toBeGreaterThan(0);
    expect(shown?.oldBytes).toBeLessThan(shown?.bytes ?? 0);
    await retention.start();
    await expect.poll(() => retention.status()).toMatchObject({ isRunning: false, lastRun: { completedAt: NOW } });
    expect((await retention.status()).lastRun?.removed).toEqual([{ kind, rows: 2 }]);
    expect(await count(TABLES[kind])).toBe(1);
    expect((await retention.preview()).find((each) => each.kind === kind)).toMatchObject({ rows: 1, oldRows: 0 });
  },
);

describe("what is in use stays, however old it is:", () => {
  test("the last run of an agent, and one that runs", async () => {
    await ROWS.runs(daysAgo(900));
    await query("UPDATE agent_runs SET status = 'running', completed_at = NULL");
    await ROWS.runs(daysAgo(800));
    await ROWS.runs(daysAgo(700));
    await runDaily();
    expect(await query("SELECT status, started_at FROM agent_runs ORDER BY started_at")).toMatchObject([
      { status: "running" },
      { started_at: daysAgo(701) },
    ]);
  });

  test("when somebody was last here", async () => {
    for (const days of [500, 400]) {
      await query(
        "INSERT INTO sign_ins (id, user_id, outcome, created_at) VALUES (gen_random_uuid(), $1, 'password', $2)",
        [USER, daysAgo(days)],
      );
    }
    await ROWS.signIns(daysAgo(300));
    await runDaily();
    expect(await query("SELECT outcome FROM sign_ins")).toEqual([{ outcome: "password" }]);
  });

  test("the last change of the log", async () => {
    await ROWS.changes(daysAgo(90));
    await ROWS.changes(daysAgo(80));
    await runDaily();
    expect(await query("SELECT seq FROM change_events")).toHaveLength(1);
  });

  test("favourite conversations, and projects that something is in", async () => {
    await choose({ conversations: 30, deletedProjects: 30 });
    await ROWS.conversations(daysAgo(90));
    await query(
      "INSERT INTO shelf_items (user_id, kind, item_id, position) SELECT $1, 'conversation', id::text, 1 FROM conversations",
      [USER],
    );
    await ROWS.deletedProjects(daysAgo(90));
    await ROWS.deletedTasks(daysAgo(90));
    await query("UPDATE tasks SET project_id = (SELECT id FROM projects)");
    expect((await runDaily()).lastRun?.removed).toEqual([]);
    await choose({ deletedProjects: 30, deletedTasks: 30 });
    deps.clock.set(new Date(deps.clock.now().getTime() + DAY_MS));
    await createServices().retention.look();
    expect((await createServices().retention.status()).lastRun?.removed).toEqual([
      { kind: "deletedTasks", rows: 1 },
      { kind: "deletedProjects", rows: 1 },
    ]);
  });
});

test("a session's usage is the same after its reports are gone, also if they arrive again", async () => {
  const usage = createAssistantUsageService({
    ...deps,
    transcripts: { read: () => Promise.reject(new Error("no transcript")) },
    readPricing: () => Promise.resolve(() => 0.25),
    ownLimits: { get: () => Promise.reject(new Error("no limits")) },
  });
  const reports = [800, 790, 10].map((days, index) => ({
    messageId: `m${index}`,
    requestId: "r",
    model: "model",
    inputTokens: 10 + index,
    outputTokens: 5,
    cacheCreationInputTokens: 1,
    cacheReadInputTokens: 2,
    occurredAt: daysAgo(days),
  }));
  const report = () => usage.import({ sessionId: "s", messages: reports });
  expect(await report()).toMatchObject({ added: 3 });
  const before = await usage.sumSession("s");
  expect(before).toMatchObject({ messages: 3, inputTokens: 33, costUsd: 0.75 });
  await runDaily();
  expect(await count("assistant_usage")).toBe(1);
  expect(await usage.sumSession("s")).toEqual(before);
  expect(await report()).toEqual({ received: 3, added: 0, updated: 0 });
  expect(await usage.sumSession("s")).toEqual(before);
});

test("what was removed from the trash is counted", async () => {
  const asked: Date[] = [];
  const trash = { removeBefore: async (before: Date) => (asked.push(before), 4) };
  const { retention } = createServices({ trash: 60 }, trash);
  await retention.start();
  await expect.poll(() => retention.status()).toMatchObject({ isRunning: false, lastRun: { completedAt: NOW } });
  expect((await retention.status()).lastRun?.removed).toEqual([{ kind: "trash", rows: 4 }]);
  expect(asked.map((at) => at.toISOString())).toEqual([daysAgo(60)]);
});

describe("settings", () => {
  test("what the environment says has precedence, and the settings say so", async () => {
    await choose({ hookEvents: 50, usage: null });
    const { retentionSettings } = createServices({ hookEvents: null, runs: 40 });
    expect(await retentionSettings.days()).toMatchObject({ hookEvents: null, usage: null, runs: 40, changes: 30 });
    const { kinds, version } = await retentionSettings.get();
    expect(version).toBe(1);
    expect(kinds.map(({ kind }) => kind)).toEqual(RETENTION_KINDS);
    expect(kinds.find(({ kind }) => kind === "hookEvents")).toEqual({
      kind: "hookEvents",
      days: null,
      chosenDays: 50,
      defaultDays: 365,
      leastDays: 31,
      variable: "KEEP_HOOK_EVENTS_DAYS",
      isFromEnvironment: true,
    });
  });

  test("what feeds statistics is kept longer than they reach back", () => {
    const parse = (days: object) => setRetentionSettingsInput.safeParse({ days });
    for (const kind of ["hookEvents", "usage", "runs", "assistantUsage"]) {
      expect(parse({ [kind]: 30 }).error?.issues[0]).toMatchObject({
        path: ["days", kind],
        message: "must be at least 31",
      });
      expect(parse({ [kind]: 31 }).success).toBe(true);
    }
    expect(parse({ trash: 0 }).success).toBe(false);
    expect(parse({ trash: 1.5 }).success).toBe(false);
    expect(parse({ trash: 36_501 }).success).toBe(false);
    expect(parse({ trash: null }).success).toBe(true);
    expect(parse({ trashes: null }).success).toBe(false);
  });

  test("a change of an old version is refused", async () => {
    const { retentionSettings } = createServices();
    await retentionSettings.set({ days: { trash: 7 } });
    await expect(retentionSettings.set({ expectedVersion: 0, days: {} })).rejects.toThrow(PreconditionFailedError);
    expect((await retentionSettings.get()).version).toBe(1);
  });
});

test("only one process removes at a time, and the next continues what another has left", async () => {
  for (let n = 0; n < 2_500; n += 500) {
    await query(
      "INSERT INTO hook_events (id, event_type, created_at) SELECT gen_random_uuid(), 'PreToolUse', $1 FROM generate_series(1, 500)",
      [daysAgo(400)],
    );
  }
  let finish = (): void => {};
  const isHeld = new Promise<void>((resolve) => (finish = resolve));
  const slow = createServices({}, { removeBefore: async () => (await isHeld, 0) }).retention;
  await slow.start();
  const other = createServices().retention;
  await expect.poll(() => other.status()).toMatchObject({ isRunning: true });
  await expect(other.start()).rejects.toThrow(ConflictError);
  finish();
  await expect.poll(() => other.status()).toMatchObject({ isRunning: false });
  const orders = await Promise.allSettled([other.start(), other.start(), other.start()]);
  expect(orders.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expect.poll(() => other.status()).toMatchObject({ isRunning: false });
  expect(await count("hook_events")).toBe(0);

  await ROWS.hookEvents(daysAgo(400));
  const ended = createServices().retention;
  await ended.startSchedule().close();
  await expect(ended.start()).rejects.toThrow(ConflictError);
  expect(await count("hook_events")).toBe(1);
});
