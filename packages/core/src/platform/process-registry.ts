import type { Db } from "@workspace/db";
import type { Clock } from "./clock.ts";
import { isUuid, type IdGenerator } from "./ids.ts";
import type { Logger } from "./logger.ts";
import { repeat, type Closable } from "./repeat.ts";

/** Ends sessions by their names, except where a registered process, or the one that asks, goes by the same name. */
const END_SESSIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name = ANY($1::text[])
    AND application_name <> current_setting('application_name')
    AND application_name NOT IN (SELECT session_name FROM server_processes WHERE session_name IS NOT NULL)`;

/** How often a process renews its lease, and looks for others whose lease has run out, within the time of one lease. */
const RENEWALS_PER_LEASE = 6;

/**
 * Which server processes are alive, known to all of them through the database and by its clock. What a process works on
 * carries the process's id; when the id is no longer registered, others may end that work, and never before.
 */
export interface ProcessRegistry extends Closable {
  /** How often to look for processes that have died. */
  readonly checkEveryMs: number;
  /** This process, until it was silent for too long: then it is counted as dead and goes on under another id. */
  readonly processId: string;
  /** Names this process's unfinished files in the vault; the same for as long as the process runs. */
  readonly writerId: string;
  /** Registers this process and keeps it registered. Comes before any work that others may take over. */
  start(): Promise<void>;
  /** Calls back when others may have ended this process's work, so that it must stop it. */
  onLost(handler: () => void): void;
  /** Whether no other process is alive. */
  isAlone(): Promise<boolean>;
  /** Whether there are other processes that have been silent for too long. */
  hasDead(): Promise<boolean>;
  /**
   * Takes them off the register and ends their database sessions: a frozen process would keep its locks for as long as it
   * is frozen, and could commit when it goes on.
   */
  removeDead(): Promise<void>;
  /** Of the ids of writers, those whose processes are registered. */
  findLivingWriters(writerIds: readonly string[]): Promise<Set<string>>;
}

/** Work that counts as abandoned: that of processes which are no longer registered, and what this one has lost track of. */
export interface AbandonedWork {
  readonly processId: string;
  /** What this process has under way. */
  readonly activeIds: readonly string[];
  /** What it began before this and has not under way, it has lost. */
  readonly lostBefore: Date;
}

export interface ProcessRegistryOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  /** How long a process counts as alive after its last word. */
  readonly leaseMs: number;
}

export function createProcessRegistry({ db, clock, ids, logger, leaseMs }: ProcessRegistryOptions): ProcessRegistry {
  const renewEveryMs = leaseMs / RENEWALS_PER_LEASE;
  const lostHandlers = new Set<() => void>();
  const writerId = ids();
  let processId = ids();
  /** By this process's own count: past it, others may have taken it for dead. */
  let validUntilMs = 0;
  let renewing: Closable | undefined;

  async function register(): Promise<void> {
    const askedAtMs = performance.now();
    await db.pool.query(
      `INSERT INTO server_processes (id, started_at, lease_expires_at, writer_id, session_name)
       VALUES ($1, $2, now() + $3 * interval '1 ms', $4, current_setting('application_name'))`,
      [processId, clock.now(), leaseMs, writerId],
    );
    validUntilMs = askedAtMs + leaseMs;
  }

  async function renew(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      const { rowCount } = await db.pool.query(
        `UPDATE server_processes SET lease_expires_at = now() + $2 * interval '1 ms' WHERE id = $1`,
        [processId, leaseMs],
      );
      if (rowCount === 1) validUntilMs = askedAtMs + leaseMs;
      else await beginAnew();
    } catch (error) {
      logger.warn({ err: error }, "this server process could not renew its registration");
      if (performance.now() > validUntilMs) tellLost();
    }
  }

  async function beginAnew(): Promise<void> {
    logger.warn({ processId }, "this server process was taken for dead by the others; it stops what it was doing");
    processId = ids();
    tellLost();
    await register();
  }

  function tellLost(): void {
    for (const handler of lostHandlers) handler();
  }

  return {
    get processId() {
      return processId;
    },
    async start() {
      await register();
      const onError = (error: unknown) =>
        logger.error({ err: error }, "this server process could not be registered anew");
      renewing = repeat(renew, { everyMs: renewEveryMs, onError });
    },
    writerId,
    checkEveryMs: renewEveryMs,
    onLost: (handler) => void lostHandlers.add(handler),
    async isAlone() {
      const { rowCount } = await db.pool.query(
        "SELECT FROM server_processes WHERE id <> $1 AND lease_expires_at >= now() LIMIT 1",
        [processId],
      );
      return rowCount === 0;
    },
    async hasDead() {
      const { rowCount } = await db.pool.query(
        "SELECT FROM server_processes WHERE lease_expires_at < now() AND id <> $1",
        [processId],
      );
      return rowCount !== 0;
    },
    async removeDead() {
      const { rows } = await db.pool.query<{ id: string; sessionName: string | null }>(
        `DELETE FROM server_processes WHERE lease_expires_at < now() AND id <> $1
         RETURNING id, session_name AS "sessionName"`,
        [processId],
      );
      if (rows.length === 0) return;
      const sessionNames = rows.map(({ sessionName }) => sessionName).filter((name) => name !== null);
      const { rowCount } = await db.pool.query(END_SESSIONS, [sessionNames]);
      const processIds = rows.map(({ id }) => id);
      logger.warn({ processIds, endedSessions: rowCount }, "server processes whose leases ran out were removed");
    },
    async findLivingWriters(writerIds) {
      const { rows } = await db.pool.query<{ writerId: string }>(
        `SELECT writer_id AS "writerId" FROM server_processes WHERE writer_id = ANY($1::uuid[])`,
        [writerIds.filter(isUuid)],
      );
      return new Set(rows.map((row) => row.writerId));
    },
    async close() {
      await renewing?.close();
      await db.pool.query("DELETE FROM server_processes WHERE id = $1", [processId]);
    },
  };
}
