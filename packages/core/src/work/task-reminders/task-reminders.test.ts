import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskInput, updateTaskInput, type Task } from "../tasks/task.schema.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { createTaskReminderService, type TaskReminderService } from "./task-reminder.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let reminders: TaskReminderService;
let ada: Author;
let bob: Author;
let sent: { message: PushMessage; userIds: readonly string[] }[];

beforeAll(async () => {
  database = await createTestDatabase();
  const [adaId, bobId] = [v7(), v7()];
  await database.db.pool.query(
    `INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now()), ($2, 'Bob', 'bob@x.y', now())`,
    [adaId, bobId],
  );
  ada = { kind: "person", name: "Ada", userId: adaId };
  bob = { kind: "person", name: "Bob", userId: bobId };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE tasks CASCADE");
  deps = createTestDeps(database.db);
  sent = [];
  tasks = createTaskService({ ...deps, timeZone: "UTC", findNamedNotes: async () => [] });
  reminders = createTaskReminderService({
    ...deps,
    redactor: createTestRedactor("hunter2"),
    timeZone: "UTC",
    notify: (message, userIds) => sent.push({ message, userIds }),
  });
});

const create = (input: object) => tasks.create(createTaskInput.parse(input), ada);
const update = (task: Task, patch: object) => tasks.update(updateTaskInput.parse({ id: task.id, ...patch }), ada);
/** As if this much time had passed for the reminders. */
const pass = (interval: string) =>
  database.db.pool.query("UPDATE task_reminders SET fires_at = fires_at - $1::interval", [interval]);
const timesOf = async ({ id }: Task) => (await reminders.list(id, ada.userId)).map(({ at }) => at);

describe("a reminder before the due date", () => {
  it("is that long before it in its zone, and moves with it", async () => {
    const task = await create({ title: "a", dueDate: "2030-07-02", dueTime: "09:00" });
    await reminders.add({ id: task.id, minutesBefore: 60, timezone: "Europe/Berlin" }, ada.userId);
    await reminders.add({ id: task.id, minutesBefore: 0, timezone: "America/New_York" }, ada.userId);
    expect(await timesOf(task)).toEqual(["2030-07-02T06:00:00.000Z", "2030-07-02T13:00:00.000Z"]);
    // Clocks have been set back by then.
    await update(task, { dueDate: "2030-12-02" });
    expect(await timesOf(task)).toEqual(["2030-12-02T07:00:00.000Z", "2030-12-02T14:00:00.000Z"]);
    await update(task, { dueTime: null });
    expect(await timesOf(task)).toEqual(["2030-12-02T07:00:00.000Z", "2030-12-02T14:00:00.000Z"]);
    await update(task, { dueDate: "2030-12-02T10:00:00Z" });
    expect(await timesOf(task)).toEqual(["2030-12-02T09:00:00.000Z", "2030-12-02T10:00:00.000Z"]);
    await update(task, { dueDate: null });
    expect(await timesOf(task)).toEqual([null, null]);
    await update(task, { dueDate: "2020-01-01" });
    expect(await timesOf(task)).toEqual([null, null]);
  });

  it("is given to the task that follows, and a fixed one is not", async () => {
    const task = await create({ title: "a", dueDate: "2030-07-02", dueTime: "09:00", repeat: "FREQ=DAILY" });
    await reminders.add({ id: task.id, minutesBefore: 30, timezone: "UTC" }, ada.userId);
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    const done = await update(task, { status: "done" });
    expect(await timesOf(await tasks.get(done.nextId ?? ""))).toEqual(["2030-07-03T08:30:00.000Z"]);
  });
});

describe("a reminder whose time has come", () => {
  it("is delivered once by several processes, to its person alone", async () => {
    const task = await create({ title: "Call hunter2" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await reminders.deliverDue();
    expect(sent).toEqual([]);
    await database.db.pool.query("UPDATE task_reminders SET fires_at = now() - interval '1 second'");
    await Promise.all([1, 2, 3, 4].map(() => reminders.deliverDue()));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      userIds: [ada.userId],
      message: { title: "Call [secret]", body: "Reminder of a task" },
    });
    expect(await reminders.unseen(ada.userId)).toMatchObject([{ task: { id: task.id }, isLate: false }]);
    expect(await reminders.unseen(bob.userId)).toEqual([]);
  });

  it("is delivered late after the server was down, and says so", async () => {
    const task = await create({ title: "a" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    await reminders.deliverDue();
    await reminders.deliverDue();
    expect(sent.map(({ message }) => message.body)).toEqual([
      "The reminder for 00:00 comes late: the server was not running.",
    ]);
    expect(await reminders.unseen(ada.userId)).toMatchObject([{ isLate: true }]);
  });

  it("is dropped if the task is done or deleted, also if that is undone later", async () => {
    const done = await create({ title: "a" });
    const deleted = await create({ title: "b" });
    for (const { id } of [done, deleted]) await reminders.add({ id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await update(done, { status: "done" });
    await tasks.delete({ id: deleted.id }, ada);
    await pass("20 years");
    await reminders.deliverDue();
    await update(done, { status: "todo" });
    await tasks.restore({ id: deleted.id }, ada);
    await reminders.deliverDue();
    expect(sent).toEqual([]);
    expect(await reminders.unseen(ada.userId)).toEqual([]);
  });

  it("is seen once on all pages of its person", async () => {
    const task = await create({ title: "a" });
    const [reminder] = await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    await reminders.deliverDue();
    const ids = [reminder?.id ?? "", "no uuid"];
    expect(await reminders.see(ids, bob.userId)).toEqual({ seen: 0 });
    expect(await reminders.see(ids, ada.userId)).toEqual({ seen: 1 });
    expect(await reminders.see(ids, ada.userId)).toEqual({ seen: 0 });
    expect(await reminders.unseen(ada.userId)).toEqual([]);
  });

  it("is delivered again if the due date is moved", async () => {
    const task = await create({ title: "a", dueDate: "2030-07-02" });
    await reminders.add({ id: task.id, minutesBefore: 0 }, ada.userId);
    await pass("20 years");
    await reminders.deliverDue();
    await update(task, { dueDate: "2031-07-02" });
    expect(await reminders.unseen(ada.userId)).toEqual([]);
    await pass("20 years");
    await reminders.deliverDue();
    expect(sent).toHaveLength(2);
  });
});

describe("adding and removing", () => {
  it("is refused for what is not possible", async () => {
    const task = await create({ title: "a" });
    await expect(reminders.add({ id: task.id, minutesBefore: 5 }, ada.userId)).rejects.toThrow(InvalidInputError);
    await expect(reminders.add({ id: v7(), minutesBefore: 5 }, ada.userId)).rejects.toThrow(NotFoundError);
    await expect(reminders.remove({ id: task.id, reminderId: v7() }, ada.userId)).rejects.toThrow(NotFoundError);
    const at = "2030-01-01T00:00:00Z";
    for (let count = 0; count < 10; count += 1) await reminders.add({ id: task.id, at }, ada.userId);
    await expect(reminders.add({ id: task.id, at }, ada.userId)).rejects.toThrow(ConflictError);
    const [own] = await reminders.add({ id: task.id, at }, bob.userId);
    await expect(reminders.remove({ id: task.id, reminderId: own?.id ?? "" }, ada.userId)).rejects.toThrow(
      NotFoundError,
    );
    expect(await reminders.remove({ id: task.id, reminderId: own?.id ?? "" }, bob.userId)).toEqual([]);
    await tasks.delete({ id: task.id }, ada);
    await expect(reminders.add({ id: task.id, at }, bob.userId)).rejects.toThrow(InvalidInputError);
  });
});
