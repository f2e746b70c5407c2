import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v4 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { createHookEventWriter } from "./hook-event-writer.ts";
import type { ListHookEvents } from "./hook-event.schema.ts";
import { createHookEventService, type HookEventService } from "./hook-event.service.ts";

const NOW = "2026-06-01T12:00:00.000Z";

let database: TestDatabase;
let deps: TestDeps;
let service: HookEventService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE hook_events");
  deps = createTestDeps(database.db, NOW);
  service = createHookEventService(deps);
});
afterAll(() => database.close());

const list = (filter: Partial<ListHookEvents> = {}) => service.list({ limit: 100, ...filter });
const countStored = async () => (await list({ limit: 500 })).items.length;

describe("recording", () => {
  test("keeps every field", async () => {
    const given = {
      id: v4().toUpperCase(),
      eventType: "PreToolUse" as const,
      sessionId: "s",
      projectDir: "/repo",
      toolName: "Bash",
      toolMatcher: "Bash|Edit",
      eventData: { tool_input: { command: "rm -rf /" }, list: [1, null, { ключ: "значение 😀" }] },
      exitCode: 2,
      blocked: true,
      blockReason: "no",
      durationMs: 1.5,
      hookScript: "/hooks/guard.sh",
      occurredAt: "2026-06-01T09:30:00.5+02:00",
    };
    const recorded = await service.record(given);
    const { occurredAt, ...rest } = given;
    const stored = { ...rest, id: given.id.toLowerCase(), createdAt: new Date(occurredAt).toISOString() };
    expect((await list()).items).toEqual([stored]);
    expect(stored).toMatchObject(recorded);
  });

  test("a repeat of an id returns what is stored, adds nothing and announces nothing", async () => {
    const id = v4();
    const first = await service.record({ id, eventType: "PreToolUse", blocked: true, blockReason: "first" });
    const repeated = await service.record({ id, eventType: "SessionEnd" });
    expect(repeated).toEqual(first);
    expect(await countStored()).toBe(1);
    expect(deps.changes).toHaveLength(1);
  });

  test("one id concurrently stores it once", async () => {
    const id = v4();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.record({ id, eventType: "PreToolUse", blockReason: `${index}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.blockReason)).size).toBe(1);
    expect(await countStored()).toBe(1);
    expect(deps.changes).toHaveLength(1);
  });

  test("many events concurrently stores each, and announces those stored together as one change", async () => {
    const ids = Array.from({ length: 40 }, () => v4());
    const answers = await Promise.all(ids.map((id) => service.record({ id, eventType: "PreToolUse" })));
    expect(answers.map((answer) => answer.id)).toEqual(ids);
    expect(await countStored()).toBe(40);
    expect(deps.changes.length).toBeLessThan(5);
  });

  test("an event that the database rejects does not affect the others", async () => {
    const writer = createHookEventWriter({ pool: database.db.pool, events: deps.events });
    const stored = await service.record({ eventType: "SessionStart" });
    const [template] = (await list()).items;
    if (template === undefined) throw new Error("nothing was stored");
    const refused = { ...template, id: "no id" };
    const results = await Promise.allSettled(
      [template, { ...template, id: v4() }, refused, { ...template, id: v4() }].map((event) => writer.write([event])),
    );
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(stored.id).toBe(template.id);
    expect(await countStored()).toBe(3);
  });

  test("treats a future time as now", async () => {
    const { createdAt } = await service.record({ eventType: "SessionStart", occurredAt: "2030-01-01T00:00:00Z" });
    expect(createdAt).toBe(NOW);
  });

  test("redacts the values of secrets", async () => {
    const redactor = createTestRedactor("s3cr3t");
    const guarded = createHookEventService({ ...deps, redactor });
    await guarded.record({ eventType: "PreToolUse", blockReason: "has s3cr3t", eventData: { command: "echo s3cr3t" } });
    expect(JSON.stringify((await list()).items)).not.toContain("s3cr3t");
  });
});

describe("a batch", () => {
  test("is stored as a whole, returned in its order, and announced once", async () => {
    const answers = await service.recordBatch([
      { eventType: "SessionEnd", occurredAt: "2026-06-01T11:00:00Z" },
      { eventType: "SessionStart", occurredAt: "2026-06-01T10:00:00Z" },
    ]);
    expect(answers.map((event) => event.eventType)).toEqual(["SessionEnd", "SessionStart"]);
    expect((await list()).items.map((event) => event.eventType)).toEqual(["SessionEnd", "SessionStart"]);
    expect(deps.changes).toEqual([
      { resource: "hook", action: "create", resourceId: answers[1]?.id, resourceName: "2 events" },
    ]);
  });

  test("sent again, partly or completely, adds only what is new", async () => {
    const events = Array.from({ length: 10 }, (_, index) => ({
      id: v4(),
      eventType: "PreToolUse" as const,
      toolName: `T${index}`,
    }));
    await service.recordBatch(events.slice(0, 4));
    const answers = await service.recordBatch([...events, ...events.slice(0, 2)]);
    expect(answers).toHaveLength(12);
    expect(answers[0]).toEqual(answers[10]);
    expect(await countStored()).toBe(10);
    deps.changes.length = 0;
    await service.recordBatch(events);
    expect(deps.changes).toEqual([]);
  });

  test("that cannot be stored as a whole stores nothing", async () => {
    const tooLong = { eventType: "PreToolUse" as const, durationMs: Number.POSITIVE_INFINITY, exitCode: 2 ** 40 };
    await expect(service.recordBatch([{ eventType: "SessionStart" }, tooLong])).rejects.toThrow();
    expect(await countStored()).toBe(0);
  });

  test("of late events, sent concurrently, neither fails nor loses any", async () => {
    const late = (index: number) => ({
      id: v4(),
      eventType: "PostToolUse" as const,
      occurredAt: new Date(Date.parse(NOW) - ((index * 7) % 50) * 3_600_000).toISOString(),
    });
    await Promise.all(
      Array.from({ length: 8 }, () => service.recordBatch(Array.from({ length: 50 }, (_, index) => late(index)))),
    );
    expect(await countStored()).toBe(400);
  });
});

describe("the list", () => {
  test("combines all filters, most recent first", async () => {
    const record = (minute: number, given: object) =>
      service.record({
        eventType: "PreToolUse",
        sessionId: "s",
        toolName: "Bash",
        occurredAt: `2026-06-01T10:0${minute}:00Z`,
        ...given,
      });
    await record(0, { blocked: true });
    await record(1, { blocked: true });
    await record(2, { blocked: true, sessionId: "other" });
    await record(3, { blocked: true, toolName: "Edit" });
    await record(4, {});
    await record(5, { blocked: true, eventType: "PostToolUse" });
    await record(6, { blocked: true });
    const minutes = async (filter: Partial<ListHookEvents>) =>
      (await list(filter)).items.map((event) => Number(event.createdAt.slice(14, 16)));
    expect(await minutes({})).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await minutes({ blocked: false })).toEqual([4]);
    expect(await minutes({ eventType: ["PostToolUse", "SessionEnd"] })).toEqual([5]);
    expect(await minutes({ eventType: ["PreToolUse"], sessionId: "s", toolName: "Bash", blocked: true })).toEqual([
      6, 1, 0,
    ]);
    expect(await minutes({ since: "2026-06-01T10:04:00Z" })).toEqual([6, 5]);
    expect(await minutes({ since: "2026-06-02" })).toEqual([]);
  });

  test("has pages that neither skip nor repeat events of the same moment", async () => {
    await service.recordBatch(
      Array.from({ length: 11 }, () => ({ eventType: "SessionStart", occurredAt: "2026-06-01T10:00:00Z" })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 4, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items.map((event) => event.id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(11);
    expect(seen).toHaveLength(11);
  });
});
