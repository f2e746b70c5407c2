import type { Pool, PoolClient, PoolConfig } from "pg";
import type { Log } from "./log.ts";
import { SessionClient } from "./session-client.ts";
import { errorCode, errorMessage } from "./system-error.ts";

/** The interval between checks, which is also the precision of the measured waits. */
const TICK_MS = 500;
/** After this many ticks without a response to a statement, the watch asks the server about it. */
const SUSPICIOUS_TICKS = 6;
/** How long the server has to accept a connection, and again to report the states of its sessions. */
const PROBE_TIMEOUT_MS = 2_000;

export interface HangWatch {
  close(): void;
}

interface Watched {
  /** The tick in which the pending statement was sent; null if there is none. */
  waitingSince: number | null;
}

/**
 * Ends connections that wait for a response that will not come, because the server hangs or the connection was lost silently.
 * Their statements fail within nine seconds, as if the database were unavailable. Statements that take long because there is much
 * to do, or because they wait for a lock, are left alone: the server is asked, over another connection, whether it is working on
 * them.
 */
export function watchForHangs(pool: Pool, config: PoolConfig, log: Log): HangWatch {
  const watched = new Map<PoolClient, Watched>();
  let now = 0;
  let isProbing = false;

  pool.on("connect", (client) => {
    const state: Watched = { waitingSince: null };
    watched.set(client, state);
    // A timer for each statement would cost more than this. A client only sends a statement once the one before has completed,
    // so it is enough to remember the last one.
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
    log.warn({ connections: stillLost.length, isServerSilent: idle === "silent" }, "the database does not respond");
    // While a statement is in progress, this closes the connection immediately.
    for (const { client } of stillLost) void client.end();
  }

  const timer = setInterval(() => {
    now += 1;
    if (isProbing) return;
    isProbing = true;
    probe()
      .catch((error: unknown) => log.warn({ reason: errorMessage(error) }, "pending statements could not be checked"))
      .finally(() => (isProbing = false));
  }, TICK_MS).unref();
  return { close: () => clearInterval(timer) };
}

function backendOf(client: PoolClient): number {
  return client instanceof SessionClient ? client.backendPid : 0;
}

/** Which of these sessions wait for their client, according to the server; `silent` if it does not respond at all. */
async function findIdleBackends(config: PoolConfig, pids: readonly number[]): Promise<Set<number> | "silent"> {
  const client = new SessionClient({
    ...config,
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
    // A response, even a refusal such as "too many connections", means that the server is alive.
    return isServerAnswer(error) ? new Set() : "silent";
  } finally {
    void client.end().catch(() => {});
  }
}

function isServerAnswer(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(errorCode(error) ?? "") && errorCode(error) !== "EPIPE";
}
