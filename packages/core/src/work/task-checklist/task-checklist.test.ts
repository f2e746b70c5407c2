import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskActivityService, type TaskActivityService } from "../task-activity/task-activity.service.ts";
import { createTaskLinkService, type TaskLinkService } from "../task-links/task-links.service.ts";
import { createTaskBlockService } from "../task-queue/task-blocks.service.ts";
import type { Task } from "../tasks/task.schema.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { ALL_LINKS } from "../task-links/link-view.ts";
import { createTaskChecklistService, type TaskChecklistService } from "./task-checklist.service.ts";

const ALL = { showsNote: () => true, showsConversations: true };

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let checklist: TaskChecklistService;
let links: TaskLinkService;
let activity: TaskActivityService;
let ada: Author;
let task: Task;
let named: { id: string; title: string }[];

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC", findNamedNotes: () => Promise.resolve(named) });
  checklist = createTaskChecklistService({ ...deps, tasks });
  links = createTaskLinkService({ ...deps, taskChecklist: checklist });
  const taskBlocks = createTaskBlockService(deps);
  activity = createTaskActivityService({ ...deps, tasks, taskBlocks, taskChecklist: checklist, taskLinks: links });
  const userId = v7();
  const { pool } = database.db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  ada = { kind: "person", userId, name: "Ada" };
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.db.pool.query("DELETE FROM tasks");
  named = [];
  task = await tasks.create({ title: "Build" }, ada);
});

const change = (input: object) => checklist.change({ id: task.id, ...input }, ada);
const texts = async () => (await checklist.find(task.id)).map(({ text, isDone }) => (isDone ? `[x] ${text}` : text));
const undoLatest = async () => {
  const { items } = await activity.list({ id: task.id, only: "changes", limit: 1 }, ALL_LINKS);
  deps.clock.set(new Date(deps.clock.now().getTime() + 1));
  return activity.undo({ id: task.id, changeId: items[0]?.id ?? "" }, ada);
};

describe("a checklist", () => {
  it("has items that are added, ticked, renamed, moved and removed", async () => {
    const [a, b, c] = await change({ add: ["a", " b ", "c"] });
    expect(await tasks.get(task.id)).toMatchObject({ checklist: { done: 0, total: 3 }, version: "2" });
    await change({ set: [{ id: b?.id ?? "", isDone: true, text: "B" }], move: { id: c?.id ?? "", afterId: null } });
    expect(await texts()).toEqual(["c", "a", "[x] B"]);
    await change({ add: ["between"], afterId: c?.id ?? "", remove: [a?.id ?? ""] });
    expect(await texts()).toEqual(["c", "between", "[x] B"]);
    expect(await tasks.get(task.id)).toMatchObject({ checklist: { done: 1, total: 3 } });
  });

  it("takes the ids that its caller gives to new items, once", async () => {
    const id = v7();
    await change({ add: ["a", { id, text: "b", isDone: true }, { text: "c" }] });
    expect(await texts()).toEqual(["a", "[x] b", "c"]);
    await change({ set: [{ id, text: "B" }] });
    await expect(change({ add: [{ id, text: "again" }] })).rejects.toThrow(ConflictError);
    const other = v7();
    await expect(
      change({
        add: [
          { id: other, text: "d" },
          { id: other, text: "e" },
        ],
      }),
    ).rejects.toThrow(ConflictError);
    expect(await texts()).toEqual(["a", "[x] B", "c"]);
  });

  it("keeps every item when many change it at once", async () => {
    const items = await change({ add: Array.from({ length: 20 }, (_, index) => `item ${index}`) });
    await Promise.all([
      ...items.map(({ id }) => change({ set: [{ id, isDone: true }] })),
      ...items.map((_, index) => change({ add: [`more ${index}`] })),
    ]);
    expect(await tasks.get(task.id)).toMatchObject({ checklist: { done: 20, total: 40 } });
  });

  it("undoes each change, also when others came after it, unless its items have changed", async () => {
    const [a, b] = await change({ add: ["a", "b", "c"] });
    deps.clock.set(new Date(deps.clock.now().getTime() + 1));
    await change({ remove: [b?.id ?? ""] });
    const { items } = await activity.list({ id: task.id, only: "changes", limit: 1 }, ALL_LINKS);
    deps.clock.set(new Date(deps.clock.now().getTime() + 1));
    await change({ set: [{ id: a?.id ?? "", isDone: true }] });
    await activity.undo({ id: task.id, changeId: items[0]?.id ?? "" }, ada);
    expect(await texts()).toEqual(["[x] a", "b", "c"]);
    deps.clock.set(new Date(deps.clock.now().getTime() + 1));
    await change({ move: { id: a?.id ?? "", afterId: b?.id ?? "" } });
    expect(await texts()).toEqual(["b", "[x] a", "c"]);
    await undoLatest();
    expect(await texts()).toEqual(["[x] a", "b", "c"]);
    const removal = { id: task.id, changeId: items[0]?.id ?? "" };
    await expect(activity.undo(removal, ada)).rejects.toThrow(ConflictError);
  });

  it("is bounded, and refuses what is not there", async () => {
    await change({ add: Array.from({ length: 200 }, (_, index) => `item ${index}`) });
    await expect(change({ add: ["one more"] })).rejects.toThrow(InvalidInputError);
    for (const input of [{ set: [{ id: "x" }] }, { remove: ["x"] }, { move: { id: "x", afterId: null } }])
      await expect(change(input)).rejects.toThrow(ConflictError);
    await expect(checklist.change({ id: v7(), add: ["a"] }, ada)).rejects.toThrow(NotFoundError);
    await tasks.delete({ id: task.id }, ada);
    await expect(change({ add: ["a"] })).rejects.toThrow("Restore it");
  });

  it("turns items into subtasks and back", async () => {
    const [, b, c] = await change({ add: ["a", "b", "c"] });
    await change({ set: [{ id: c?.id ?? "", isDone: true }] });
    const { created } = await checklist.convert({ id: task.id, itemIds: [b?.id ?? "", c?.id ?? ""] }, ada);
    expect(created.map(({ title, status, parentId }) => [title, status, parentId])).toEqual([
      ["b", "todo", task.id],
      ["c", "done", task.id],
    ]);
    expect(await texts()).toEqual(["a"]);
    const subtaskIds = created.map(({ id }) => id);
    const part = await tasks.create({ title: "part", parentId: subtaskIds[0] ?? "" }, ada);
    await expect(checklist.convert({ id: task.id, subtaskIds }, ada)).rejects.toThrow("has subtasks");
    await tasks.delete({ id: part.id }, ada);
    await checklist.convert({ id: task.id, subtaskIds }, ada);
    expect(await texts()).toEqual(["a", "b", "[x] c"]);
    expect(await tasks.get(task.id)).toMatchObject({ subtasks: { done: 0, total: 0 } });
  });
});

describe("links", () => {
  const link = (id: string, input: object) => links.change({ id, ...input }, ada, ALL);

  it("relate tasks both ways, and are added and removed one by one", async () => {
    const others = [await tasks.create({ title: "1" }, ada), await tasks.create({ title: "2" }, ada)];
    await Promise.all(
      others.flatMap(({ id }) => [
        link(task.id, { add: [{ kind: "relatesTo", id }] }),
        link(task.id, { add: [{ kind: "blockedBy", id }] }),
      ]),
    );
    const { relatesTo, blockedBy } = await links.details(task.id, ALL);
    expect(relatesTo.map(({ title }) => title)).toEqual(["1", "2"]);
    expect(blockedBy.map(({ title }) => title)).toEqual(["1", "2"]);
    const [first = task] = others;
    expect(await links.details(first.id, ALL)).toMatchObject({
      relatesTo: [{ id: task.id }],
      blocks: [{ id: task.id }],
    });
    await link(first.id, {
      remove: [
        { kind: "relatesTo", id: task.id },
        { kind: "blocks", id: task.id },
      ],
    });
    const after = await links.details(task.id, ALL);
    expect([after.relatesTo.length, after.blockedBy.length]).toEqual([1, 1]);
    await expect(
      link(first.id, {
        add: [
          { kind: "blockedBy", id: others[1]?.id },
          { kind: "blocks", id: others[1]?.id },
        ],
      }),
    ).rejects.toThrow("waits for this task");
    expect((await links.details(first.id, ALL)).blockedBy).toEqual([]);
    for (const id of [task.id, "x", v7()])
      await expect(link(task.id, { add: [{ kind: "relatesTo", id }] })).rejects.toThrow(InvalidInputError);
  });

  it("are undone", async () => {
    const other = await tasks.create({ title: "other" }, ada);
    await link(task.id, { add: [{ kind: "relatesTo", id: other.id }] });
    await undoLatest();
    expect((await links.details(task.id, ALL)).relatesTo).toEqual([]);
    await undoLatest();
    expect((await links.details(task.id, ALL)).relatesTo).toHaveLength(1);
  });

  it("refer to notes and conversations, which are found from there, survive a rename, and are shown when they are gone", async () => {
    const { pool } = database.db;
    const [note, other, conversation] = [v7(), v7(), v7()];
    const insertNote = (id: string, title: string) =>
      pool.query(
        `INSERT INTO documents (id, title, path, directory, link_name, file_type, creator_id, content_hash, size_bytes, mtime_ns,
           inode, birthtime_ns, created_at, modified_at, search_text)
         VALUES ($1, $2, $2 || '.md', '', lower($2), 'markdown', $3, '', 0, 0, 0, 0, now(), now(), '')`,
        [id, title, ada.userId],
      );
    await insertNote(note, "Pump");
    await insertNote(other, "Sand");
    await pool.query(
      `INSERT INTO conversations (id, session_id, title, started_at, creator_id) VALUES ($1, 's', 'About it', now(), $2)`,
      [conversation, ada.userId],
    );
    await link(task.id, {
      add: [
        { kind: "note", id: note },
        { kind: "conversation", id: conversation },
      ],
    });
    named = [
      { id: note, title: "Pump" },
      { id: other, title: "Sand" },
    ];
    await tasks.update({ id: task.id, description: "[[Pump]] [[Sand]]" }, ada);
    await pool.query("UPDATE documents SET title = 'Well', path = 'x/Well.md' WHERE id = $1", [note]);
    const details = await links.details(task.id, ALL);
    expect(details.notes.map(({ title, path, isNamed }) => [title, path, isNamed])).toEqual([
      ["Well", "x/Well.md", true],
      ["Sand", "Sand.md", true],
    ]);
    expect(details.conversations).toEqual([{ id: conversation, title: "About it", isGone: false }]);
    expect(await links.linkedTo({ kind: "note", targetId: other }, ALL_LINKS)).toMatchObject([{ id: task.id }]);
    expect(await links.linkedTo({ kind: "conversation", targetId: conversation }, ALL_LINKS)).toHaveLength(1);
    named = [];
    await tasks.update({ id: task.id, description: null }, ada);
    await pool.query("DELETE FROM documents WHERE id = ANY($1::uuid[])", [[note, other]]);
    await pool.query("DELETE FROM conversations");
    const gone = await links.details(task.id, ALL);
    expect(gone.notes).toEqual([{ id: note, title: "Pump", path: null, isGone: true, isNamed: false }]);
    expect(gone.conversations).toMatchObject([{ title: "About it", isGone: true }]);
    await link(task.id, { remove: [{ kind: "note", id: note }] });
    expect((await links.details(task.id, ALL)).notes).toEqual([]);
    await expect(link(task.id, { add: [{ kind: "note", id: note }] })).rejects.toThrow("no note or conversation");
  });

  it("connect a session of an assistant, once it is known", async () => {
    const add = [{ kind: "session", id: "s-1" }];
    await expect(link(task.id, { add })).rejects.toThrow("there is no session s-1");
    await database.db.pool.query(
      `INSERT INTO hook_events (id, session_id, event_type, created_at) VALUES ($1, 's-1', 'SessionEnd', now())`,
      [v7()],
    );
    await link(task.id, { add });
    await link(task.id, { add });
    expect(await links.linkedTo({ kind: "session", targetId: "s-1" }, ALL_LINKS)).toMatchObject([{ id: task.id }]);
    await link(task.id, { remove: add });
    expect(await links.linkedTo({ kind: "session", targetId: "s-1" }, ALL_LINKS)).toEqual([]);
  });
});
