import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { spawnScript } from "../embedded/test-kit/script-process.ts";
import { eventually } from "../embedded/test-kit/processes.ts";
import { query } from "../embedded/test-kit/queries.ts";
import { createTestDatabase } from "./test-database.ts";

describe("createTestDatabase", () => {
  it("gives every test a migrated database of its own", async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close()]);
    });
    await one.db.pool.query("CREATE TABLE mine ()");
    expect((await one.db.pool.query("SELECT to_regclass('mine')::text AS name")).rows).toEqual([{ name: "mine" }]);
    expect((await other.db.pool.query("SELECT to_regclass('mine') AS name")).rows).toEqual([{ name: null }]);
    expect((await other.db.pool.query("SELECT count(*) > 0 AS migrated FROM _prisma_migrations")).rows).toEqual([
      { migrated: true },
    ]);
  });

  it("leaves no database behind, even if a client is still connected", async () => {
    const database = await createTestDatabase();
    const straggler = query(database.poolConfig, "SELECT pg_sleep(60)").catch(() => "thrown out");
    await eventually(async () => {
      const activity =
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND datname = current_database()";
      return (await database.db.pool.query(activity)).rowCount === 1;
    });
    await Promise.all([database.close(), database.close()]);
    expect(await straggler).toBe("thrown out");
    const left = `SELECT 1 FROM pg_database WHERE datname = '${database.poolConfig.database ?? ""}'`;
    expect(await query({ ...database.poolConfig, database: "postgres" }, left)).toEqual([]);
  });
});

describe("a test run that is killed", () => {
  it("leaves neither a server nor a folder behind", async () => {
    const run = spawnScript("test-run.fixture.ts", import.meta.url);
    const socketDir = await run.readFirstLine();
    const folder = dirname(socketDir);
    expect(existsSync(folder)).toBe(true);
    await run.kill();
    await eventually(() => !existsSync(folder));
    await expect(query({ host: socketDir, user: "workspace" }, "SELECT 1")).rejects.toThrow(/ENOENT/);
  });
});
