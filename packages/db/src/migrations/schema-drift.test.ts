import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { newDataDir } from "../embedded/test-kit/data-dirs.ts";
import { query } from "../embedded/test-kit/queries.ts";
import { newMigrationsDir } from "./migrations-dir.fixture.ts";
import { writeMigration } from "./new-migration.ts";
import { findSchemaDrift } from "./schema-drift.ts";

const TABLE = `
  CREATE EXTENSION pg_trgm;
  CREATE TABLE notes (id int CONSTRAINT notes_pkey PRIMARY KEY, body text NOT NULL);
  CREATE INDEX notes_body_idx ON notes USING gin (body gin_trgm_ops);`;

/** The drift between one migration's SQL and a schema with one table, with additional lines for its model. */
async function driftOf(sql: string, modelLines = ""): Promise<string | undefined> {
  const schemaPath = join(await newDataDir(), "schema.prisma");
  await writeFile(
    schemaPath,
    `generator client {
       provider = "prisma-client"
       output   = "../src/generated"
     }
     datasource db {
       provider = "postgresql"
     }
     model Note {
       id   Int    @id
       body String
       ${modelLines}
       @@index([body(ops: raw("gin_trgm_ops"))], type: Gin)
       @@map("notes")
     }`,
  );
  const migrationsDir = await newMigrationsDir({ "1_notes": sql });
  return findSchemaDrift({ server: inject("testCluster"), migrationsDir, schemaPath });
}

describe("findSchemaDrift", () => {
  it("finds no drift between the committed migrations and the schema", async () => {
    expect(await findSchemaDrift({ server: inject("testCluster") })).toBeUndefined();
  });

  it("finds nothing if the migrations match the schema", async () => {
    expect(await driftOf(TABLE)).toBeUndefined();
  });

  it("finds what the migrations lack, as SQL", async () => {
    const drift = await driftOf(TABLE, "title String?\n@@index([title])");
    expect(drift).toContain('ALTER TABLE "notes" ADD COLUMN     "title" TEXT');
    expect(drift).toContain('CREATE INDEX "notes_title_idx" ON "notes"("title")');
  });

  it("finds what the schema lacks", async () => {
    expect(await driftOf(`${TABLE} ALTER TABLE notes ADD COLUMN lost text;`)).toContain('DROP COLUMN "lost"');
    expect(await driftOf(`${TABLE} CREATE INDEX lost ON notes (body);`)).toContain('DROP INDEX "lost"');
  });

  it.each([
    ["a partial index", "CREATE INDEX open ON notes (id) WHERE body <> ''"],
    ["a partial unique index", "CREATE UNIQUE INDEX open ON notes (body) WHERE body <> ''"],
    ["an expression index", "CREATE INDEX folded ON notes (lower(body))"],
    ["a check", "ALTER TABLE notes ADD CONSTRAINT filled CHECK (body <> '')"],
    ["a view", "CREATE VIEW filled AS SELECT id FROM notes WHERE body <> ''"],
    [
      "a trigger",
      `CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END; $$;
       CREATE TRIGGER touch BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION touch()`,
    ],
  ])("leaves %s, which Prisma has no words for, alone", async (_what, sql) => {
    expect(await driftOf(`${TABLE} ${sql};`)).toBeUndefined();
  });

  it("leaves no database behind", async () => {
    await driftOf(TABLE);
    await expect(driftOf("SELECT 1 / 0;")).rejects.toThrow(/division by zero/);
    const databases = "SELECT datname FROM pg_database WHERE datname LIKE 'schema_drift%'";
    expect(await query(inject("testCluster"), databases)).toEqual([]);
  });
});

describe("writeMigration", () => {
  it("names a migration after its time and its title, so that they are applied in the order of their times", async () => {
    const dir = await newDataDir();
    const createdAt = new Date("2026-01-02T03:04:05.678Z");
    const name = await writeMigration(join(dir, "new"), { title: "Add notes, at last!", sql: TABLE, createdAt });
    expect(name).toBe("20260102030405_add_notes_at_last");
  });

  it("refuses a name that is taken or has no letters", async () => {
    const dir = await newDataDir();
    const migration = { title: "notes", sql: "", createdAt: new Date(0) };
    await writeMigration(dir, migration);
    await expect(writeMigration(dir, migration)).rejects.toMatchObject({ code: "EEXIST" });
    await expect(writeMigration(dir, { ...migration, title: "…" })).rejects.toThrow(/letters or digits/);
  });
});
