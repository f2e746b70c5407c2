import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { runProgram } from "../../run-program.ts";
import { SILENT_LOG } from "../../testing/test-cluster.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from "../embedded-postgres.ts";
import { query } from "./queries.ts";
import { USED_DATA_DIR } from "./test-folder.ts";

/** An empty data directory that is removed after the test. */
export async function newDataDir(): Promise<string> {
  const dir = await mkdtemp(join(inject("testFolder"), "data-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return dir;
}

/** A data directory whose server was shut down cleanly; removed after the test. */
export async function newUsedDataDir(): Promise<string> {
  const dir = await newDataDir();
  const { exitCode, stderr } = await runProgram("cp", [
    "-a",
    join(inject("testFolder"), USED_DATA_DIR, "postgres"),
    dir,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return dir;
}

/** Starts a server that is closed after the test, before its data directory is removed. */
export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG, ...options });
  onTestFinished(() => embedded.close());
  return embedded;
}

/** Fails the test unless a server starts and still has what {@link newUsedDataDir} put there. */
export async function expectToStartWithItsData(dataDir: string): Promise<void> {
  const embedded = await start(dataDir);
  expect(await query(embedded.poolConfig, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await embedded.close();
}
