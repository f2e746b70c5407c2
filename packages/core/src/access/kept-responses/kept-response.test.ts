import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { deriveEncryptionKey } from "../secrets/secret-box.ts";
import { createKeptResponseService } from "./kept-response.service.ts";

let database: TestDatabase;
let deps: TestDeps;
beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db);
});
afterAll(() => database.close());

async function createKey(): Promise<string> {
  const id = deps.ids();
  await deps.db.pool.query(
    `WITH creator AS (INSERT INTO users (id, name, email, updated_at) VALUES ($1::uuid, 'Ada', $1::text, now()) RETURNING id)
     INSERT INTO api_keys (id, name, key_hash, hint, scopes, creator_id, created_at)
     SELECT $1::uuid, 'k', $1::text, 'h', '{}', id, now() FROM creator`,
    [id],
  );
  return id;
}

test("forgets requests that are a day old, and the oldest above a number or a size of each key", async () => {
  const key = deriveEncryptionKey("test");
  const keys = {
    newest: key,
    find: () => key,
    canReplace: false,
    hasOlder: false,
    save: async () => undefined,
    addNew: async () => undefined,
    dropOlder: async () => undefined,
  };
  const service = createKeptResponseService({ ...deps, keys, processes: { processId: deps.ids() } });
  const [many, large, other] = [await createKey(), await createKey(), await createKey()];
  const put = (
    apiKeyId: string,
    name: string,
    { age, count = 1, characters = 1 }: { age: string; count?: number; characters?: number },
  ) =>
    deps.db.pool.query(
      `INSERT INTO kept_responses (api_key_id, idempotency_key, request_hash, status, body, created_at)
       SELECT $1, $2 || n, 'h', 200, repeat('x', $4), $5::timestamptz - $3::interval FROM generate_series(1, $6) AS n`,
      [apiKeyId, name, age, characters, deps.clock.now(), count],
    );
  await put(many, "old ", { age: "1 minute", count: 5 });
  await put(many, "new ", { age: "1 second", count: 9_998 });
  await put(large, "old ", { age: "1 minute", characters: 250_000 });
  await put(large, "new ", { age: "1 second", characters: 250_000, count: 134 });
  await put(other, "yesterday ", { age: "24 hours" });
  await put(other, "today ", { age: "23 hours 59 minutes" });
  await service.deleteOld();
  const { rows } = await deps.db.pool.query(
    "SELECT api_key_id, split_part(idempotency_key, ' ', 1) AS name, count(*) FROM kept_responses GROUP BY 1, 2 ORDER BY 1, 2",
  );
  expect(rows.map(({ api_key_id: id, name, count }) => [id, name, Number(count)])).toEqual([
    [many, "new", 9_998],
    [many, "old", 2],
    [large, "new", 134],
    [other, "today", 1],
  ]);
});
