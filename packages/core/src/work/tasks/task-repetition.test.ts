import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskActivityService, type TaskActivityService } from "../task-activity/task-activity.service.ts";
import { createTaskChecklistService } from "../task-checklist/task-checklist.service.ts";
import { createTaskLinkService } from "../task-links/task-links.service.ts";
import { createTaskBlockService } from "../task-queue/task-blocks.service.ts";
import { createTaskQueueService, type TaskQueueService } from "../task-queue/task-queue.service.ts";
import { ALL_LINKS } from "../task-links/link-view.ts";
import { createTaskInput, updateTaskInput, type Task } from "./task.schema.ts";
import { createTaskGroupService } from "./task-group.service.ts";
import { createTaskService, type TaskService } from "./task.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let queue: TaskQueueService;
let activity: TaskActivityService;
let ada: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  const userId = v7();
  await database.db.pool.query(`INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())`, [
    userId,
  ]);
  ada = { kind: "person", name: "Ada", userId };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE tasks CASCADE");
  deps = createTestDeps(database.db, "2026-11-26T12:00:00Z");
  tasks = createTaskService({ ...deps, timeZone: "Europe/Berlin" });
  queue = createTaskQueueService({ ...deps, timeZone: "UTC" });
  const taskChecklist = createTaskChecklistService({ ...deps, tasks });
  const taskLinks = createTaskLinkService({ ...deps, taskChecklist });
  activity = createTaskActivityService({
    ...deps,
    tasks,
    taskChecklist,
    taskLinks,
    taskBlocks: createTaskBlockService(deps),
  });
});

const create = (input: object) => tasks.create(createTaskInput.parse(input), ada);
const update = (task: Task, patch: object) => tasks.update(updateTaskInput.parse({ id: task.id, ...patch }), ada);
const complete = (task: Task) => update(task, { status: "done" });
const allTasks = async () => (await tasks.list({})).items;
const nextOf = async (task: Task) => tasks.get(task.nextId ?? "");

describe("a repeating task that is done", () => {
  it("stays done, and the next one is a task of its own", async () => {
    const project = v7();
    await database.db.pool.query(
      `INSERT INTO projects (id, name, color, created_at, modified_at) VALUES ($1, 'Home', '#000000', now(), now())`,
      [project],
    );
    const task = await create({
      title: "Water the plants",
      description: "All of **them**",
      priority: 3,
      projectId: project,
      tags: ["garden"],
      dueDate: "2026-11-26",
      dueTime: "18:00",
      repeat: "FREQ=WEEKLY",
    });
    const done = await complete(task);
    expect(done).toMatchObject({ id: task.id, status: "done", dueDate: "2026-11-26", repeat: "FREQ=WEEKLY" });
    const next = await nextOf(done);
    expect(next).toMatchObject({
      title: "Water the plants",
      description: "All of **them**",
      priority: 3,
      projectId: project,
      tags: ["garden"],
      status: "todo",
      dueDate: "2026-12-03",
      dueTime: "18:00",
      repeat: "FREQ=WEEKLY",
      completedAt: null,
      nextId: null,
      version: "1",
    });
    expect(deps.changes.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ["create", task.id],
      ["edit", task.id],
      ["create", next.id],
    ]);
  });

  it("is followed by one task when two finish it at once", async () => {
    const task = await create({ title: "Once", dueDate: "2026-11-26", repeat: "FREQ=DAILY" });
    await Promise.all(Array.from({ length: 8 }, () => complete(task)));
    expect(await allTasks()).toHaveLength(2);
  });

  it("is not followed after the end of the rule", async () => {
    const task = await create({ title: "Twice", dueDate: "2026-11-26", repeat: "FREQ=DAILY;COUNT=2" });
    const next = await nextOf(await complete(task));
    expect(next.repeat).toBe("FREQ=DAILY;COUNT=1");
    expect((await complete(next)).nextId).toBeNull();
    expect(await allTasks()).toHaveLength(2);
  });

  it("is followed by a task without a project if that was deleted", async () => {
    const project = v7();
    await database.db.pool.query(
      `INSERT INTO projects (id, name, color, created_at, modified_at) VALUES ($1, 'Old', '#000000', now(), now())`,
      [project],
    );
    const task = await create({ title: "Orphan", projectId: project, dueDate: "2026-11-26", repeat: "FREQ=DAILY" });
    await database.db.pool.query("UPDATE projects SET deleted_at = now() WHERE id = $1", [project]);
    expect(await nextOf(await complete(task))).toMatchObject({ title: "Orphan", projectId: null });
  });

  it("may be created done", async () => {
    const task = await create({ title: "Done", status: "done", dueDate: "2026-11-20", repeat: "FREQ=WEEKLY" });
    expect(await nextOf(task)).toMatchObject({ dueDate: "2026-11-27", status: "todo" });
  });
});

describe("the parts of a repeating task", () => {
  const subtasksOf = async ({ id }: Task) =>
    (await allTasks()).filter(({ parentId }) => parentId === id).toSorted((a, b) => (a.title < b.title ? -1 : 1));

  it("are to be done again", async () => {
    const task = await create({ title: "Clean", dueDate: "2026-11-26", repeat: "FREQ=WEEKLY" });
    const kitchen = await create({ title: "Kitchen", parentId: task.id, dueDate: "2026-11-25", dueTime: "09:00" });
    await create({ title: "Oven", parentId: kitchen.id, dueDate: "2026-11-25T08:00:00Z", repeat: "FREQ=MONTHLY" });
    const gone = await create({ title: "Balcony", parentId: task.id });
    await tasks.delete({ id: gone.id }, ada);
    const checklist = [
      { id: v7(), text: "Soap", isDone: true },
      { id: v7(), text: "Cloth", isDone: false },
    ];
    await database.db.pool.query(
      "UPDATE tasks SET checklist = $2, checklist_done = 1, checklist_total = 2 WHERE id = $1",
      [kitchen.id, JSON.stringify(checklist)],
    );
    const next = await nextOf(await complete(task));
    expect(next).toMatchObject({ dueDate: "2026-12-03", position: task.position, subtasks: { done: 0, total: 1 } });
    const [room] = await subtasksOf(next);
    expect(room).toMatchObject({
      title: "Kitchen",
      dueDate: "2026-12-02",
      dueTime: "09:00",
      status: "todo",
      checklist: { done: 0, total: 2 },
      version: "1",
    });
    const { rows } = await database.db.pool.query("SELECT checklist FROM tasks WHERE id = $1", [room?.id]);
    expect(rows[0].checklist).toEqual(checklist.map((item) => ({ ...item, isDone: false })));
    expect(await subtasksOf(room ?? next)).toMatchObject([
      { title: "Oven", dueDate: "2026-12-02T08:00:00.000Z", repeat: "FREQ=MONTHLY" },
    ]);
    expect(await allTasks()).toHaveLength(6);
    const [completion] = (await activity.list({ id: task.id, limit: 1 }, ALL_LINKS)).items;
    await activity.undo({ id: task.id, changeId: completion?.id ?? "" }, ada);
    expect(await allTasks()).toHaveLength(3);
  });

  it("are not taken back if somebody has changed one of them", async () => {
    const task = await create({ title: "Clean", dueDate: "2026-11-26", repeat: "FREQ=WEEKLY" });
    await create({ title: "Kitchen", parentId: task.id });
    const next = await nextOf(await complete(task));
    const [room] = await subtasksOf(next);
    await update(room ?? next, { priority: 3 });
    await update(task, { status: "todo" });
    expect(await subtasksOf(next)).toHaveLength(1);
  });

  it("repeat by themselves below the same task, until that is full", async () => {
    const parent = await create({ title: "House" });
    const part = await create({ title: "Dust", parentId: parent.id, dueDate: "2026-11-26", repeat: "FREQ=DAILY" });
    expect(await nextOf(await complete(part))).toMatchObject({ parentId: parent.id });
    const crowded = await create({ title: "Crowd" });
    await database.db.pool.query(
      `INSERT INTO tasks (id, title, creator_id, created_at, modified_at, search_text, parent_id)
       SELECT gen_random_uuid(), 'x', $1, now(), now(), 'x', $2 FROM generate_series(1, 498)`,
      [ada.userId, crowded.id],
    );
    const last = await create({ title: "Last", parentId: crowded.id, dueDate: "2026-11-26", repeat: "FREQ=DAILY" });
    expect(await nextOf(await complete(last))).toMatchObject({ parentId: null });
  });
});

describe("a repeating task that is done no more", () => {
  let task: Task;
  let next: Task;
  beforeEach(async () => {
    task = await create({ title: "Back", dueDate: "2026-11-26", repeat: "FREQ=WEEKLY" });
    next = await nextOf(await complete(task));
    deps.changes.length = 0;
  });

  it("takes the next one back, by an undo as well", async () => {
    const [completion] = (await activity.list({ id: task.id, limit: 1 }, ALL_LINKS)).items;
    const undone = await activity.undo({ id: task.id, changeId: completion?.id ?? "" }, ada);
    expect(undone).toMatchObject({ status: "todo", nextId: null, repeat: "FREQ=WEEKLY" });
    await expect(tasks.get(next.id)).rejects.toThrow(NotFoundError);
    expect(deps.changes.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ["edit", task.id],
      ["delete", next.id],
    ]);
    const again = await nextOf(await complete(task));
    expect(again.dueDate).toBe("2026-12-03");
    expect(await allTasks()).toHaveLength(2);
  });

  it("leaves the next one if somebody has changed it, and is not followed by another", async () => {
    await update(next, { title: "Changed" });
    expect(await update(task, { status: "todo" })).toMatchObject({ nextId: next.id });
    expect(await tasks.get(next.id)).toMatchObject({ title: "Changed", deletedAt: null });
    await complete(task);
    expect(await allTasks()).toHaveLength(2);
  });

  it("leaves the next one if it has been claimed", async () => {
    await queue.claim({ id: next.id, leaseMinutes: 15 }, ada);
    await update(task, { status: "todo" });
    expect(await tasks.get(next.id)).toMatchObject({ status: "in_progress" });
  });
});

describe("a rule", () => {
  it("gives a task without a date the first one", async () => {
    expect(await create({ title: "a", repeat: "FREQ=WEEKLY;BYDAY=MO" })).toMatchObject({ dueDate: "2026-11-30" });
    expect(await create({ title: "b", repeat: "FREQ=DAILY", dueTime: "18:00" })).toMatchObject({
      dueDate: "2026-11-26",
    });
    expect(await create({ title: "c", repeat: "FREQ=DAILY", dueTime: "09:00" })).toMatchObject({
      dueDate: "2026-11-27",
    });
    expect(await create({ title: "d", repeat: "FREQ=DAILY", dueDate: null })).toMatchObject({ dueDate: null });
    const plain = await create({ title: "e" });
    expect(await update(plain, { repeat: "FREQ=MONTHLY" })).toMatchObject({ dueDate: "2026-11-26" });
  });

  it("that has no date is refused, and changes nothing", async () => {
    const impossible = { repeat: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" };
    await expect(create({ title: "a", ...impossible })).rejects.toThrow(InvalidInputError);
    const task = await create({ title: "b" });
    await expect(update(task, impossible)).rejects.toThrow(InvalidInputError);
    expect(await tasks.get(task.id)).toMatchObject({ repeat: null, version: "1" });
  });

  it("is read from a text, in the zone of its writer", async () => {
    const task = await create({
      text: "Call dentist tomorrow 9am #health every 2 weeks",
      timezone: "America/New_York",
    });
    expect(task).toMatchObject({
      title: "Call dentist",
      dueDate: "2026-11-27",
      dueTime: "09:00",
      tags: ["health"],
      repeat: "FREQ=WEEKLY;INTERVAL=2",
      repeatTimezone: "America/New_York",
    });
    expect(await create({ text: "Müll rausbringen jeden Montag um 7 Uhr" })).toMatchObject({
      title: "Müll rausbringen",
      dueDate: "2026-11-30",
      dueTime: "07:00",
      repeat: "FREQ=WEEKLY;BYDAY=MO",
    });
  });

  it("is undone like any field", async () => {
    const task = await create({ title: "a", dueDate: "2026-11-26" });
    await update(task, { repeat: "FREQ=DAILY", repeatFrom: "completion", repeatTimezone: "Asia/Tokyo" });
    const [change] = (await activity.list({ id: task.id, limit: 1 }, ALL_LINKS)).items;
    const undone = await activity.undo({ id: task.id, changeId: change?.id ?? "" }, ada);
    expect(undone).toMatchObject({ repeat: null, repeatFrom: "due", repeatTimezone: null });
  });
});

describe("skipping", () => {
  it("moves the task to its next date", async () => {
    const task = await create({ title: "a", dueDate: "2026-11-26", repeat: "FREQ=WEEKLY;COUNT=2" });
    const skipped = await tasks.skip({ id: task.id }, ada);
    expect(skipped).toMatchObject({ status: "todo", dueDate: "2026-12-03", repeat: "FREQ=WEEKLY;COUNT=1" });
    await expect(tasks.skip({ id: task.id }, ada)).rejects.toThrow("This was the last date.");
    expect(await allTasks()).toHaveLength(1);
  });

  it("is refused for a task that does not repeat or is done", async () => {
    const task = await create({ title: "a" });
    await expect(tasks.skip({ id: task.id }, ada)).rejects.toThrow("The task does not repeat.");
    const done = await create({ title: "b", status: "done", repeat: "FREQ=DAILY" });
    await expect(tasks.skip({ id: done.id }, ada)).rejects.toThrow("The task is done.");
    await expect(tasks.skip({ id: v7() }, ada)).rejects.toThrow(NotFoundError);
  });
});

describe("a snoozed task", () => {
  const later = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const earlier = new Date(Date.now() - 60 * 60 * 1000).toISOString();

  it("is not in the queue until its time has come", async () => {
    const task = await create({ title: "Later", snoozedUntil: later });
    expect(await queue.listReady({ limit: 10 }, ada)).toEqual([]);
    expect(await queue.claim({ leaseMinutes: 15 }, ada)).toBeNull();
    deps.clock.set(new Date());
    await expect(queue.claim({ id: task.id, leaseMinutes: 15 }, ada)).rejects.toThrow(ConflictError);
    await update(task, { snoozedUntil: earlier });
    expect(await queue.claim({ id: task.id, leaseMinutes: 15 }, ada)).not.toBeNull();
  });

  it("is listed and counted apart from others", async () => {
    await create({ title: "Now" });
    await create({ title: "Later", snoozedUntil: later });
    await create({ title: "Back", snoozedUntil: earlier });
    await create({ title: "Done", status: "done", snoozedUntil: later });
    const titles = async (snoozed: boolean) =>
      (await tasks.list({ snoozed })).items.map(({ title }) => title).toSorted();
    expect(await titles(true)).toEqual(["Later"]);
    expect(await titles(false)).toEqual(["Back", "Done", "Now"]);
    expect(await allTasks()).toHaveLength(4);
    expect(await createTaskGroupService({ ...deps, timeZone: "UTC" }).countAll()).toEqual(
      expect.arrayContaining([{ projectId: null, status: "todo", count: 3, snoozed: 1 }]),
    );
  });
});
