import { expect, it } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { createEmptyDatabase } from "./empty-database.fixture.ts";
import { migrate } from "./migrate.ts";
import { newMigrationsDirBefore } from "./migrations-dir.fixture.ts";

it("keeps the tools that agents had, and gives none of them the new permission", async () => {
  const database = await createEmptyDatabase();
  const migrationsDir = await newMigrationsDirBefore("_tool_permissions");
  await migrate(database, { log: SILENT_LOG, migrationsDir });
  await query(
    database,
    `INSERT INTO users (id, name, email, updated_at)
       VALUES ('00000000-0000-7000-8000-000000000001', 'Ada', 'ada@example.com', now());
     INSERT INTO agents (id, name, schedule, prompt, tools, restricts_tools, scheduled_since, creator_id, created_at, updated_at)
       SELECT gen_random_uuid(), name, '0 9 * * *', 'Tidy up.', tools, restricts, now(),
              '00000000-0000-7000-8000-000000000001', now(), now()
       FROM (VALUES ('all', '{}'::text[], false), ('list', '{delete_file,read_file}', true), ('none', '{}', true))
         AS before (name, tools, restricts);
     INSERT INTO conversations (id, session_id, title, status, process_id, started_at, creator_id)
       VALUES (gen_random_uuid(), 'session', 'Being answered', 'streaming', gen_random_uuid(), now(),
               '00000000-0000-7000-8000-000000000001')`,
  );

  expect(await migrate(database, { log: SILENT_LOG })).toContainEqual(expect.stringMatching(/_tool_permissions$/));
  expect(
    await query(database, "SELECT name, tools, restricts_tools, allow_destructive FROM agents ORDER BY name"),
  ).toEqual([
    { name: "all", tools: [], restricts_tools: false, allow_destructive: false },
    { name: "list", tools: ["fs_delete", "fs_read"], restricts_tools: true, allow_destructive: false },
    { name: "none", tools: [], restricts_tools: true, allow_destructive: false },
  ]);
  expect(await query(database, "SELECT status, approval_id, approval_outcome FROM conversations")).toEqual([
    { status: "streaming", approval_id: null, approval_outcome: null },
  ]);
});
