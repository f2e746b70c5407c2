import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, NotFoundError, PreconditionFailedError } from "../../platform/errors.ts";
import { MAX_VIEWS } from "./task-view.schema.ts";
import { createTaskViewService, type TaskViewService } from "./task-view.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let views: TaskViewService;
const userId = v7();

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
  views = createTaskViewService(deps);
  await database.db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'a@x.y', now())", [
    userId,
  ]);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.pool.query("DELETE FROM task_views");
});

const create = (name: string, settings = {}) => views.create({ name, settings }, userId);
const names = async () => (await views.list({})).items.map(({ name }) => name);

it("keeps views in the order that people give them", async () => {
  const [a, b, c] = [await create("a"), await create("b"), await create("c")];
  expect(await names()).toEqual(["a", "b", "c"]);
  await views.order([c.id, a.id]);
  expect(await names()).toEqual(["c", "a", "b"]);
  await create("d");
  expect(await names()).toEqual(["c", "a", "b", "d"]);
  await expect(views.order([v7()])).rejects.toThrow(NotFoundError);
  const first = await views.list({ limit: 2 });
  const rest = await views.list({ limit: 2, cursor: first.nextCursor });
  expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(["c", "a", "b", "d"]);
  expect(b.version).toBe((await views.get(b.id)).version);
});

it("changes only what is given, of the expected version", async () => {
  const view = await create("a", { filter: "status:open", layout: "board" });
  expect(view.settings).toEqual({ filter: "status:open", layout: "board", group: "status", sort: "newest" });
  const changed = await views.update({ id: view.id, settings: { group: "due" }, expectedVersion: view.version });
  expect(changed.settings).toEqual({ ...view.settings, group: "due" });
  const late = { id: view.id, name: "late", expectedVersion: view.version };
  await expect(views.update(late)).rejects.toThrow(PreconditionFailedError);
  expect(await views.update({ id: view.id })).toEqual(changed);
});

it("restores a deleted view, until it is removed as old", async () => {
  const view = await create("a");
  await views.delete({ id: view.id });
  expect(await names()).toEqual([]);
  await expect(views.update({ id: view.id, name: "b" })).rejects.toThrow(InvalidInputError);
  await views.restore({ id: view.id });
  expect(await names()).toEqual(["a"]);
  await views.delete({ id: view.id });
  await create("b");
  await database.db.pool.query("DELETE FROM task_views WHERE deleted_at IS NOT NULL");
  await expect(views.restore({ id: view.id })).rejects.toThrow(NotFoundError);
});

it("bounds how many there are, however many are created at once", async () => {
  for (let index = 0; index < MAX_VIEWS - 5; index += 1) await create(`${index}`);
  const made = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => create(`late ${index}`)));
  expect(made.filter(({ status }) => status === "rejected")).toHaveLength(5);
  expect(await names()).toHaveLength(MAX_VIEWS);
});
