import type { Deps } from "./deps.ts";
import { isUuid } from "./ids.ts";
import { repeat, type Closable } from "./repeat.ts";
import {
  deleteDeadProcesses,
  deleteProcess,
  endOtherLeases,
  endSessions,
  hasDeadProcesses,
  hasOtherProcesses,
  insertProcess,
  renewLease,
  selectLivingWriters,
} from "./server-process.queries.ts";

/** How many times per lease a process renews it, and looks for others whose lease has expired. */
const RENEWALS_PER_LEASE = 6;

/**
 * Knows which server processes are alive, through the database and by its clock. Work in progress is marked with the id of
 * its process; others may end it only once that id is no longer registered.
 */
export interface ProcessRegistry extends Closable {
  /** How often to look for dead processes. */
  readonly checkEveryMs: number;
  /** The id of this process. A process that loses its registration continues under a new id. */
  readonly processId: string;
  /** Identifies this process's unfinished files in the vault; never changes while the process runs. */
  readonly writerId: string;
  /**
   * Registers this process and keeps it registered. To be called before any work that others may take over. If it is the only one that
   * can use the database, all others are dead, and what they have left need not wait for their leases.
   */
  start(options?: { readonly isOnly: boolean }): Promise<void>;
  /** Calls the handler when others may have ended this process's work, so that it must stop. */
  onLost(handler: () => void): void;
  /** Whether no other process is alive. */
  isAlone(): Promise<boolean>;
  /** Whether there are registered processes whose lease has expired. */
  hasDead(): Promise<boolean>;
  /**
   * Removes them from the register and terminates their database sessions: a frozen process would otherwise hold its locks
   * for as long as it is frozen, and could still commit when it resumes.
   */
  removeDead(): Promise<void>;
  /** The given writer ids whose processes are registered. */
  findLivingWriters(writerIds: readonly string[]): Promise<Set<string>>;
}

/** Identifies abandoned work: that of processes that are no longer registered, and what this one has lost track of. */
export interface AbandonedWork {
  readonly processId: string;
  /** This process's work in progress. */
  readonly activeIds: readonly string[];
  /** This process has lost track of any work that it started before this time and that is not in progress. */
  readonly lostBefore: Date;
}

export interface ProcessRegistryOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  /** How long a process counts as alive after its last renewal. */
  readonly leaseMs: number;
}

export function createProcessRegistry({ db, clock, ids, logger, leaseMs }: ProcessRegistryOptions): ProcessRegistry {
  const renewEveryMs = leaseMs / RENEWALS_PER_LEASE;
  const lostHandlers = new Set<() => void>();
  const writerId = ids();
  let processId = ids();
  /** By this process's own clock: after this, others may have declared it dead. */
  let validUntilMs = 0;
  let renewing: Closable | undefined;

  async function register(): Promise<void> {
    const sentAtMs = performance.now();
    await insertProcess(db.pool, { id: processId, startedAt: clock.now(), leaseMs, writerId });
    validUntilMs = sentAtMs + leaseMs;
  }

  async function renew(): Promise<void> {
    const sentAtMs = performance.now();
    try {
      if (await renewLease(db.pool, processId, leaseMs)) validUntilMs = sentAtMs + leaseMs;
      else await reregister();
    } catch (error) {
      logger.warn({ err: error }, "this server process could not renew its registration");
      if (performance.now() > validUntilMs) notifyLost();
    }
  }

  async function reregister(): Promise<void> {
    logger.warn({ processId }, "this server process was declared dead by another; its work in progress is stopped");
    processId = ids();
    notifyLost();
    await register();
  }

  async function removeDead(): Promise<void> {
    const dead = await deleteDeadProcesses(db.pool, processId);
    if (dead.length === 0) return;
    const sessionNames = dead.map(({ sessionName }) => sessionName).filter((name) => name !== null);
    const endedSessions = await endSessions(db.pool, sessionNames);
    const processIds = dead.map(({ id }) => id);
    logger.warn({ processIds, endedSessions }, "server processes with expired leases were removed");
  }

  function notifyLost(): void {
    for (const handler of lostHandlers) handler();
  }

  return {
    get processId() {
      return processId;
    },
    async start({ isOnly } = { isOnly: false }) {
      await register();
      if (isOnly) {
        await endOtherLeases(db.pool, processId);
        await removeDead();
      }
      const onError = (error: unknown) =>
        logger.error({ err: error }, "this server process could not be registered again");
      renewing = repeat(renew, { everyMs: renewEveryMs, onError });
    },
    writerId,
    checkEveryMs: renewEveryMs,
    onLost: (handler) => void lostHandlers.add(handler),
    isAlone: async () => !(await hasOtherProcesses(db.pool, processId)),
    hasDead: () => hasDeadProcesses(db.pool, processId),
    removeDead,
    findLivingWriters: (writerIds) => selectLivingWriters(db.pool, writerIds.filter(isUuid)),
    async close() {
      await renewing?.close();
      await deleteProcess(db.pool, processId);
    },
  };
}
