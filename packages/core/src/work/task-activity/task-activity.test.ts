import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskChecklistService } from "../task-checklist/task-checklist.service.ts";
import { createTaskLinkService } from "../task-links/task-links.service.ts";
import { createTaskBlockService, type TaskBlockService } from "../task-queue/task-blocks.service.ts";
import { createTaskQueueService, type TaskQueueService } from "../task-queue/task-queue.service.ts";
import type { Task } from "../tasks/task.schema.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { ALL_LINKS } from "../task-links/link-view.ts";
import type { ActivityEntry, TaskChange } from "./task-activity.schema.ts";
import { createTaskActivityService, type TaskActivityService } from "./task-activity.service.ts";
import { createTaskCommentService, type TaskCommentService } from "./task-comment.service.ts";

const SECRET = "hunter2";

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let blocks: TaskBlockService;
let queue: TaskQueueService;
let activity: TaskActivityService;
let comments: TaskCommentService;
let ada: Author;
let bob: Author;
let gardener: Author;
let laptop: Author;
let sent: { message: PushMessage; userIds: readonly string[] }[];
let task: Task;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  blocks = createTaskBlockService(deps);
  queue = createTaskQueueService({ ...deps, timeZone: "UTC" });
  const taskChecklist = createTaskChecklistService({ ...deps, tasks });
  const taskLinks = createTaskLinkService({ ...deps, taskChecklist });
  activity = createTaskActivityService({ ...deps, tasks, taskBlocks: blocks, taskChecklist, taskLinks });
  comments = createTaskCommentService({
    ...deps,
    redactor: createTestRedactor(SECRET),
    notify: (message, userIds) => sent.push({ message, userIds }),
  });
  const { pool } = database.db;
  const [adaId, bobId] = [v7(), v7()];
  await pool.query(
    `INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now()), ($2, 'Bob Bau', 'bob@x.y', now())`,
    [adaId, bobId],
  );
  const agentId = v7();
  await pool.query(
    `INSERT INTO agents (id, name, schedule, prompt, creator_id, scheduled_since, created_at, updated_at)
     VALUES ($1, 'Gardener', '0 9 * * *', 'Garden.', $2, now(), now(), now())`,
    [agentId, adaId],
  );
  ada = { kind: "person", name: "Ada", userId: adaId };
  bob = { kind: "person", name: "Bob Bau", userId: bobId };
  gardener = { kind: "agent", name: "Gardener", userId: adaId, agentId, runId: v7() };
  laptop = { kind: "assistant", name: "Laptop", userId: adaId, keyId: v7() };
});
afterAll(() => database.close());

beforeEach(async () => {
  sent = [];
  await database.db.pool.query("DELETE FROM tasks");
  task = await tasks.create({ title: "Water the plants", tags: ["garden"] }, ada);
});

const later = (minutes: number) => deps.clock.set(new Date(deps.clock.now().getTime() + minutes * 60_000));
const list = async (more: { only?: "changes" | "comments"; limit?: number; cursor?: string } = {}) =>
  activity.list({ id: task.id, limit: 50, ...more }, ALL_LINKS);
const changes = async (): Promise<TaskChange[]> =>
  (await list()).items.filter((entry): entry is TaskChange => entry.kind === "change");
const latest = async (): Promise<TaskChange> => {
  const [change] = await changes();
  if (change === undefined) throw new Error("There is no change.");
  return change;
};
const undo = async (change: { id: string }) => activity.undo({ id: task.id, changeId: change.id }, bob);
const shortOf = (entry: ActivityEntry) =>
  entry.kind === "comment"
    ? entry.text
    : entry.kind === "change"
      ? entry.changes.map(({ field }) => field)
      : entry.kind;

describe("the history of a task", () => {
  it("says who changed what through what, down to the creation", async () => {
    later(1);
    await tasks.update({ id: task.id, status: "in_progress", priority: 3, title: task.title }, gardener);
    later(1);
    await comments.add({ id: task.id, text: "Which ones?" }, laptop);
    later(1);
    await tasks.update({ id: task.id, tags: ["garden", "pond"], dueDate: "2026-05-01", dueTime: "09:00" }, bob);
    const { items } = await list();
    expect(items.map(({ author }) => author)).toEqual([bob, laptop, gardener, ada]);
    expect(items).toMatchObject([
      {
        kind: "change",
        changes: [
          { field: "dueDate", before: null, after: "2026-05-01" },
          { field: "dueTime", before: null, after: "09:00" },
          { field: "tags", before: ["garden"], after: ["garden", "pond"] },
        ],
      },
      { kind: "comment", text: "Which ones?" },
      {
        kind: "change",
        changes: [
          { field: "status", before: "todo", after: "in_progress" },
          { field: "priority", before: 2, after: 3 },
        ],
      },
      { kind: "creation", createdAt: task.createdAt },
    ]);
    expect((await list({ only: "comments" })).items.map(shortOf)).toEqual(["Which ones?"]);
    expect((await list({ only: "changes" })).items).toHaveLength(3);
  });

  it("records nothing for an update that changes nothing, and nothing that was refused", async () => {
    await tasks.update({ id: task.id, status: "todo", tags: [" garden "] }, ada);
    await expect(tasks.update({ id: task.id, title: "x", projectId: v7() }, ada)).rejects.toThrow(InvalidInputError);
    await expect(tasks.update({ id: task.id, title: "x", expectedVersion: "9" }, ada)).rejects.toThrow();
    await expect(tasks.restore({ id: task.id }, ada)).rejects.toThrow(InvalidInputError);
    expect(await changes()).toEqual([]);
  });

  it("has deleting and restoring, claims, releases with their notes, and blockers", async () => {
    await tasks.delete({ id: task.id }, ada);
    const { deletedAt } = await tasks.get(task.id);
    expect(await latest()).toMatchObject({ changes: [{ field: "deletedAt", before: null, after: deletedAt }] });
    await tasks.delete({ id: task.id }, ada);
    later(1);
    await tasks.restore({ id: task.id }, bob);
    expect(await latest()).toMatchObject({ author: bob, changes: [{ before: deletedAt, after: null }] });
    later(1);
    const claimed = await queue.claim({ id: task.id, leaseMinutes: 1, sessionId: "s-1" }, laptop);
    expect(await latest()).toMatchObject({
      author: { ...laptop, sessionId: "s-1" },
      changes: [
        { field: "claim", before: null, after: "Laptop" },
        { field: "status", before: "todo", after: "in_progress" },
      ],
    });
    later(1);
    await queue.release({ id: task.id, claimId: claimed?.claimId ?? "", note: "Pond is left." }, laptop);
    expect(await latest()).toMatchObject({
      changes: [
        { field: "claim", before: "Laptop", after: null },
        { field: "status", before: "in_progress", after: "todo" },
        { field: "handoverNote", before: null, after: "Pond is left." },
      ],
    });
    later(1);
    const other = await tasks.create({ title: "Buy a can" }, ada);
    await blocks.replace({ id: task.id, blockedBy: [other.id] }, ada);
    await blocks.replace({ id: task.id, blockedBy: [other.id] }, ada);
    expect(await latest()).toMatchObject({
      changes: [{ field: "blockedBy", before: [], after: [{ id: other.id, title: "Buy a can" }] }],
    });
    expect(await changes()).toHaveLength(5);
  });

  it("misses none of many changes at once, and each begins where the one before it ended", async () => {
    const authors = Array.from({ length: 60 }, (_, index): Author => ({
      ...laptop,
      name: `Laptop ${index}`,
      keyId: v7(),
    }));
    await Promise.all(
      authors.map((author, index) =>
        tasks.update({ id: task.id, dueDate: `2027-01-${(index % 28) + 1}`.replace(/-(\d)$/, "-0$1") }, author),
      ),
    );
    const all = await database.db.pool.query<{ before: string | null; after: string }>(
      "SELECT changes -> 0 ->> 'before' AS before, changes -> 0 ->> 'after' AS after FROM task_changes WHERE task_id = $1",
      [task.id],
    );
    const { dueDate } = await tasks.get(task.id);
    // A chain: every value but the first and the last ends as many changes as it begins.
    const count = (values: readonly (string | null)[], value: string | null) =>
      values.filter((one) => one === value).length;
    const [begins, ends] = [all.rows.map(({ before }) => before), all.rows.map(({ after }) => after)];
    for (const value of new Set([...begins, ...ends])) {
      const surplus = Number(value === null) - Number(value === dueDate);
      expect(count(begins, value) - count(ends, value)).toBe(surplus);
    }
    expect(all.rows.length).toBeGreaterThan(50);
  });

  it("joins what one author types within ten minutes, and keeps the text from before it", async () => {
    const long = "a".repeat(600);
    for (const description of ["W", "Wa", long]) {
      await tasks.update({ id: task.id, description }, ada);
      later(1);
    }
    const change = await latest();
    expect(change.changes).toEqual([{ field: "description", before: null, after: `${"a".repeat(500)}…` }]);
    expect(await activity.getChange({ id: task.id, changeId: change.id }, ALL_LINKS)).toMatchObject({
      descriptionBefore: null,
      descriptionAfter: long,
    });
    await tasks.update({ id: task.id, description: `${long}b` }, gardener);
    await tasks.update({ id: task.id, description: `${long}c` }, ada);
    later(11);
    await tasks.update({ id: task.id, description: `${long}d` }, ada);
    await tasks.update({ id: task.id, title: "Water" }, ada);
    await tasks.update({ id: task.id, description: null }, ada);
    expect((await changes()).map(({ author, changes: [first] }) => `${author.name} ${first?.field}`)).toEqual([
      "Ada description",
      "Ada title",
      "Ada description",
      "Ada description",
      "Gardener description",
      "Ada description",
    ]);
  });

  it("keeps the latest 500 changes and 4 MB of text of each task", async () => {
    const { pool } = database.db;
    const fill = `
      INSERT INTO task_changes (id, task_id, author, changes, text_before, created_at)
      SELECT gen_random_uuid(), $1, '{}', '[]', $3, now() - n * interval '1 hour' FROM generate_series(1, $2::int) AS n`;
    await pool.query(fill, [task.id, 700, null]);
    await tasks.update({ id: task.id, priority: 1 }, ada);
    const count = async () => (await pool.query("SELECT FROM task_changes WHERE task_id = $1", [task.id])).rowCount;
    expect(await count()).toBe(500);
    await pool.query("DELETE FROM task_changes");
    const incompressible = Array.from({ length: 30_000 }, () => v7()).join("");
    await pool.query(fill, [task.id, 12, incompressible]);
    await tasks.update({ id: task.id, priority: 2 }, ada);
    expect(await count()).toBeLessThan(12);
    expect((await latest()).changes).toMatchObject([{ field: "priority" }]);
  });

  it("has pages, in which entries of one moment are in one order", async () => {
    for (const priority of [1, 3, 2] as const) await tasks.update({ id: task.id, priority }, ada);
    await comments.add({ id: task.id, text: "one" }, ada);
    const all = (await list()).items;
    const seen: ActivityEntry[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(all).toHaveLength(5);
  });
});

describe("undoing a change", () => {
  it("brings the former values back, and can be undone itself", async () => {
    const description = "a".repeat(2_000);
    await tasks.update({ id: task.id, description }, ada);
    later(20);
    await tasks.update({ id: task.id, description: null, status: "done", tags: [], priority: 1 }, gardener);
    const change = await latest();
    later(1);
    expect(await undo(change)).toMatchObject({ description, status: "todo", tags: ["garden"], priority: 2 });
    const undone = await latest();
    expect(undone).toMatchObject({ author: bob, undoesId: change.id });
    later(1);
    expect(await undo(undone)).toMatchObject({ description: null, status: "done", tags: [], priority: 1 });
  });

  it("is refused as a whole if one of its fields has been changed since", async () => {
    await tasks.update({ id: task.id, priority: 1, dueDate: "2026-05-01" }, ada);
    const change = await latest();
    later(1);
    await tasks.update({ id: task.id, dueDate: "2026-05-02" }, ada);
    await expect(undo(change)).rejects.toThrow(
      new ConflictError("The due date has been changed since. Nothing was undone."),
    );
    expect(await tasks.get(task.id)).toMatchObject({ priority: 1, dueDate: "2026-05-02" });
    await tasks.update({ id: task.id, dueDate: "2026-05-01" }, ada);
    expect(await undo(change)).toMatchObject({ priority: 2, dueDate: null });
  });

  it("restores what was deleted, and deletes what was restored", async () => {
    await tasks.delete({ id: task.id }, ada);
    const deletion = await latest();
    later(1);
    expect((await undo(deletion)).deletedAt).toBeNull();
    await expect(undo(deletion)).rejects.toThrow("The task has been restored since.");
    later(1);
    expect((await undo(await latest())).deletedAt).not.toBeNull();
  });

  it("brings back what had to be done first", async () => {
    const [first, second] = [await tasks.create({ title: "1" }, ada), await tasks.create({ title: "2" }, ada)];
    await blocks.replace({ id: task.id, blockedBy: [first.id] }, ada);
    later(1);
    await blocks.replace({ id: task.id, blockedBy: [second.id] }, ada);
    const change = await latest();
    later(1);
    await undo(change);
    expect((await blocks.find(task.id)).blockedBy.map(({ title }) => title)).toEqual(["1"]);
    await expect(undo(change)).rejects.toThrow(ConflictError);
  });

  it("is not possible for claims, nor for changes of other tasks", async () => {
    await queue.claim({ id: task.id, leaseMinutes: 1 }, laptop);
    const claim = await latest();
    await expect(undo(claim)).rejects.toThrow(InvalidInputError);
    const other = await tasks.create({ title: "other" }, ada);
    await expect(activity.undo({ id: other.id, changeId: claim.id }, ada)).rejects.toThrow(NotFoundError);
    for (const id of ["x", v7()]) {
      await expect(activity.undo({ id: task.id, changeId: id }, ada)).rejects.toThrow(NotFoundError);
      await expect(activity.list({ id, limit: 1 }, ALL_LINKS)).rejects.toThrow(NotFoundError);
    }
  });

  it("happens once, however many ask at once", async () => {
    await tasks.update({ id: task.id, priority: 3 }, ada);
    const change = await latest();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => undo(change)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await changes()).filter(({ undoesId }) => undoesId === change.id)).toHaveLength(1);
  });
});

describe("a comment", () => {
  it("notifies the users it mentions, without secrets, but not its author or agents", async () => {
    const text = `@Ada, @bob bau and @Gardener: the password is ${SECRET}`;
    const comment = await comments.add({ id: task.id, text }, ada);
    expect(comment.mentions.map(({ name }) => name)).toEqual(["Ada", "Bob Bau", "Gardener"]);
    expect(comment.text).toBe(text);
    expect(sent).toMatchObject([
      {
        userIds: [bob.userId],
        message: { title: "Ada mentions you: Water the plants", path: `/tasks?task=${task.id}` },
      },
    ]);
    expect(sent[0]?.message.body).toContain("the password is [secret]");
    await comments.add({ id: task.id, text: "@Ada done" }, gardener);
    expect(sent[1]?.userIds).toEqual([ada.userId]);
  });

  it("is edited by its author, which notifies only who was not mentioned before", async () => {
    const { id: commentId } = await comments.add({ id: task.id, text: "@Bob Bau?" }, gardener);
    const edit = { id: task.id, commentId, text: "@Bob Bau? @Ada?" };
    await expect(comments.edit(edit, ada)).rejects.toThrow(ForbiddenError);
    await expect(comments.edit(edit, laptop)).rejects.toThrow(ForbiddenError);
    expect(await comments.edit(edit, { ...gardener, runId: v7() })).toMatchObject({
      text: edit.text,
      author: gardener,
    });
    expect(sent.map(({ userIds }) => userIds)).toEqual([[bob.userId], [ada.userId]]);
    expect((await list({ only: "comments" })).items).toMatchObject([{ editedAt: deps.clock.now().toISOString() }]);
  });

  it("is deleted by its author or a person, and refused on a deleted task", async () => {
    const { id: commentId } = await comments.add({ id: task.id, text: "one" }, laptop);
    await expect(comments.delete({ id: task.id, commentId }, gardener)).rejects.toThrow(ForbiddenError);
    await comments.delete({ id: task.id, commentId }, bob);
    await expect(comments.delete({ id: task.id, commentId }, bob)).rejects.toThrow(NotFoundError);
    await tasks.delete({ id: task.id }, ada);
    await expect(comments.add({ id: task.id, text: "two" }, ada)).rejects.toThrow(InvalidInputError);
    await expect(comments.add({ id: v7(), text: "two" }, ada)).rejects.toThrow(NotFoundError);
    expect((await list({ only: "comments" })).items).toEqual([]);
  });
});
