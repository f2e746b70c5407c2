import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { mergePendingIndexEntries } from "./index-upkeep.queries.ts";

test("leaves no pending entries in any index", async () => {
  const { db, close } = await createTestDatabase();
  onTestFinished(close);
  await db.pool.query(`CREATE TABLE notes (words text[]); CREATE INDEX notes_words_idx ON notes USING gin (words)`);
  const insert = () => db.pool.query("INSERT INTO notes VALUES (ARRAY['one', 'two'])");
  /** How many pages of entries there were. */
  const pendingPages = async () => {
    const { rows } = await db.pool.query("SELECT gin_clean_pending_list('notes_words_idx')::int AS pages");
    return rows[0].pages;
  };
  await insert();
  expect(await pendingPages()).toBe(1);
  await insert();
  await mergePendingIndexEntries(db.pool);
  expect(await pendingPages()).toBe(0);
});
