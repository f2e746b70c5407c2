import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolConfig } from "pg";
import { PrismaClient } from "./generated/client.ts";
import type { Log } from "./log.ts";
import { withSessionOptions } from "./session-options.ts";
import { TYPE_PARSERS } from "./type-parsers.ts";

/** One database, through two doors that share their connections. */
export interface Db {
  /**
   * For SQL: hot reads, and what Prisma cannot say. Times come as ISO 8601 strings in UTC with milliseconds, dates as
   * `YYYY-MM-DD`, int8 as number or bigint (see `parseInt8`), numeric as number, JSON parsed.
   */
  readonly pool: Pool;
  /** For writes and rare reads. */
  readonly prisma: PrismaClient;
  /** Waits for what is under way and closes all connections. Idempotent. */
  close(): Promise<void>;
}

const POOL_DEFAULTS = {
  max: 16,
  // How long a request may wait for a connection, be it free or new, before it is answered with 503.
  connectionTimeoutMillis: 4000,
  // Every connection is a process of PostgreSQL, with memory of its own.
  idleTimeoutMillis: 30_000,
} as const;

/**
 * Opens a database. Does not connect yet, so it cannot fail; queries reject while the database is away (see
 * `isDatabaseUnavailable`) and work again when it is back.
 */
export function createDb(poolConfig: PoolConfig, { log }: { log: Log }): Db {
  const pool = new Pool({ ...POOL_DEFAULTS, ...withSessionOptions(poolConfig), types: TYPE_PARSERS });
  pool.on("error", (error) => log.warn({ reason: error.message }, "an idle database connection was lost"));
  // Without a listener, a connection that breaks while it is checked out but not in a query would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" });
  const close = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
  };
  let closed: Promise<void> | undefined;
  return { pool, prisma, close: () => (closed ??= close()) };
}
