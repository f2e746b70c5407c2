import type { Db } from "@workspace/db";
import type { Clock } from "./clock.ts";
import type { IdGenerator } from "./ids.ts";
import type { Logger } from "./logger.ts";
import { repeat, type Closable } from "./repeat.ts";

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
  /** Registers this process and keeps it registered. */
  start(): Promise<void>;
  /** Calls back when others may have ended this process's work, so that it must stop it. */
  onLost(handler: () => void): void;
  /** Whether no other process is alive. */
  isAlone(): Promise<boolean>;
  /** Whether there are processes that have been silent for too long. */
  hasDead(): Promise<boolean>;
  /** Takes them off the register. */
  removeDead(): Promise<void>;
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
  let processId = ids();
  /** By this process's own count: past it, others may have taken it for dead. */
  let validUntilMs = 0;
  let renewing: Closable | undefined;

  async function register(): Promise<void> {
    const askedAtMs = performance.now();
    await db.pool.query(
      `INSERT INTO server_processes (id, started_at, lease_expires_at) VALUES ($1, $2, now() + $3 * interval '1 ms')`,
      [processId, clock.now(), leaseMs],
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
      const { rowCount } = await db.pool.query("SELECT FROM server_processes WHERE lease_expires_at < now()");
      return rowCount !== 0;
    },
    async removeDead() {
      await db.pool.query("DELETE FROM server_processes WHERE lease_expires_at < now()");
    },
    async close() {
      await renewing?.close();
      await db.pool.query("DELETE FROM server_processes WHERE id = $1", [processId]);
    },
  };
}
