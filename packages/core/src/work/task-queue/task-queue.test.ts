import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { CreateTask } from "../tasks/task.schema.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { createTaskBlockService, type TaskBlockService } from "./task-blocks.service.ts";
import { createTaskQueueService, type TaskQueueService } from "./task-queue.service.ts";

const MINUTE = { leaseMinutes: 1 };

let database: TestDatabase;
let tasks: TaskService;
let queue: TaskQueueService;
let blocks: TaskBlockService;
let ada: Author;
let program: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  const deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  queue = createTaskQueueService(deps);
  blocks = createTaskBlockService(deps);
  const userId = v7();
  const { pool } = database.db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  ada = { kind: "person", userId, name: "Ada" };
  program = { kind: "assistant", userId, name: "Laptop", keyId: v7() };
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.db.pool.query("DELETE FROM tasks");
});

const create = async (title: string, fields: Partial<CreateTask> = {}) => tasks.create({ title, ...fields }, ada);
const titles = async (filter = {}) => (await queue.listReady({ limit: 20, ...filter })).map(({ title }) => title);
const claim = async (fields: { id?: string; sessionId?: string } = {}, principal = program) =>
  queue.claim({ ...MINUTE, ...fields }, principal);
const endLease = (id: string) =>
  database.db.pool.query("UPDATE tasks SET claim_expires_at = now() - interval '1 second' WHERE id = $1", [id]);

describe("the queue", () => {
  it("has what can be begun: urgent, then due, then old tasks first", async () => {
    await create("old");
    await create("due", { dueDate: "2026-05-01" });
    await create("due earlier", { dueDate: "2026-04-30T10:00:00Z" });
    await create("urgent", { priority: 3, tags: ["pond"] });
    for (const status of ["done", "blocked", "in_progress"] as const) await create(status, { status });
    await tasks.delete(await create("deleted"), ada);
    expect(await titles()).toEqual(["urgent", "due earlier", "due", "old"]);
    expect(await titles({ tag: "pond" })).toEqual(["urgent"]);
    expect(await titles({ projectId: "nothing" })).toEqual([]);
  });

  it("gives each task to one caller, however many ask at once", async () => {
    for (let index = 0; index < 10; index += 1) await create(`Task ${index}`);
    const claims = await Promise.all(Array.from({ length: 25 }, () => claim()));
    const ids = claims.flatMap((claimed) => (claimed === null ? [] : [claimed.task.id]));
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
    expect(await titles()).toEqual([]);
  });

  it("gives a task whose lease has run out to one other caller, and tells the former holder", async () => {
    const { id } = await create("forgotten");
    const first = await claim({ sessionId: "session-1" });
    expect(first?.task).toMatchObject({
      status: "in_progress",
      claim: { holder: "Laptop", sessionId: "session-1" },
    });
    await expect(claim({ id })).rejects.toThrow("Laptop has claimed the task until");
    await endLease(id);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({}, ada)));
    const [second, ...others] = claims.filter((claimed) => claimed !== null);
    expect(others).toEqual([]);
    expect(second?.task.claim?.holder).toBe("Ada");
    const former = { id, claimId: first?.claimId ?? "" };
    await expect(queue.renew({ ...former, ...MINUTE })).rejects.toThrow(ConflictError);
    await expect(queue.release(former, program)).rejects.toThrow(ConflictError);
  });

  it("extends a claim, also one that has run out as long as nobody else has the task", async () => {
    const { id } = await create("slow");
    const { claimId = "" } = (await claim()) ?? {};
    await endLease(id);
    const { claim: renewed, version } = await queue.renew({ id, claimId, leaseMinutes: 60 });
    expect(new Date(renewed?.until ?? 0).getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    expect((await tasks.get(id)).version).toBe(version);
    expect(await titles()).toEqual([]);
  });

  it("does not give a task that begins to wait for another while the claim waits for its lock", async () => {
    const [first, second] = [await create("first"), await create("second")];
    const client = await database.db.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT FROM tasks WHERE id = $1 FOR UPDATE", [second.id]);
      await client.query("INSERT INTO task_blocks (task_id, blocker_id) VALUES ($1, $2)", [second.id, first.id]);
      const outcome = claim({ id: second.id }).then(
        () => "claimed",
        (error: unknown) => String(error),
      );
      await expect
        .poll(async () => {
          const waiting =
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE OF t%'";
          return (await database.db.pool.query(waiting)).rowCount;
        })
        .toBe(1);
      await client.query("COMMIT");
      expect(await outcome).toContain("waits for “first”");
    } finally {
      client.release();
    }
    expect((await tasks.get(second.id)).status).toBe("todo");
  });

  it("takes a task back with a note, from programs and models only with its claim", async () => {
    const { id } = await create("half done");
    const { claimId = "" } = (await claim()) ?? {};
    const model: Author = { kind: "chat", userId: ada.userId, name: "Ada", conversationId: v7() };
    await expect(queue.release({ id }, program)).rejects.toThrow(InvalidInputError);
    await expect(queue.release({ id }, model)).rejects.toThrow(InvalidInputError);
    await expect(queue.release({ id, claimId: v7() }, program)).rejects.toThrow(ConflictError);
    const released = await queue.release({ id, claimId, note: "The tests are missing." }, program);
    expect(released).toMatchObject({ status: "todo", claim: null, handoverNote: "The tests are missing." });
    await claim();
    await queue.release({ id }, ada);
    expect((await tasks.get(id)).handoverNote).toBe("The tests are missing.");
    expect(await titles()).toEqual(["half done"]);
  });

  it("ends a claim when the task is finished or set to another status", async () => {
    const { id } = await create("finished");
    const { claimId = "" } = (await claim()) ?? {};
    expect((await tasks.update({ id, title: "nearly finished" }, ada)).claim).not.toBeNull();
    expect((await tasks.update({ id, status: "done" }, ada)).claim).toBeNull();
    await expect(queue.renew({ id, claimId, ...MINUTE })).rejects.toThrow(ConflictError);
    await expect(claim({ id })).rejects.toThrow("status is done");
  });

  it("belongs to a person who says that it is in progress once a claim has run out", async () => {
    const { id } = await create("taken over");
    await claim();
    await tasks.update({ id, status: "in_progress" }, ada);
    expect((await tasks.get(id)).claim).not.toBeNull();
    await endLease(id);
    expect((await tasks.update({ id, title: "taken over by Ada" }, ada)).claim).not.toBeNull();
    expect((await tasks.update({ id, status: "in_progress" }, ada)).claim).toBeNull();
    expect(await titles()).toEqual([]);
  });

  it("refuses a particular task with the reason", async () => {
    const { id } = await create("second");
    await blocks.replace({ id, blockedBy: [(await create("first")).id] }, ada);
    await expect(claim({ id })).rejects.toThrow("waits for “first”");
    await expect(claim({ id: v7() })).rejects.toThrow(NotFoundError);
    await expect(claim({ id: "x" })).rejects.toThrow(NotFoundError);
    await tasks.delete({ id }, ada);
    await expect(claim({ id })).rejects.toThrow(InvalidInputError);
  });
});

describe("a task that waits for others", () => {
  it("is ready when each of them is done or deleted, and waits again if one is reopened", async () => {
    const [one, two, last] = [await create("one"), await create("two"), await create("last", { priority: 3 })];
    await blocks.replace({ id: last.id, blockedBy: [two.id, one.id, one.id] }, ada);
    expect(await blocks.find(last.id)).toMatchObject({ blockedBy: [{ title: "one" }, { title: "two" }], blocks: [] });
    expect((await blocks.find(one.id)).blocks).toEqual([{ id: last.id, title: "last", status: "todo" }]);
    expect(await titles()).toEqual(["one", "two"]);
    await tasks.update({ id: one.id, status: "done" }, ada);
    await tasks.delete({ id: two.id }, ada);
    expect(await titles()).toEqual(["last"]);
    await tasks.update({ id: one.id, status: "todo" }, ada);
    expect(await titles()).toEqual(["one"]);
    await blocks.replace({ id: last.id, blockedBy: [] }, ada);
    expect(await titles()).toEqual(["last", "one"]);
  });

  it("never waits for itself, also if two callers would together make a circle", async () => {
    const chain = [await create("a"), await create("b"), await create("c")].map(({ id }) => id);
    const [a = "", b = "", c = ""] = chain;
    await blocks.replace({ id: b, blockedBy: [a] }, ada);
    await blocks.replace({ id: c, blockedBy: [b] }, ada);
    await expect(blocks.replace({ id: a, blockedBy: [c] }, ada)).rejects.toThrow("waits for this task itself");
    await expect(blocks.replace({ id: a, blockedBy: [a] }, ada)).rejects.toThrow(InvalidInputError);
    await expect(blocks.replace({ id: a, blockedBy: ["x"] }, ada)).rejects.toThrow("x is not the id of an active task");
    const [d, e] = [(await create("d")).id, (await create("e")).id];
    const results = await Promise.allSettled([
      blocks.replace({ id: d, blockedBy: [e] }, ada),
      blocks.replace({ id: e, blockedBy: [d] }, ada),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
