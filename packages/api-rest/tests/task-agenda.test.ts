import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const create = async (body: object) => (await api("POST", "/api/tasks", { body })).body.data;

/** The titles of each section, and its total. */
async function agenda(query = "timezone=UTC") {
  const { status, body } = await api("GET", `/api/tasks/agenda?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ section, total, tasks }: any) => [section, total, tasks.map(({ title }: any) => title)]);
}

test("the agenda has every task in the most urgent section that applies, or in none", async () => {
  expect(await agenda()).toEqual([]);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  for (const task of [
    { title: "late and started", status: "in_progress", dueDate: dateIn(-3) },
    { title: "late", dueDate: dateIn(-4) },
    { title: "today", dueDate: dateIn(0) },
    { title: "today at nine", dueDate: dateIn(0), dueTime: "09:00" },
    { title: "today and important", dueDate: dateIn(0), priority: 3 },
    { title: "started", status: "in_progress" },
    { title: "started, due some day", status: "in_progress", dueDate: dateIn(30) },
    { title: "tomorrow", dueDate: dateIn(1) },
    { title: "in a week", dueDate: dateIn(7) },
    { title: "in eight days", dueDate: dateIn(8) },
    { title: "whenever" },
    { title: "done late", status: "done", dueDate: dateIn(-3) },
    { title: "snoozed", dueDate: dateIn(0), snoozedUntil: tomorrow },
  ])
    await create(task);
  const deleted = await create({ title: "deleted", dueDate: dateIn(0) });
  await api("DELETE", `/api/tasks/${deleted.id}`);
  await create({ title: "done just now", status: "done" });

  expect(await agenda()).toEqual([
    ["overdue", 2, ["late", "late and started"]],
    ["today", 3, ["today at nine", "today and important", "today"]],
    ["in_progress", 2, ["started, due some day", "started"]],
    ["week", 2, ["tomorrow", "in a week"]],
    ["done", 2, ["done just now", "done late"]],
  ]);
  expect(await agenda("timezone=UTC&limit=1")).toEqual([
    ["overdue", 2, ["late"]],
    ["today", 3, ["today at nine"]],
    ["in_progress", 2, ["started, due some day"]],
    ["week", 2, ["tomorrow"]],
    ["done", 2, ["done just now"]],
  ]);
});

test.each(["timezone=Nowhere", "limit=0", "limit=51"])("the agenda with %s is refused", async (query) => {
  expect((await api("GET", `/api/tasks/agenda?${query}`)).status).toBe(400);
});
