import { Client, type Pool, type PoolClient, type PoolConfig } from "pg";
import type { Log } from "./log.ts";
import { withSessionOptions } from "./session-options.ts";
import { errorCode, errorMessage } from "./system-error.ts";

/** How often to look, which is also how exactly waits are measured. */
const TICK_MS = 500;
/** A statement that is unanswered for so many looks makes the watch ask the server how it is. */
const SUSPICIOUS_TICKS = 6;
/** How long the server has for each of: accepting a connection, and saying what its sessions do. */
const PROBE_TIMEOUT_MS = 2_000;

export interface HangWatch {
  close(): void;
}

interface Watched {
  /** The look before the statement was sent that waits for its answer; null while nothing is waited for. */
  waitingSince: number | null;
}

/**
 * Ends connections that wait for an answer which will not come: of a server that hangs, and of a connection that broke
 * without a word. Their statements fail as those of a database that is away, within nine seconds. Statements that take
 * long because there is much to do, or because they wait for a lock, are left alone: the server is asked, over another
 * connection, whether it is at work on them.
 */
export function watchForHangs(pool: Pool, config: PoolConfig, log: Log): HangWatch {
  const watched = new Map<PoolClient, Watched>();
  let now = 0;
  let isProbing = false;

  pool.on("connect", (client) => {
    const state: Watched = { waitingSince: null };
    watched.set(client, state);
    // A timer for each statement would cost more than this. A later statement of a client is only sent when the earlier one
    // was answered, so that the last one is all there is to remember.
    client.query = new Proxy(client.query, {
      apply(query, self, args) {
        state.waitingSince = now;
        return Reflect.apply(query, self, args);
      },
    });
    client.on("drain", () => (state.waitingSince = null));
  });
  pool.on("remove", (client) => void watched.delete(client));

  async function probe(): Promise<void> {
    const waiting = [...watched].flatMap(([client, { waitingSince }]) =>
      waitingSince === null ? [] : [{ client, waitingSince, pid: backendOf(client) }],
    );
    const suspects = waiting.filter(({ waitingSince }) => now - waitingSince >= SUSPICIOUS_TICKS);
    if (suspects.length === 0) return;
    const idle = await findIdleBackends(
      config,
      suspects.map(({ pid }) => pid),
    );
    const lost = idle === "silent" ? waiting : suspects.filter(({ pid }) => idle.has(pid));
    const stillLost = lost.filter(({ client, waitingSince }) => watched.get(client)?.waitingSince === waitingSince);
    if (stillLost.length === 0) return;
    log.warn({ connections: stillLost.length, isServerSilent: idle === "silent" }, "the database does not answer");
    // With a statement under way it cuts the connection at once.
    for (const { client } of stillLost) void client.end();
  }

  const timer = setInterval(() => {
    now += 1;
    if (isProbing) return;
    isProbing = true;
    probe()
      .catch((error: unknown) => log.warn({ reason: errorMessage(error) }, "waiting statements could not be checked"))
      .finally(() => (isProbing = false));
  }, TICK_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** The server's number for a connection. The library has it as a property that its types leave out. */
function backendOf(client: PoolClient): number {
  return "processID" in client && typeof client.processID === "number" ? client.processID : 0;
}

/** Which of some sessions wait for their client, as the server sees it; `silent` where it does not answer at all. */
async function findIdleBackends(config: PoolConfig, pids: readonly number[]): Promise<Set<number> | "silent"> {
  const client = new Client({
    ...withSessionOptions(config),
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND state LIKE 'idle%'",
      [pids],
    );
    return new Set(rows.map(({ pid }) => pid));
  } catch (error) {
    // An answer, even a refusal such as "too many connections", comes from a server that is awake.
    return isServerAnswer(error) ? new Set() : "silent";
  } finally {
    void client.end().catch(() => {});
  }
}

function isServerAnswer(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(errorCode(error) ?? "") && errorCode(error) !== "EPIPE";
}
