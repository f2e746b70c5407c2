import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db, PoolClient } from "@workspace/db";
import type { Logger } from "../platform/logger.ts";
import type { Closable } from "../platform/repeat.ts";

/** Any numbers that nothing else locks. */
const LEADER_LOCK = 0x6d6972726f72;
const WRITER_LOCK_SPACE = 0x76776c6b;
const RETRY_MS = 3_000;

export interface LeadershipOptions {
  readonly db: Db;
  readonly logger: Logger;
  /** This process as a writer of the vault, by whose lock the others see that it lives. */
  readonly writerId: string;
  /** Runs in one process at a time, until the signal says that this one is not it any more. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  /** Runs every few seconds while another process leads. */
  readonly standBy: () => Promise<void>;
}

/**
 * Makes one process of all on a database the one that mirrors: the one whose connection holds a lock. A process that dies
 * or loses its connection has lost the lock with it, and another takes over within seconds.
 */
export function startLeadership({ db, logger, writerId, lead, standBy }: LeadershipOptions): Closable {
  const closing = new AbortController();

  async function holdSession(client: PoolClient, lost: AbortSignal): Promise<void> {
    const isEnding = AbortSignal.any([closing.signal, lost]);
    await client.query("SELECT pg_advisory_lock_shared($1::int, $2::int)", [WRITER_LOCK_SPACE, writerKey(writerId)]);
    while (!isEnding.aborted) {
      const { rows } = await client.query<{ isLeader: boolean }>(`SELECT pg_try_advisory_lock($1) AS "isLeader"`, [
        LEADER_LOCK,
      ]);
      if (rows[0]?.isLeader === true) {
        await lead(isEnding);
        return;
      }
      await standBy();
      await pause(isEnding);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await withSession(db, holdSession).catch(reportLost);
      await pause(closing.signal);
    }
  }

  function reportLost(error: unknown): void {
    if (!closing.signal.aborted) logger.warn({ err: error }, "the vault is not mirrored; trying again");
  }

  const running = run();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}

/** Of the ids of writers, those whose processes live. */
export async function findLivingWriters(db: Db, writerIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ key: number }>(
    `SELECT objid::bigint AS key FROM pg_locks
     WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [WRITER_LOCK_SPACE],
  );
  const living = new Set(rows.map(({ key }) => key));
  return new Set(writerIds.filter((id) => living.has(writerKey(id))));
}

/** Gives work a connection of its own, and a signal that tells when the connection is lost. */
async function withSession(db: Db, work: (client: PoolClient, lost: AbortSignal) => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  const lost = new AbortController();
  const onLost = (): void => lost.abort();
  client.once("end", onLost);
  client.once("error", onLost);
  try {
    await work(client, lost.signal);
  } finally {
    client.off("end", onLost);
    client.off("error", onLost);
    // Its locks must not stay with a connection that others use.
    client.release(true);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
}

/** A positive number, as locks show them. */
function writerKey(writerId: string): number {
  return createHash("sha256").update(writerId).digest().readUInt32BE(0) >>> 1;
}
