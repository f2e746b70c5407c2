import type { ClientConfig } from "pg";
import { expect, it } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { createEmptyDatabase } from "./empty-database.fixture.ts";
import { fillTables } from "./fill-tables.fixture.ts";
import { migrate } from "./migrate.ts";
import {
  newMigrationsDir,
  newMigrationsDirBefore,
  putMigrations,
  readCommittedMigrations,
} from "./migrations-dir.fixture.ts";

/** How many rows each table has. */
async function countRows(database: ClientConfig): Promise<Record<string, number>> {
  const rows = await query<{ table: string; count: number }>(
    database,
    `SELECT table_name AS "table",
            (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', table_name), false, true, '')))[1]
              ::text::int AS "count"
       FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'`,
  );
  return Object.fromEntries(rows.map(({ table, count }) => [table, count]));
}

// The work grows with the number of migrations.
it(
  "every migration applies to a database with rows in all of its tables, and keeps them",
  { timeout: 120_000 },
  async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({});
    let before: Record<string, number> = {};
    for (const [round, { name, sql }] of (await readCommittedMigrations()).entries()) {
      await putMigrations(migrationsDir, { [name]: sql });
      expect(await migrate(database, { log: SILENT_LOG, migrationsDir })).toEqual([name]);
      const after = await countRows(database);
      // A dropped table's rows were dropped on purpose.
      const expected = Object.entries(before).filter(([table]) => table in after);
      expect({ name, ...after }).toMatchObject({ name, ...Object.fromEntries(expected) });
      await fillTables(database, round);
      before = await countRows(database);
    }
  },
);

it("the rows of the first tables have all columns that were added later", async () => {
  const database = await createEmptyDatabase();
  await migrate(database, { log: SILENT_LOG, migrationsDir: await newMigrationsDirBefore("_realtime_and_spending") });
  await query(
    database,
    `INSERT INTO users (id, name, email, updated_at)
       VALUES ('00000000-0000-7000-8000-000000000001', 'Ada', 'ada@example.com', now());
     INSERT INTO documents (id, title, path, file_type, creator_id, content_hash, size_bytes, content, mtime_ns, inode,
                            created_at, modified_at, search_text)
       SELECT gen_random_uuid(), path, path, 'markdown', '00000000-0000-7000-8000-000000000001', 'hash', 1, content, 1, 1,
              now(), now(), path
       FROM (VALUES ('Reading List.md', 'Books'), ('Trips/Portugal/Lisbon.MD', NULL)) AS notes (path, content);
     INSERT INTO conversations (id, session_id, title, started_at, creator_id)
       VALUES ('00000000-0000-7000-8000-000000000002', 's', 'Talk', now(), '00000000-0000-7000-8000-000000000001');
     INSERT INTO messages (id, conversation_id, role, content, created_at)
       VALUES (gen_random_uuid(), '00000000-0000-7000-8000-000000000002', 'assistant',
               '[{"type":"text","text":"Hello"},{"type":"tool_use","name":"x"},{"type":"text","text":"Again"}]', now());
     INSERT INTO credit_entries (id, delta, balance_after, reason, created_at)
       VALUES (gen_random_uuid(), 10, 10, 'whatever', now()), (gen_random_uuid(), -3, 7, 'whatever', now());
     INSERT INTO memory_extractions (id, transcript_hash, created_at) VALUES (gen_random_uuid(), 'abc', now())`,
  );
  await migrate(database, { log: SILENT_LOG });
  expect(
    await query(
      database,
      `SELECT path, directory, link_name, t.content_hash, t.content, t.search_text
         FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id ORDER BY path`,
    ),
  ).toEqual([
    {
      path: "Reading List.md",
      directory: "",
      link_name: "reading list",
      content_hash: "",
      content: "Books",
      search_text: "books",
    },
    {
      path: "Trips/Portugal/Lisbon.MD",
      directory: "Trips/Portugal",
      link_name: "lisbon",
      content_hash: null,
      content: null,
      search_text: null,
    },
  ]);
  expect(await query(database, "SELECT after_seq, search_text FROM messages")).toEqual([
    { after_seq: 0, search_text: "hello again" },
  ]);
  expect(await query(database, "SELECT delta, reason FROM credit_entries ORDER BY delta")).toEqual([
    { delta: -3, reason: "ask" },
    { delta: 10, reason: "grant" },
  ]);
  expect(await query(database, "SELECT window_hash FROM memory_extractions")).toEqual([{ window_hash: "abc" }]);
});
