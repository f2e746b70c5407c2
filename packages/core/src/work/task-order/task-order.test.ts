import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { createTaskOrderService, type TaskOrderService } from "./task-order.service.ts";
import { MAX_POSITION } from "./task-position.ts";

let database: TestDatabase;
let tasks: TaskService;
let order: TaskOrderService;
let ada: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  const deps = createTestDeps(database.db);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  order = createTaskOrderService({ ...deps, timeZone: "UTC" });
  const userId = v7();
  const { pool } = database.db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  ada = { kind: "person", userId, name: "Ada" };
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.db.pool.query("DELETE FROM tasks");
});

const create = (title: string) => tasks.create({ title }, ada);
const createAll = async (titles: string) => {
  const ids: string[] = [];
  for (const title of titles) ids.push((await create(title)).id);
  return ids;
};
/** The titles in the manual order, as a client computes it. */
const titles = async () => {
  const { items } = await tasks.list({});
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return items
    .toSorted((a, b) => compare(a.position, b.position) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    .map(({ title }) => title)
    .join("");
};

describe("the manual order", () => {
  it("is that of age until a task is moved, and has new ones at the end", async () => {
    const [a = "", b = "", c = "", d = ""] = await createAll("abcd");
    expect(await titles()).toBe("abcd");
    await order.move({ id: d, beforeId: a }, ada);
    expect(await titles()).toBe("dabc");
    await order.move({ id: a, afterId: c }, ada);
    expect(await titles()).toBe("dbca");
    await order.move({ id: b, afterId: d, beforeId: c }, ada);
    expect(await titles()).toBe("dbca");
    await create("e");
    expect(await titles()).toBe("dbcae");
  });

  it("takes a task to a parent or a status in the same step", async () => {
    const [a = "", b = "", c = ""] = await createAll("abc");
    const moved = await order.move({ id: c, beforeId: b, parentId: a, status: "in_progress" }, ada);
    expect(moved).toMatchObject({ parentId: a, status: "in_progress" });
    expect(await titles()).toBe("acb");
    await expect(order.move({ id: a, afterId: b, parentId: c }, ada)).rejects.toThrow("parentId");
    expect(await titles()).toBe("acb");
  });

  it("has a place beside an active task only", async () => {
    const [a = "", b = ""] = await createAll("ab");
    await tasks.delete({ id: b }, ada);
    for (const afterId of [a, b, "x", v7()])
      await expect(order.move({ id: a, afterId }, ada)).rejects.toThrow(InvalidInputError);
    await expect(order.move({ id: v7(), afterId: a }, ada)).rejects.toThrow(NotFoundError);
  });

  it("has room for tasks of one moment and for any number of moves to one place, with positions of bounded length", async () => {
    const ids = await createAll("abcdefgh");
    const { pool } = database.db;
    await pool.query("UPDATE tasks SET position = 'k00000000001', created_at = '2026-01-01'");
    expect(await titles()).toBe("abcdefgh");
    const [a = "", b = "", c = ""] = ids;
    await order.move({ id: a, afterId: b }, ada);
    expect(await titles()).toBe("bacdefgh");
    // The last two change places between the same neighbours again and again.
    for (let move = 0; move < 300; move += 1) await order.move({ id: move % 2 === 0 ? c : a, afterId: b }, ada);
    expect(await titles()).toBe("bacdefgh");
    const { rows } = await pool.query("SELECT max(length(position)) AS longest FROM tasks");
    expect(rows[0].longest).toBeLessThanOrEqual(MAX_POSITION);
  });

  it("is the same for all when many move at once", async () => {
    const ids = await createAll("abcdefghij");
    const at = (index: number) => ids[index % ids.length] ?? "";
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        order.move({ id: at(index * 7), afterId: at(index * 7 + 1 + (index % 8)) }, ada),
      ),
    );
    const { rows } = await database.db.pool.query("SELECT count(DISTINCT position)::int AS count FROM tasks");
    expect(rows[0].count).toBe(10);
  });
});
