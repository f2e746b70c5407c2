import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskService, type TaskService } from "./task.service.ts";

let database: TestDatabase;
let tasks: TaskService;
let ada: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  tasks = createTaskService({ ...createTestDeps(database.db), timeZone: "UTC" });
  const userId = v7();
  const { pool } = database.db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  ada = { kind: "person", userId, name: "Ada" };
});
afterAll(() => database.close());

it("lists deleted tasks alone, in pages, with the other filters", async () => {
  for (const title of ["kept", "gone 1", "gone 2"]) {
    const { id } = await tasks.create({ title }, ada);
    if (title !== "kept") await tasks.delete({ id }, ada);
  }
  const first = await tasks.list({ onlyDeleted: true, limit: 1 });
  expect(first.items).toMatchObject([{ title: "gone 2" }]);
  const second = await tasks.list({ onlyDeleted: true, limit: 1, cursor: first.nextCursor });
  expect(second.items).toMatchObject([{ title: "gone 1" }]);
  expect(second.nextCursor).toBeUndefined();
  expect((await tasks.list({ onlyDeleted: true, includeDeleted: true })).items).toHaveLength(2);
  expect((await tasks.list({ onlyDeleted: true, status: ["done"] })).items).toEqual([]);
  expect((await tasks.list({ onlyDeleted: false })).items).toMatchObject([{ title: "kept" }]);
});
