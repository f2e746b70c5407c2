import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { errorMessage } from "./system-error.ts";
import { SessionClient } from "./session-client.ts";

/** The first PostgreSQL with `date_bin`, which the statistics use. */
const MINIMUM_VERSION = 14;
const RETRY_MS = 1_000;

/** A database server that cannot be used. The message is one sentence for the person who started the service. */
export class DatabaseServerError extends Error {
  override readonly name = "DatabaseServerError";
}

export interface AwaitServerOptions {
  /** Called once, with a sentence for the user, if the server is not available yet. */
  readonly onWaiting: (message: string) => void;
  /** How long to wait for it. */
  readonly timeoutMs?: number;
  /** What has named the server, for whoever has to correct it; default: DATABASE_URL. */
  readonly setting?: string;
}

/**
 * Waits until a server accepts connections, and checks that it meets the service's requirements before anything is changed in it.
 * Throws {@link DatabaseServerError}, which never contains a password.
 */
export async function awaitServer(config: ClientConfig, options: AwaitServerOptions): Promise<void> {
  const { onWaiting, timeoutMs = 60_000, setting = "DATABASE_URL" } = options;
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const client = new SessionClient({ connectionTimeoutMillis: 5_000, query_timeout: 10_000, ...config });
    client.on("error", () => {});
    const place = `${client.host}:${client.port}`;
    try {
      await client.connect();
      await assertFit(client, place);
      if (client.isPooled) await assertSessionPooling(client, config, place);
      return;
    } catch (error) {
      if (error instanceof DatabaseServerError) throw error;
      if (!isDatabaseUnavailable(error)) throw refusal(error, place, setting);
      if (performance.now() > deadline) {
        throw new DatabaseServerError(
          `The database at ${place} could not be reached for ${Math.round(timeoutMs / 1000)} seconds ` +
            `(${errorMessage(error)}); start it, or correct ${setting}.`,
          { cause: error },
        );
      }
      if (attempt === 1) onWaiting(`Waiting for the database at ${place} …`);
      await sleep(RETRY_MS);
    } finally {
      void client.end().catch(() => {});
    }
  }
}

function refusal(error: unknown, place: string, setting: string): DatabaseServerError {
  return new DatabaseServerError(
    `The database at ${place} refuses the connection that ${setting} describes: ${errorMessage(error)}.`,
    { cause: error },
  );
}

const EXTENSIONS = ["pg_trgm", "fuzzystrmatch"];

interface ServerFacts {
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly hasIcu: boolean;
  readonly unavailable: readonly string[];
  readonly forbidden: readonly string[];
}

async function assertFit(client: Client, place: string): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `WITH required AS (SELECT name FROM unnest($1::text[]) AS name)
    SELECT current_setting('server_version_num')::int AS "versionNumber", current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu",
      ARRAY(SELECT name FROM required WHERE name NOT IN (SELECT name FROM pg_available_extensions)) AS unavailable,
      ARRAY(
        SELECT name FROM required
        WHERE NOT has_database_privilege(current_database(), 'CREATE') AND name NOT IN (SELECT extname FROM pg_extension)
      ) AS forbidden`,
    [EXTENSIONS],
  );
  const [facts] = rows;
  if (facts === undefined) throw new DatabaseServerError(`The server at ${place} is not PostgreSQL.`);
  const missing = missingOf(facts);
  if (missing.length > 0)
    throw new DatabaseServerError(`The database at ${place} cannot be used: ${missing.join("; ")}.`);
}

/** How often to look whether an idle connection is given to another client; one in between may have taken it. */
const POOLING_CHECKS = 5;

/**
 * Refuses a pooler that gives the server's connections to clients for single transactions: sessions would lose their settings, their
 * locks and what they listen to. While one client is idle, such a pooler gives its connection to the next one.
 */
async function assertSessionPooling(client: Client, config: ClientConfig, place: string): Promise<void> {
  for (let check = 0; check < POOLING_CHECKS; check += 1) {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const other = new SessionClient({ connectionTimeoutMillis: 5_000, query_timeout: 10_000, ...config });
    other.on("error", () => {});
    try {
      await other.connect();
      if (other.backendPid !== rows[0]?.pid) continue;
    } finally {
      await other.end();
    }
    throw new DatabaseServerError(
      `The database at ${place} is behind a connection pooler that changes connections after each transaction; use its session ` +
        "mode (in PgBouncer, pool_mode = session), or PostgreSQL's own address in DATABASE_URL.",
    );
  }
}

/** The requirements that a server does not meet, each as the end of a sentence. */
function missingOf(facts: ServerFacts): string[] {
  const { versionNumber, version, encoding, hasIcu, unavailable, forbidden } = facts;
  const isTooOld = versionNumber < MINIMUM_VERSION * 10_000;
  return [
    ...(isTooOld ? [`PostgreSQL ${MINIMUM_VERSION} or later is required, but it is ${version}`] : []),
    ...(encoding === "UTF8" ? [] : [`its encoding must be UTF8, but it is ${encoding}`]),
    ...(hasIcu ? [] : ["it was built without ICU, which is required to sort names"]),
    ...unavailable.map(
      (name) => `the extension ${name} is not installed on the server (Debian has it in postgresql-contrib)`,
    ),
    ...(forbidden.length === 0
      ? []
      : [`its user may not create the extensions ${forbidden.join(", ")}, which requires CREATE on the database`]),
  ];
}
