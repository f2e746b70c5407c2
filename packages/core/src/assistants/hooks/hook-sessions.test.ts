import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { PreconditionFailedError, NotFoundError } from "../../platform/errors.ts";
import { createAssistantUsageService } from "../assistant-usage/assistant-usage.service.ts";
import { createOwnLimitsService } from "../assistant-usage/own-limits.service.ts";
import { createMemoryService } from "../memory/memory.service.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import { createHookEventService } from "./hook-event.service.ts";
import { createHookPolicyService } from "./hook-policy.service.ts";
import { createHookSessionService } from "./hook-session.service.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
});
afterAll(() => database.close());

describe("a session", () => {
  const setUp = () => {
    const transcripts = createTranscriptSource({ roots: [], maxBytes: 0 });
    const memory = createMemoryService(deps);
    const usage = createAssistantUsageService({
      ...deps,
      transcripts,
      readPricing: async () => () => null,
      ownLimits: createOwnLimitsService(deps),
    });
    const sessions = createHookSessionService({
      ...deps,
      vaultRoot: "/vault",
      listSessionMemories: memory.listOfSession,
      listGivenMemories: memory.injections.listOfSession,
      listLeftOut: memory.listLeftOutOfSession,
      findTranscript: createSessionTranscriptService({ ...deps, keepsTranscripts: true }).find,
      sumSessionUsage: usage.sumSession,
    });
    return { events: createHookEventService(deps), memory, usage, sessions };
  };

  const insertTaskAndDocument = async () => {
    const [userId, taskId, documentId] = [v7(), v7(), v7()];
    const { pool } = database.db;
    await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', $2, now())", [
      userId,
      `${userId}@x.y`,
    ]);
    await pool.query(
      `INSERT INTO tasks (id, title, creator_id, created_at, modified_at, search_text) VALUES ($1, 'The task', $2, now(), now(), '')`,
      [taskId, userId],
    );
    await pool.query(
      `INSERT INTO documents (id, creator_id, title, path, directory, link_name, file_type, content_hash, size_bytes, mtime_ns,
         birthtime_ns, inode, created_at, modified_at, search_text)
       VALUES ($1, $2, 'Notes', 'notes/a b.md', 'notes', 'a b', 'markdown', '', 0, 0, 0, 0, now(), now(), '')`,
      [documentId, userId],
    );
    return { taskId, documentId };
  };

  test("is assembled from its events, blocked calls, memories, usage, tasks and documents", async () => {
    const { events, memory, usage, sessions } = setUp();
    const { taskId, documentId } = await insertTaskAndDocument();
    const at = (minute: number) => `2026-06-01T10:0${minute}:00Z`;
    await events.recordBatch([
      {
        eventType: "PostToolUse",
        sessionId: "s",
        toolName: "Bash",
        occurredAt: at(3),
        eventData: { tool_response: `created task ${taskId}` },
      },
      { eventType: "SessionStart", sessionId: "s", projectDir: "/repo", occurredAt: at(0) },
      {
        eventType: "PreToolUse",
        sessionId: "s",
        toolName: "Bash",
        occurredAt: at(1),
        blocked: true,
        blockReason: "no",
      },
      {
        eventType: "PreToolUse",
        sessionId: "s",
        toolName: "Edit",
        occurredAt: at(2),
        eventData: { tool_input: { file_path: "/vault/notes/a b.md" } },
      },
      { eventType: "SessionEnd", sessionId: "s", occurredAt: at(4) },
      { eventType: "SessionStart", sessionId: "another" },
    ]);
    await memory.store({ content: "A fact of the session", chunkType: "fact", sessionId: "s" });
    await usage.import({ sessionId: "s", messages: [{ messageId: "m", inputTokens: 10, outputTokens: 5 }] });

    const { data } = await sessions.get({ sessionId: "s", limit: 500 });
    expect(data).toMatchObject({
      sessionId: "s",
      projectDir: "/repo",
      startedAt: "2026-06-01T10:00:00.000Z",
      lastEventAt: "2026-06-01T10:04:00.000Z",
      hasEnded: true,
      totalEvents: 5,
      blockedEvents: 1,
      blockedCalls: [{ blockReason: "no" }],
      memories: [{ content: "A fact of the session" }],
      usage: { messages: 1, totalTokens: 15 },
      tasks: [{ id: taskId, title: "The task" }],
      documents: [{ id: documentId, title: "Notes", path: "notes/a b.md" }],
    });
    expect(data.events.map((event) => event.createdAt.slice(15, 16))).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("has the memories that it was given, for what, in that order", async () => {
    const { events, memory, sessions } = setUp();
    await events.recordBatch([{ eventType: "SessionStart", sessionId: "given" }]);
    const { id: start } = await memory.store({ content: "Tests run with vitest", chunkType: "fact" });
    const { id: prompt } = await memory.store({
      content: "Releases go out on Tuesdays. ".repeat(20),
      chunkType: "decision",
    });
    const { id: forgotten } = await memory.store({ content: "Nobody knows", chunkType: "fact" });
    const at = (minute: number) => `2026-06-01T10:0${minute}:00.000Z`;
    const give = { sessionId: "given", tokens: 30 };
    await memory.injections.record({
      injections: [
        { ...give, reason: "prompt", subject: "When is the release?", memoryIds: [prompt], givenAt: at(2) },
        { ...give, reason: "session_start", memoryIds: [start, forgotten], givenAt: at(1) },
        { ...give, sessionId: "another", reason: "session_start", memoryIds: [start], givenAt: at(1) },
      ],
    });
    await memory.delete(forgotten);
    const { data } = await sessions.get({ sessionId: "given", limit: 1 });
    expect(data.given).toMatchObject([
      { memoryId: start, reason: "session_start", subject: null, givenAt: at(1), content: "Tests run with vitest" },
      { memoryId: prompt, reason: "prompt", subject: "When is the release?", tokens: 30, chunkType: "decision" },
    ]);
    expect(data.given[1]?.content).toHaveLength(300);
  });

  test("tells which assistant ran, in which version, and with which models", async () => {
    const { events, usage, sessions } = setUp();
    const start = (sessionId: string, occurredAt: string, eventData: object) =>
      events.recordBatch([{ eventType: "SessionStart", sessionId, occurredAt, eventData: { ...eventData } }]);
    await start("told", "2026-06-01T10:00:00Z", { harness: "codex", harnessVersion: "0.168.0", model: "gpt-5" });
    await start("told", "2026-06-01T10:05:00Z", { harness: "codex", harnessVersion: "0.169.0", model: "gpt-5.1" });
    const assistantOf = async (sessionId: string) => (await sessions.get({ sessionId, limit: 1 })).data.assistant;
    expect(await assistantOf("told")).toEqual({ name: "codex", version: "0.169.0", models: ["gpt-5.1"] });

    const use = (messageId: string, model: string) =>
      ({ messageId, model, assistant: "claude-code", inputTokens: 1, outputTokens: 1 }) as const;
    await usage.import({ sessionId: "used", messages: [use("1", "haiku"), use("2", "opus"), use("3", "opus")] });
    expect(await assistantOf("used")).toEqual({ name: "claude-code", version: null, models: ["opus", "haiku"] });

    await start("odd", "2026-06-01T10:00:00Z", { harness: { a: 1 }, harnessVersion: 7, model: "m".repeat(500) });
    expect(await assistantOf("odd")).toEqual({ name: null, version: null, models: ["m".repeat(100)] });
  });

  test("is read in pages", async () => {
    const { events, sessions } = setUp();
    await events.recordBatch(
      Array.from({ length: 5 }, () => ({ eventType: "PreToolUse" as const, sessionId: "long" })),
    );
    const first = await sessions.get({ sessionId: "long", limit: 3 });
    const rest = await sessions.get({ sessionId: "long", limit: 3, cursor: first.nextCursor ?? "" });
    expect(new Set([...first.data.events, ...rest.data.events].map((event) => event.id)).size).toBe(5);
    expect(rest.nextCursor).toBeUndefined();
    expect(first.data.hasEnded).toBe(false);
  });

  test("that is unknown is not found", async () => {
    await expect(setUp().sessions.get({ sessionId: "unknown", limit: 1 })).rejects.toThrow(NotFoundError);
  });
});

describe("the policy", () => {
  test("starts empty, and each change increases its version by one", async () => {
    const policy = createHookPolicyService({ ...deps, check: () => [] });
    expect(await policy.get()).toEqual({ document: {}, version: 0, updatedAt: null });
    expect(await policy.set({ document: { rules: [] }, expectedVersion: 0 })).toMatchObject({ version: 1 });
    expect(await policy.set({ document: { rules: [1] }, expectedVersion: 1 })).toMatchObject({ version: 2 });
    expect(await policy.set({ document: { rules: [2] } })).toMatchObject({ version: 3 });
    expect(await policy.get()).toEqual({ document: { rules: [2] }, version: 3, updatedAt: "2026-06-01T12:00:00.000Z" });
  });

  test("is not changed based on an outdated version", async () => {
    const policy = createHookPolicyService({ ...deps, check: () => [] });
    const { version } = await policy.set({ document: {} });
    const stale = policy.set({ document: { rules: ["lost"] }, expectedVersion: version - 1 });
    await expect(stale).rejects.toThrow(PreconditionFailedError);
    await expect(policy.set({ document: {}, expectedVersion: 0 })).rejects.toThrow(PreconditionFailedError);
    expect(await policy.get()).toMatchObject({ document: {}, version });
  });

  test("changed concurrently based on one version is changed once", async () => {
    const policy = createHookPolicyService({ ...deps, check: () => [] });
    const { version } = await policy.set({ document: {} });
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => policy.set({ document: { index }, expectedVersion: version })),
    );
    expect(attempts.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
  });
});
