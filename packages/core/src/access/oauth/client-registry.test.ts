import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { TooManyRequestsError } from "../../platform/errors.ts";
import { createClientRegistry } from "./client-registry.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("programs that nobody gives access keep others out for half an hour at most, and are forgotten after a day", async () => {
  const deps = createTestDeps(database.db, "2026-11-27T12:00:00Z");
  const registry = createClientRegistry(deps);
  const register = () => registry.registerClient("A program", ["http://localhost/callback"]);
  const approved = await register();
  await database.db.pool.query("UPDATE oauth_clients SET approved_at = now() WHERE id = $1", [approved.id]);
  const first = await register();
  deps.clock.set("2026-11-27T12:10:00Z");
  await database.db.pool.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, created_at)
     SELECT gen_random_uuid(), 'Flood', ARRAY['https://flood.example/'], $1 FROM generate_series(1, 998)`,
    [deps.clock.now()],
  );
  const last = await register();
  deps.clock.set("2026-11-27T12:29:00Z");
  await expect(register()).rejects.toThrow(TooManyRequestsError);
  expect(await registry.findClient(first.id)).not.toBeNull();
  deps.clock.set("2026-11-27T12:31:00Z");
  const next = await register();
  expect(await registry.findClient(first.id)).toBeNull();
  expect(await registry.findClient(last.id)).not.toBeNull();
  await database.db.pool.query("DELETE FROM oauth_clients WHERE name = 'Flood'");
  deps.clock.set("2026-11-28T12:11:00Z");
  await register();
  expect(await registry.findClient(last.id)).toBeNull();
  expect(await registry.findClient(next.id)).not.toBeNull();
  expect(await registry.findClient(approved.id)).not.toBeNull();
});
