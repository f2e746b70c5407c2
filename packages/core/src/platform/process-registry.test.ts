import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps } from "../../testing/test-deps.ts";
import { uuidV7 } from "./ids.ts";
import { createProcessRegistry } from "./process-registry.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a process that must be the only one takes over at once from those that were killed, and no other does", async () => {
  const deps = { ...createTestDeps(database.db, "2026-11-26T12:00:00Z"), ids: uuidV7, leaseMs: 30_000 };
  const [killed, beside, only] = [1, 2, 3].map(() => createProcessRegistry(deps));
  if (killed === undefined || beside === undefined || only === undefined) throw new Error("unreachable");
  await killed.start();
  await beside.start();
  await beside.removeDead();
  expect(await only.findLivingWriters([killed.writerId])).toEqual(new Set([killed.writerId]));
  await only.start({ isOnly: true });
  expect(await only.findLivingWriters([killed.writerId, beside.writerId, only.writerId])).toEqual(
    new Set([only.writerId]),
  );
  expect(await only.isAlone()).toBe(true);
  for (const registry of [killed, beside, only]) await registry.close();
});
