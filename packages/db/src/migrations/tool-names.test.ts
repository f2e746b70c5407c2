import { expect, it } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { createEmptyDatabase } from "./empty-database.fixture.ts";
import { migrate } from "./migrate.ts";
import { newMigrationsDirBefore } from "./migrations-dir.fixture.ts";

it("gives agents the tools that they had under the new names, in their order, and changes nothing else", async () => {
  const database = await createEmptyDatabase();
  await migrate(database, { log: SILENT_LOG, migrationsDir: await newMigrationsDirBefore("_tool_names") });
  await query(
    database,
    `INSERT INTO users (id, name, email, updated_at)
       VALUES ('00000000-0000-7000-8000-000000000001', 'Ada', 'ada@example.com', now());
     INSERT INTO agents (id, name, schedule, prompt, tools, restricts_tools, scheduled_since, creator_id, created_at, updated_at)
       SELECT gen_random_uuid(), name, '0 9 * * *', 'Tidy up.', tools, restricts, now(),
              '00000000-0000-7000-8000-000000000001', now(), now()
       FROM (VALUES ('all', '{}'::text[], false),
                    ('kept', '{http_request}', true),
                    ('list', '{write_file,http_request,list_tasks,store_memory}', true),
                    ('none', '{}', true)) AS before (name, tools, restricts)`,
  );

  await migrate(database, { log: SILENT_LOG });

  expect(await query(database, "SELECT name, tools, restricts_tools, version FROM agents ORDER BY name")).toEqual([
    { name: "all", tools: [], restricts_tools: false, version: 1 },
    { name: "kept", tools: ["http_request"], restricts_tools: true, version: 1 },
    {
      name: "list",
      tools: ["fs_write", "http_request", "tasks_list", "memory_store"],
      restricts_tools: true,
      version: 1,
    },
    { name: "none", tools: [], restricts_tools: true, version: 1 },
  ]);
});
