import { expect, it } from "vitest";
import { readCommittedMigrations } from "./migrations-dir.fixture.ts";
import { findTransactionControl } from "./transaction-control.ts";

it.each([
  "BEGIN",
  "CREATE TABLE a (); commit; CREATE TABLE b ()",
  "start\n transaction",
  "-- one\nEND -- two\n",
  "SELECT 'BEGIN;'; /* ; */ ROLLBACK",
  "SAVEPOINT here",
])("finds what begins or ends a transaction in: %s", (sql) => {
  expect(findTransactionControl(sql)).toBeDefined();
});

it.each([
  "",
  "SELECT 'a; COMMIT;', \"b; END;\"",
  "-- ; COMMIT;\nSELECT 1; /* ; ROLLBACK; */",
  "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN; RETURN NULL; END; $body$",
  "DO $$ BEGIN PERFORM 1; END $$",
  "ALTER TABLE begin RENAME TO commit",
])("leaves alone what only looks like it in: %s", (sql) => {
  expect(findTransactionControl(sql)).toBeUndefined();
});

it("finds nothing in the committed migrations", async () => {
  const found = (await readCommittedMigrations()).filter(({ sql }) => findTransactionControl(sql) !== undefined);
  expect(found.map(({ name }) => name)).toEqual([]);
});
