import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskInput, updateTaskInput, type Task } from "../tasks/task.schema.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { claimPushes } from "./task-reminder.queries.ts";
import { createReminderDefaultService, type ReminderDefaultService } from "./reminder-default.service.ts";
import { createReminderPushes, type ReminderPushes } from "./reminder-pushes.ts";
import { createTaskReminderService, type TaskReminderService } from "./task-reminder.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let reminders: TaskReminderService;
let ada: Author;
let bob: Author;
let pushes: ReminderPushes;
let defaults: ReminderDefaultService;
let sent: { message: PushMessage; userId: string; only: readonly string[] }[];
/** The devices that are not reached. */
let missed: string[];

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
  await database.db.pool.query("TRUNCATE tasks, task_reminder_defaults CASCADE");
  deps = createTestDeps(database.db);
  sent = [];
  tasks = createTaskService({ ...deps, timeZone: "UTC", findNamedNotes: async () => [] });
  const redactor = createTestRedactor("hunter2");
  missed = [];
  reminders = createTaskReminderService({ ...deps, redactor, timeZone: "UTC" });
  defaults = createReminderDefaultService({ ...deps, timeZone: "UTC" });
  pushes = createReminderPushes({
    ...deps,
    redactor,
    deliverPush: async (message, userId, only) => {
      sent.push({ message, userId, only });
      return missed;
    },
  });
});

const create = (input: object) => tasks.create(createTaskInput.parse(input), ada);
const update = (task: Task, patch: object) => tasks.update(updateTaskInput.parse({ id: task.id, ...patch }), ada);
/** As if this much time had passed for the reminders. */
const pass = (interval: string) =>
  database.db.pool.query("UPDATE task_reminders SET fires_at = fires_at - $1::interval", [interval]);
const deliver = async () => {
  await reminders.deliverDue();
  await pushes.sendDue();
};
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
  it("cannot be added later, since it would be said to come late", async () => {
    const task = await create({ title: "a" });
    const at = new Date(deps.clock.now().getTime() - 120_000).toISOString();
    await expect(reminders.add({ id: task.id, at }, ada.userId)).rejects.toThrow("at: is in the past");
    expect(await timesOf(task)).toEqual([]);
  });

  it("is delivered once by several processes, to its person alone", async () => {
    const task = await create({ title: "Call hunter2" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await deliver();
    expect(sent).toEqual([]);
    await database.db.pool.query("UPDATE task_reminders SET fires_at = now() - interval '1 second'");
    await Promise.all([1, 2, 3, 4].map(() => deliver()));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      userId: ada.userId,
      message: { title: "Reminder: Call [secret]", body: "" },
    });
    expect(await reminders.unseen(ada.userId)).toMatchObject([{ task: { id: task.id }, isLate: false }]);
    expect(await reminders.unseen(bob.userId)).toEqual([]);
  });

  it("is delivered late after the server was down, and says so", async () => {
    const task = await create({ title: "a" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    await deliver();
    await deliver();
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
    await deliver();
    await update(done, { status: "todo" });
    await tasks.restore({ id: deleted.id }, ada);
    await deliver();
    expect(sent).toEqual([]);
    expect(await reminders.unseen(ada.userId)).toEqual([]);
  });

  it("is seen once on all pages of its person", async () => {
    const task = await create({ title: "a" });
    const [reminder] = await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    await deliver();
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
    await deliver();
    await update(task, { dueDate: "2031-07-02" });
    expect(await reminders.unseen(ada.userId)).toEqual([]);
    await pass("20 years");
    await deliver();
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

describe("a message about a reminder", () => {
  const wait = () => database.db.pool.query("UPDATE task_reminders SET push_at = now() WHERE push_at IS NOT NULL");

  it("is sent again to the devices that were not reached, until they are", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const task = await create({ title: "a", dueDate: today, dueTime: "15:00" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    missed = ["0190a000-0000-7000-8000-000000000001"];
    await deliver();
    await deliver();
    expect(sent).toHaveLength(1);
    await wait();
    missed = [];
    await deliver();
    await wait();
    await deliver();
    expect(sent.map(({ only }) => only)).toEqual([[], ["0190a000-0000-7000-8000-000000000001"]]);
    expect(sent[1]?.message.title).toBe("Reminder: a");
  });

  it("is sent again if the process died while it was sent, and not once it was seen", async () => {
    const task = await create({ title: "a" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z" }, ada.userId);
    await pass("20 years");
    await reminders.deliverDue();
    await wait();
    await claimPushes(database.db.pool, { limit: 10, claimMs: 60_000 });
    await wait();
    await deliver();
    expect(sent).toHaveLength(1);
    missed = ["0190a000-0000-7000-8000-000000000001"];
    await reminders.deliverDue();
    await reminders.see(
      (await reminders.unseen(ada.userId)).map(({ id }) => id),
      ada.userId,
    );
    await wait();
    await deliver();
    expect(sent).toHaveLength(1);
  });

  it("says when the task is due, also in the change that is published", async () => {
    const today = new Date().toISOString().slice(0, 10);
    deps.clock.set(`${today}T08:00:00Z`);
    const task = await create({ title: "Call", dueDate: today, dueTime: "15:00" });
    await reminders.add({ id: task.id, at: "2030-01-01T00:00:00Z", timezone: "UTC" }, ada.userId);
    await database.db.pool.query("UPDATE task_reminders SET fires_at = now() - interval '1 second'");
    await deliver();
    expect(sent[0]?.message.body).toBe("Due today at 15:00");
    expect(deps.changes.at(-1)).toMatchObject({
      resource: "task",
      action: "remind",
      resourceName: "Call, due today at 15:00",
    });
  });
});

describe("a default reminder", () => {
  const DEFAULT = { minutesBefore: 30, dayTime: "10:30", timezone: "Europe/Berlin" };
  const listOf = ({ id }: Task, { userId } = ada) => reminders.list(id, userId);

  it("is off until it is set", async () => {
    expect(await defaults.get(ada.userId)).toEqual({ minutesBefore: null, dayTime: null, timezone: "UTC" });
    expect(await listOf(await create({ title: "a", dueDate: "2030-07-02" }))).toEqual([]);
  });

  it("is given to own tasks that are due, also to those that were before, and follows the date", async () => {
    const before = await create({ title: "before", dueDate: "2030-07-02" });
    expect(await defaults.set(DEFAULT, ada.userId)).toEqual(DEFAULT);
    expect(await defaults.get(ada.userId)).toEqual(DEFAULT);
    const timed = await create({ title: "timed", dueDate: "2030-07-02", dueTime: "15:00" });
    const undated = await create({ title: "undated" });
    expect(await timesOf(before)).toEqual(["2030-07-02T08:30:00.000Z"]);
    expect(await timesOf(timed)).toEqual(["2030-07-02T12:30:00.000Z"]);
    expect(await listOf(undated)).toEqual([]);
    expect(await listOf(timed, bob)).toEqual([]);
    await update(undated, { dueDate: "2030-08-01" });
    expect(await listOf(undated)).toMatchObject([{ at: "2030-08-01T08:30:00.000Z", isDefault: true }]);
    await update(timed, { dueDate: "2030-07-03" });
    expect(await timesOf(timed)).toEqual(["2030-07-03T12:30:00.000Z"]);
    await update(timed, { dueTime: null });
    expect(await timesOf(timed)).toEqual(["2030-07-03T08:30:00.000Z"]);
  });

  it("stays away if it was removed, and goes with the task to another person", async () => {
    await defaults.set(DEFAULT, ada.userId);
    await defaults.set(DEFAULT, bob.userId);
    const task = await create({ title: "a", dueDate: "2030-07-02" });
    const [given] = await listOf(task);
    await reminders.remove({ id: task.id, reminderId: given?.id ?? "" }, ada.userId);
    await update(task, { dueDate: "2030-07-03" });
    expect(await listOf(task)).toEqual([]);
    await update(task, { assignee: { kind: "person", id: bob.userId } });
    expect(await listOf(task)).toEqual([]);
    expect(await listOf(task, bob)).toHaveLength(1);
  });

  it("stays away if it was removed, also when the setting changes, until the task is due anew", async () => {
    await defaults.set(DEFAULT, ada.userId);
    const task = await create({ title: "a", dueDate: "2030-07-02" });
    const other = await create({ title: "b", dueDate: "2030-07-02" });
    const [given] = await listOf(task);
    expect(await reminders.remove({ id: task.id, reminderId: given?.id ?? "" }, ada.userId)).toEqual([]);
    const again = reminders.remove({ id: task.id, reminderId: given?.id ?? "" }, ada.userId);
    await expect(again).rejects.toThrow("no such reminder");
    await defaults.set({ ...DEFAULT, dayTime: "08:00" }, ada.userId);
    await defaults.set({ ...DEFAULT, dayTime: null, minutesBefore: null }, ada.userId);
    await defaults.set(DEFAULT, ada.userId);
    await update(task, { title: "a again", dueDate: "2030-07-04" });
    expect(await listOf(task)).toEqual([]);
    expect(await listOf(other)).toHaveLength(1);
    await update(task, { dueDate: null });
    await update(task, { dueDate: "2030-07-05" });
    expect(await timesOf(task)).toEqual(["2030-07-05T08:30:00.000Z"]);
  });

  it("can be changed and turned off for all tasks, and comes once with a task that repeats", async () => {
    await defaults.set(DEFAULT, ada.userId);
    const task = await create({ title: "a", dueDate: "2030-07-02", repeat: "FREQ=DAILY" });
    await defaults.set({ ...DEFAULT, dayTime: "08:00" }, ada.userId);
    expect(await timesOf(task)).toEqual(["2030-07-02T06:00:00.000Z"]);
    const { nextId } = await update(task, { status: "done" });
    expect(await reminders.list(nextId ?? "", ada.userId)).toHaveLength(1);
    await defaults.set({ ...DEFAULT, minutesBefore: null, dayTime: null }, ada.userId);
    expect(await reminders.list(nextId ?? "", ada.userId)).toEqual([]);
  });
});
