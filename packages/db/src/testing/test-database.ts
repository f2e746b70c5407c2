import { randomUUID } from "node:crypto";
import { Client, escapeIdentifier, type PoolConfig } from "pg";
import { inject } from "vitest";
import { createDb, type Db } from "../db.ts";
import type { Log } from "../log.ts";
import { SILENT_LOG, type TestClusterAddress } from "./test-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Provided by `setUpTestCluster`. */
    testCluster: TestClusterAddress;
  }
}

/** A database for a single test. */
export interface TestDatabase {
  readonly db: Db;
  /** For additional pools, listeners and processes on the same database. */
  readonly poolConfig: PoolConfig;
  /** For the DATABASE_URL of a server. */
  readonly url: string;
  /** Closes `db` and drops the database, even if there are other connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a copy of the migrated template database, in about 30 ms. Any number may be created concurrently.
 * Rejects if the project's vitest configuration does not use `setUpTestCluster` as its global set-up.
 */
export async function createTestDatabase({ log = SILENT_LOG }: { log?: Log } = {}): Promise<TestDatabase> {
  const address = inject("testCluster");
  const name = `test_${randomUUID()}`;
  await asAdministrator(address, (client) =>
    client.query(
      `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(address.database)} STRATEGY file_copy`,
    ),
  );
  const poolConfig: PoolConfig = { ...address, database: name };
  const db = createDb(poolConfig, { log });
  const close = async (): Promise<void> => {
    await db.close();
    await asAdministrator(address, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`),
    );
  };
  let closed: Promise<void> | undefined;
  return { db, poolConfig, url: toUrl(poolConfig), close: () => (closed ??= close()) };
}

/** The URL of a database behind a Unix socket. */
function toUrl({ user = "", host = "", port = 0, database = "" }: PoolConfig): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Connects to another database than the template, which cannot be copied while anyone is connected to it. */
async function asAdministrator(address: TestClusterAddress, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ ...address, database: "postgres" });
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
