import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { CreateTask } from "../tasks/task.schema.ts";
import { createTaskOrderService } from "../task-order/task-order.service.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { createTaskBlockService, type TaskBlockService } from "./task-blocks.service.ts";
import { createTaskHandOverService, type TaskHandOverService } from "./task-hand-over.service.ts";
import { createTaskQueueService, type TaskQueueService } from "./task-queue.service.ts";

const MINUTE = { leaseMinutes: 1 };

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let queue: TaskQueueService;
let blocks: TaskBlockService;
let handOvers: TaskHandOverService;
let ada: Author;
let program: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  queue = createTaskQueueService({ ...deps, timeZone: "UTC" });
  blocks = createTaskBlockService(deps);
  handOvers = createTaskHandOverService(deps);
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
const titles = async (filter = {}) => (await queue.listReady({ limit: 20, ...filter }, ada)).map(({ title }) => title);
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

  it("has what is due at a time before what has the whole day, and otherwise the manual order", async () => {
    const due = { dueDate: "2026-05-01" };
    const [whole, first, second] = [await create("whole day", due), await create("first"), await create("second")];
    await create("evening", { ...due, dueTime: "19:00" });
    await create("morning", { ...due, dueTime: "08:30" });
    await createTaskOrderService({ ...deps, timeZone: "UTC" }).move({ id: second.id, beforeId: first.id }, ada);
    expect(await titles()).toEqual(["morning", "evening", whole.title, "second", "first"]);
  });

  it("has no task of a deleted project", async () => {
    const { pool } = database.db;
    const projectId = v7();
    await pool.query(
      "INSERT INTO projects (id, name, color, created_at, modified_at) VALUES ($1, 'Pond', '#fff', now(), now())",
      [projectId],
    );
    const { id } = await create("in the pond", { projectId });
    expect(await titles()).toEqual(["in the pond"]);
    await pool.query("UPDATE projects SET deleted_at = now() WHERE id = $1", [projectId]);
    expect(await titles()).toEqual([]);
    await expect(claim({ id })).rejects.toThrow("project is deleted");
    expect(await claim()).toBeNull();
  });

  it("has a task after its subtasks, and no subtask of what is blocked", async () => {
    const pond = await create("pond");
    const dig = await create("dig", { parentId: pond.id });
    const sand = await create("sand", { parentId: dig.id });
    expect(await titles()).toEqual(["sand"]);
    await expect(claim({ id: pond.id })).rejects.toThrow("subtask “dig”");
    const permit = await create("permit");
    await blocks.replace({ id: pond.id, blockedBy: [permit.id] }, ada);
    expect(await titles()).toEqual(["permit"]);
    await expect(claim({ id: sand.id })).rejects.toThrow("waits for “permit”");
    await tasks.update({ id: permit.id, status: "done" }, ada);
    await tasks.update({ id: pond.id, status: "blocked" }, ada);
    expect(await titles()).toEqual([]);
    await expect(claim({ id: sand.id })).rejects.toThrow("“pond”, of which it is a subtask, is blocked");
    await tasks.update({ id: pond.id, status: "todo" }, ada);
    for (const { id } of [sand, dig]) await tasks.update({ id, status: "done" }, ada);
    expect(await titles()).toEqual(["pond"]);
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
          const waiting = `
            SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%AS "claimHolder" FROM tasks t WHERE%'`;
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

  it("cannot be ended by another program or session, only by its holder or a person", async () => {
    const holder = { ...program, sessionId: "one" };
    const done = (id: string, author: Author, claimId?: string) =>
      tasks.update({ id, status: "done", ...(claimId !== undefined && { claimId }) }, author);
    for (const [name, author] of [
      ["another key", { ...program, keyId: v7() }],
      ["another session", { ...program, sessionId: "two" }],
      ["an agent", { kind: "agent", name: "Gardener", userId: ada.userId, agentId: v7(), runId: v7() }],
    ] as const) {
      const { id } = await create(name);
      const claimed = await claim({ id }, holder);
      await expect(done(id, author)).rejects.toThrow("Laptop has claimed");
      await expect(tasks.update({ id, status: "blocked" }, author)).rejects.toThrow(ConflictError);
      expect(await tasks.get(id)).toMatchObject({ status: "in_progress", claim: { holder: "Laptop" } });
      await tasks.update({ id, priority: 1 }, author);
      expect(await done(id, author, claimed?.claimId)).toMatchObject({ status: "done", claim: null });
    }
    const [first, second, third] = [await create("1"), await create("2"), await create("3")];
    for (const { id } of [first, second, third]) await claim({ id }, holder);
    expect(await done(first.id, holder)).toMatchObject({ claim: null });
    expect(await done(second.id, ada)).toMatchObject({ claim: null });
    await endLease(third.id);
    expect(await done(third.id, { ...program, keyId: v7() })).toMatchObject({ status: "done" });
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

describe("handing over", () => {
  const addKey = async (name: string): Promise<Author> => {
    const keyId = v7();
    await database.db.pool.query(
      `INSERT INTO api_keys (id, name, key_hash, hint, scopes, creator_id, created_at)
       VALUES ($1, $2, gen_random_uuid()::text, '', '{tasks:write}', $3, now())`,
      [keyId, name, ada.userId],
    );
    return { kind: "assistant", userId: ada.userId, name, keyId };
  };
  const toKey = (key: Author) => ({ kind: "key" as const, id: key.keyId ?? "" });

  it("ends the claim, keeps the note, and gives the task only to whom it is meant for", async () => {
    const [laptop, desktop] = [await addKey("Laptop"), await addKey("Desktop")];
    const { id } = await create("pump");
    const { claimId = "" } = (await claim({}, laptop)) ?? {};
    const input = { id, to: toKey(desktop), note: "Mind the roses." };
    await expect(handOvers.handOver(input, desktop)).rejects.toThrow("Laptop has claimed the task.");
    const handed = await handOvers.handOver({ ...input, claimId }, laptop);
    expect(handed).toMatchObject({
      status: "todo",
      claim: null,
      handoverNote: "Mind the roses.",
      assignee: { kind: "key", id: desktop.keyId, name: "Desktop" },
    });
    const seenBy = async (author: Author) => (await queue.listReady({ limit: 20 }, author)).length;
    expect([await seenBy(laptop), await seenBy(desktop), await seenBy(ada)]).toEqual([0, 1, 1]);
    expect(await claim({}, laptop)).toBeNull();
    expect(await claim({}, ada)).toBeNull();
    await expect(claim({ id }, laptop)).rejects.toThrow("The task is meant for Desktop.");
    expect((await claim({}, desktop))?.task.id).toBe(id);
  });

  it("lets a person take anything, and hand it back to everybody", async () => {
    const desktop = await addKey("Desktop");
    const { id } = await create("pump", { assignee: toKey(desktop) });
    expect((await claim({ id }, ada))?.task.claim?.holder).toBe("Ada");
    const handed = await handOvers.handOver({ id, to: null }, ada);
    expect(handed).toMatchObject({ status: "todo", claim: null, assignee: null });
    const { version } = handed;
    expect((await handOvers.handOver({ id, to: null }, ada)).version).toBe(version);
  });

  it("refuses unknown parties, and tasks that are done or deleted", async () => {
    const { id } = await create("pump");
    const nobody = { kind: "agent" as const, id: v7() };
    await expect(handOvers.handOver({ id, to: nobody }, ada)).rejects.toThrow(InvalidInputError);
    await expect(create("other", { assignee: nobody })).rejects.toThrow("assignee");
    await expect(handOvers.handOver({ id: v7(), to: null }, ada)).rejects.toThrow(NotFoundError);
    await tasks.update({ id, status: "done" }, ada);
    await expect(handOvers.handOver({ id, to: null }, ada)).rejects.toThrow("The task is done.");
    await tasks.delete({ id }, ada);
    await expect(handOvers.handOver({ id, to: null }, ada)).rejects.toThrow("The task is deleted.");
  });
});
