import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DataDirInUseError } from "../instance-lock.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { expectToStartWithItsData, newDataDir, newUsedDataDir, start } from "./test-kit/data-dirs.ts";
import { query } from "./test-kit/queries.ts";

describe("a new data directory", () => {
  it("gets a cluster that uses UTC and UTF-8, is durable, and has no network port", async () => {
    const { poolConfig } = await start(await newDataDir());
    const [settings] = await query(
      poolConfig,
      `SELECT current_database() AS database, current_user AS "user",
              current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding,
              current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS port`,
    );
    expect(settings).toEqual({
      database: "workspace",
      user: "workspace",
      zone: "UTC",
      encoding: "UTF8",
      fsync: "on",
      commit: "on",
      checksums: "on",
      port: "",
    });
  });

  it("extracts trigrams from any script, so that searches find text that is not English", async () => {
    const { poolConfig } = await start(await newDataDir());
    await query(poolConfig, "CREATE EXTENSION pg_trgm");
    const [{ trigrams, isFound } = {}] = await query<{ trigrams: number; isFound: boolean }>(
      poolConfig,
      `SELECT cardinality(show_trgm('проект')) AS trigrams, lower('ÄPFEL') LIKE 'äpf%' AS "isFound"`,
    );
    expect({ trigrams, isFound }).toEqual({ trigrams: 7, isFound: true });
  });

  it("is created if it is missing, inaccessible to other users", async () => {
    const dataDir = join(await newDataDir(), "not", "there");
    await start(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, "postgres"))).mode & 0o777).toBe(0o700);
  });
});

describe("a data directory that was used before", () => {
  it("still has its data after a restart", async () => {
    const dataDir = await newUsedDataDir();
    const first = await start(dataDir);
    await query(first.poolConfig, "CREATE TABLE added AS SELECT 43 AS answer");
    await first.close();
    const second = await start(dataDir);
    expect(await query(second.poolConfig, "SELECT answer FROM added")).toEqual([{ answer: 43 }]);
  });

  it("can be started even if its path is too long for a socket", async () => {
    const dataDir = join(await newUsedDataDir(), ...Array.from({ length: 4 }, () => "long".repeat(12)));
    await mkdir(dataDir, { recursive: true });
    await rename(join(dataDir, "../../../../postgres"), join(dataDir, "postgres"));
    await expectToStartWithItsData(dataDir);
  });
});

describe("a data directory in use", () => {
  it("refuses a second start and leaves the first alone", async () => {
    const dataDir = await newUsedDataDir();
    const first = await start(dataDir);
    const second = startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    await expect(second).rejects.toThrow(DataDirInUseError);
    await expect(second).rejects.toThrow(`is in use by another running service (process ${process.pid})`);
    expect(await query(first.poolConfig, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("is used by exactly one of two concurrent first starts", async () => {
    const dataDir = await newDataDir();
    const outcomes = await Promise.allSettled([start(dataDir), start(dataDir)]);
    const [failure, ...others] = outcomes.filter(({ status }) => status === "rejected");
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ reason: expect.any(DataDirInUseError) });
  });
});

describe("close", () => {
  it("ends the server, may be called twice, and releases the data directory", async () => {
    const dataDir = await newUsedDataDir();
    const embedded = await start(dataDir);
    await Promise.all([embedded.close(), embedded.close()]);
    await expect(query(embedded.poolConfig, "SELECT 1")).rejects.toMatchObject({ code: "ENOENT" });
    await expectToStartWithItsData(dataDir);
  });
});

describe("a start that cannot succeed", () => {
  it("reports the server's output, leaves nothing running and releases the data directory", async () => {
    const dataDir = await newUsedDataDir();
    const settings = { shared_buffers: "nonsense" };
    await expect(start(dataDir, { settings })).rejects.toThrow(/invalid value for parameter "shared_buffers"/);
    await expectToStartWithItsData(dataDir);
  });

  it("never touches a folder with other content", async () => {
    const dataDir = await newDataDir();
    const precious = join(dataDir, "postgres", "precious");
    await mkdir(precious, { recursive: true });
    await expect(start(dataDir)).rejects.toThrow(/is neither empty nor a PostgreSQL cluster/);
    expect((await stat(precious)).isDirectory()).toBe(true);
  });

  it("never touches a cluster of another version", async () => {
    const dataDir = await newUsedDataDir();
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
    await expect(start(dataDir)).rejects.toThrow(/was created by PostgreSQL 17, but this service includes 18/);
  });

  it("can be aborted", async () => {
    const dataDir = await newUsedDataDir();
    const giveUp = new AbortController();
    const starting = start(dataDir, { signal: giveUp.signal });
    giveUp.abort();
    await expect(starting).rejects.toMatchObject({ name: "AbortError" });
    await expectToStartWithItsData(dataDir);
  });
});
