import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { limitConnections } from "./connection-limit.ts";
import { watchForHangs } from "./hang-watch.ts";
import type { Log } from "./log.ts";
import { SessionClient } from "./session-client.ts";
import { TYPE_PARSERS } from "./type-parsers.ts";

/** One database. */
export interface Db {
  /**
   * For SQL. Times come as ISO 8601 strings in UTC with milliseconds, dates as
   * `YYYY-MM-DD`, int8 as number or bigint (see `parseInt8`), numeric as number, JSON parsed.
   */
  readonly pool: Pool;
  /** Waits up to three seconds for queries in progress, and closes all connections. Idempotent. */
  close(): Promise<void>;
}

/** Some are in use for long while files are moved, old data is removed, or requests wait for each other's locks. */
const CONNECTIONS = { usual: 6, most: 16 } as const;

const POOL_DEFAULTS = {
  // How long a request may wait for a free or new connection before the response is 503.
  connectionTimeoutMillis: 4000,
  // Every connection is a PostgreSQL process with its own memory.
  idleTimeoutMillis: 30_000,
} as const;

/** Leaves time for the rest of a service's shutdown, which has ten seconds. */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * Opens a database. Does not connect yet, so it cannot fail; queries reject while the database is unavailable (see
 * `isDatabaseUnavailable`) and work again once it is back.
 */
export function createDb(poolConfig: PoolConfig, { log }: { log: Log }): Db {
  const pool = new Pool({ ...POOL_DEFAULTS, ...poolConfig, Client: SessionClient, types: TYPE_PARSERS });
  const clients = new Set<PoolClient>();
  let closed: Promise<void> | undefined;
  pool.on("error", (error) => {
    // A database that stops right after us ends connections that are still being closed.
    if (closed === undefined) log.warn({ reason: error.message }, "an idle database connection was lost");
  });
  pool.on("connect", (client) => {
    clients.add(client);
    // Without a listener, a connection that breaks while it is checked out but not in a query would end the process.
    client.on("error", () => {});
  });
  pool.on("remove", (client) => void clients.delete(client));
  const { max = Infinity } = poolConfig;
  const { usual, most } = CONNECTIONS;
  const limit = limitConnections(pool, { usual: Math.min(usual, max), most: Math.min(most, max) });
  const watch = watchForHangs(pool, poolConfig, log);
  const cut = (): void => {
    log.warn({ connections: clients.size }, "queries are still in progress, closing their connections");
    for (const client of clients) void client.end();
  };
  const close = (): Promise<void> => {
    limit.close();
    watch.close();
    return closeWithin(CLOSE_TIMEOUT_MS, { pool, cut });
  };
  return { pool, close: () => (closed ??= close()) };
}

/** A query that hangs, or a client that was never released, would make the pool wait forever. */
async function closeWithin(timeoutMs: number, { pool, cut }: { pool: Pool; cut: () => void }): Promise<void> {
  const ended = pool.end();
  const timeout = new AbortController();
  const timedOut = sleep(timeoutMs, true, { signal: timeout.signal }).catch(() => false);
  const isLate = await Promise.race([ended.then(() => false), timedOut]);
  timeout.abort();
  if (isLate) cut();
}
