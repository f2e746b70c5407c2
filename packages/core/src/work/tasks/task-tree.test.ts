import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskActivityService, type TaskActivityService } from "../task-activity/task-activity.service.ts";
import { createTaskChecklistService } from "../task-checklist/task-checklist.service.ts";
import { createTaskLinkService } from "../task-links/task-links.service.ts";
import { createTaskBlockService, type TaskBlockService } from "../task-queue/task-blocks.service.ts";
import { createTaskQueueService } from "../task-queue/task-queue.service.ts";
import { ALL_LINKS } from "../task-links/link-view.ts";
import type { CreateTask } from "./task.schema.ts";
import { createTaskService, type TaskService } from "./task.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let blocks: TaskBlockService;
let activity: TaskActivityService;
let ada: Author;
let program: Author;
const [pond, garden] = [v7(), v7()];

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  blocks = createTaskBlockService(deps);
  const taskChecklist = createTaskChecklistService({ ...deps, tasks });
  const taskLinks = createTaskLinkService({ ...deps, taskChecklist });
  activity = createTaskActivityService({ ...deps, tasks, taskBlocks: blocks, taskChecklist, taskLinks });
  const userId = v7();
  const { pool } = database.db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  await pool.query(
    `INSERT INTO projects (id, name, color, created_at, modified_at)
     VALUES ($1, 'Pond', '#fff', now(), now()), ($2, 'Garden', '#fff', now(), now())`,
    [pond, garden],
  );
  ada = { kind: "person", userId, name: "Ada" };
  program = { kind: "assistant", userId, name: "Laptop", keyId: v7() };
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.db.pool.query("DELETE FROM tasks");
  deps.changes.length = 0;
});

const create = (title: string, fields: Partial<CreateTask> = {}) => tasks.create({ title, ...fields }, ada);
const get = (task: { id: string }) => tasks.get(task.id);
const setParent = (task: { id: string }, parent: { id: string } | null) =>
  tasks.update({ id: task.id, parentId: parent?.id ?? null }, ada);
const lastChange = async (task: { id: string }) => {
  const { items } = await activity.list({ id: task.id, only: "changes", limit: 1 }, ALL_LINKS);
  return items[0]?.id ?? "";
};
const undoLast = async (task: { id: string }) => activity.undo({ id: task.id, changeId: await lastChange(task) }, ada);

describe("a subtask", () => {
  it("belongs to a parent, which counts it, and to its project", async () => {
    const parent = await create("Build", { projectId: pond });
    const dig = await create("Dig", { parentId: parent.id });
    const fill = await create("Fill", { projectId: garden });
    expect(dig).toMatchObject({ parentId: parent.id, projectId: pond });
    expect(await setParent(fill, parent)).toMatchObject({ parentId: parent.id, projectId: pond });
    await tasks.update({ id: dig.id, status: "done" }, ada);
    expect(await get(parent)).toMatchObject({ subtasks: { done: 1, total: 2 } });
    await tasks.delete({ id: fill.id }, ada);
    expect(await get(parent)).toMatchObject({ subtasks: { done: 1, total: 1 } });
    const elsewhere = await create("Buy", { parentId: parent.id, projectId: garden });
    expect(elsewhere).toMatchObject({ projectId: garden });
    expect(await setParent(elsewhere, null)).toMatchObject({ parentId: null, projectId: garden });
    expect(await undoLast(elsewhere)).toMatchObject({ parentId: parent.id });
  });

  it.each(["no-id", v7()])("cannot belong to %s", async (parentId) => {
    const task = await create("Alone");
    await expect(create("Dig", { parentId })).rejects.toThrow("parentId");
    await expect(tasks.update({ id: task.id, parentId }, ada)).rejects.toThrow(InvalidInputError);
    expect(await get(task)).toMatchObject({ parentId: null, version: task.version });
  });

  it("never belongs to itself, also if two callers would together make a circle", async () => {
    const [first, second, third] = [await create("1"), await create("2"), await create("3")];
    await expect(setParent(first, first)).rejects.toThrow("is the task itself");
    await setParent(second, first);
    await setParent(third, second);
    await expect(setParent(first, third)).rejects.toThrow("one of its subtasks");
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await create("a"), await create("b")];
      const outcomes = await Promise.allSettled([setParent(a, b), setParent(b, a)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it("never waits for its parent, nor its parent for what waits for it", async () => {
    const [parent, dig, permit] = [await create("Build"), await create("Dig"), await create("Permit")];
    await setParent(dig, parent);
    await expect(blocks.replace({ id: dig.id, blockedBy: [parent.id] }, ada)).rejects.toThrow("waits for this task");
    await blocks.replace({ id: permit.id, blockedBy: [dig.id] }, ada);
    await expect(blocks.replace({ id: parent.id, blockedBy: [permit.id] }, ada)).rejects.toThrow("waits for this task");
    await blocks.replace({ id: permit.id, blockedBy: [] }, ada);
    await blocks.replace({ id: parent.id, blockedBy: [permit.id] }, ada);
    await expect(setParent(permit, parent)).rejects.toThrow(InvalidInputError);
    const late = await create("Late");
    await blocks.replace({ id: late.id, blockedBy: [parent.id] }, ada);
    await expect(setParent(late, parent)).rejects.toThrow("waits for it");
  });

  it("is at most on the eighth level, and one of at most 500", async () => {
    let parent = await create("1");
    for (let level = 2; level <= 8; level += 1) parent = await create(String(level), { parentId: parent.id });
    await expect(create("9", { parentId: parent.id })).rejects.toThrow("more than 8 levels");
    const upper = await create("upper");
    const lower = await create("lower", { parentId: upper.id });
    const seventh = (await get(parent)).parentId ?? "";
    await expect(setParent(upper, { id: seventh })).rejects.toThrow("more than 8 levels");
    await setParent(lower, { id: seventh });
    const { pool } = database.db;
    await pool.query(
      `INSERT INTO tasks (id, title, creator_id, created_at, modified_at, search_text, parent_id)
       SELECT gen_random_uuid(), n, $1, now(), now(), '', $2 FROM generate_series(1, 500) AS n`,
      [ada.userId, upper.id],
    );
    await expect(create("One too many", { parentId: upper.id })).rejects.toThrow("more than 500");
  });
});

describe("a task with subtasks", () => {
  it("is completed with those that are open, which undoing reopens", async () => {
    const parent = await create("Build");
    const [dig, fill] = [await create("Dig", { parentId: parent.id }), await create("Fill", { parentId: parent.id })];
    const sand = await create("Sand", { parentId: fill.id, status: "in_progress" });
    await tasks.update({ id: dig.id, status: "done" }, ada);
    deps.changes.length = 0;
    await tasks.update({ id: parent.id, status: "done" }, ada);
    expect(deps.changes.map((change) => change.resourceName).toSorted()).toEqual(["Build", "Fill", "Sand"]);
    for (const task of [dig, fill, sand]) expect(await get(task)).toMatchObject({ status: "done" });
    await undoLast(parent);
    expect(await get(dig)).toMatchObject({ status: "done" });
    expect(await get(fill)).toMatchObject({ status: "todo" });
    expect(await get(sand)).toMatchObject({ status: "in_progress" });
    await undoLast(parent);
    for (const task of [parent, fill, sand]) expect(await get(task)).toMatchObject({ status: "done" });
    await tasks.update({ id: parent.id, status: "todo" }, ada);
    expect(await get(fill)).toMatchObject({ status: "done" });
  });

  it("is not completed by a program if somebody else works on a subtask", async () => {
    const parent = await create("Build");
    const dig = await create("Dig", { parentId: parent.id });
    await createTaskQueueService({ ...deps, timeZone: "UTC" }).claim({ id: dig.id, leaseMinutes: 5 }, program);
    const other = { ...program, keyId: v7() };
    await expect(tasks.update({ id: parent.id, status: "done" }, other)).rejects.toThrow("Laptop has claimed “Dig”");
    expect(await get(parent)).toMatchObject({ status: "todo" });
    await tasks.update({ id: parent.id, status: "done" }, program);
    expect(await get(dig)).toMatchObject({ status: "done", claim: null });
  });

  it("moves to another project with those that are in its own", async () => {
    const parent = await create("Build", { projectId: pond });
    const dig = await create("Dig", { parentId: parent.id });
    const buy = await create("Buy", { parentId: parent.id, projectId: null });
    await tasks.update({ id: parent.id, projectId: garden }, ada);
    expect(await get(dig)).toMatchObject({ projectId: garden });
    expect(await get(buy)).toMatchObject({ projectId: null });
    await undoLast(parent);
    expect(await get(dig)).toMatchObject({ projectId: pond });
  });

  it("is deleted with them, and restored with those that were deleted with it", async () => {
    const parent = await create("Build");
    const [dig, fill] = [await create("Dig", { parentId: parent.id }), await create("Fill", { parentId: parent.id })];
    const sand = await create("Sand", { parentId: fill.id });
    await tasks.delete({ id: dig.id }, ada);
    deps.clock.set(new Date(deps.clock.now().getTime() + 1_000));
    await tasks.delete({ id: parent.id }, ada);
    for (const task of [parent, fill, sand]) expect(await get(task)).toMatchObject({ deletedAt: expect.any(String) });
    await tasks.restore({ id: sand.id }, ada);
    expect(await get(sand)).toMatchObject({ deletedAt: null, parentId: fill.id });
    await tasks.restore({ id: parent.id }, ada);
    expect(await get(fill)).toMatchObject({ deletedAt: null });
    expect(await get(dig)).toMatchObject({ deletedAt: expect.any(String) });
    await expect(create("New", { parentId: dig.id })).rejects.toThrow("expected the id of an active task");
  });
});
