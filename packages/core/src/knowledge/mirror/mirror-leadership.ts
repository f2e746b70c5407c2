import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import {
  claimLeadership,
  confirmLeadership,
  lockLeadership,
  releaseLeadership,
} from "../../platform/leadership.queries.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { Closable } from "../../platform/repeat.ts";

const MIRROR = "mirror";
const MAX_PAUSE_MS = 1_000;
/** How long a process that cannot mirror waits before it tries again, so that others can lead. */
const DECLINED_PAUSE_MS = 5_000;

/** This process is no longer the leader and must not write anything. */
export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";
}

/** The period during which a process leads. */
export interface Term {
  /** Aborted when this process must stop leading, or has found out that it no longer leads. */
  readonly signal: AbortSignal;
  /**
   * Keeps the leadership from changing until the transaction ends. Every transaction of the leader begins with this, so that
   * a process that was frozen while another one took over changes nothing. Throws {@link LeadershipLostError}.
   */
  hold(client: PoolClient): Promise<void>;
  /** Records that the vault is being compared, or is known to match the documents. */
  noteLook(): void;
}

export interface LeadershipOptions extends Deps<"db" | "logger"> {
  readonly processes: Pick<ProcessRegistry, "processId" | "checkEveryMs" | "onLost">;
  /** Runs in one process at a time, until the term's signal is aborted. */
  readonly lead: (term: Term) => Promise<void>;
  /** Runs about once a second while another process leads. */
  readonly standBy: () => Promise<void>;
}

/**
 * Elects one of the processes sharing a database as the leader. The leadership depends on the lease that registers a process
 * as alive: another process takes over once the leader is no longer registered, whether it exited, crashed, froze or was cut
 * off from the database.
 */
export function startLeadership({ db, logger, processes, lead, standBy }: LeadershipOptions): Closable {
  const closing = new AbortController();
  let current = new AbortController();
  processes.onLost(() => current.abort());

  /** Leads for one term. Returns false if this process declined to lead because it cannot mirror. */
  async function serveTerm(epoch: number): Promise<boolean> {
    const ending = new AbortController();
    current = ending;
    const signal = AbortSignal.any([closing.signal, ending.signal]);
    let lastLookMs: number | null = null;
    const term: Term = {
      signal,
      async hold(client) {
        if (await lockLeadership(client, MIRROR, epoch)) return;
        ending.abort();
        throw new LeadershipLostError("Another process now mirrors the vault.");
      },
      noteLook: () => (lastLookMs = performance.now()),
    };
    const confirming = confirm(epoch, signal, () => (lastLookMs === null ? null : performance.now() - lastLookMs));
    try {
      await lead(term);
      return signal.aborted;
    } finally {
      ending.abort();
      await confirming;
      await releaseLeadership(db.pool, MIRROR, epoch).catch(() => undefined);
    }
  }

  /** Reports the age of the last look, and ends the term if another process has taken over. */
  async function confirm(epoch: number, signal: AbortSignal, lookAgeMs: () => number | null): Promise<void> {
    const ending = current;
    for (;;) {
      await pause(processes.checkEveryMs, signal);
      if (signal.aborted) return;
      try {
        if (await confirmLeadership(db.pool, MIRROR, epoch, lookAgeMs())) continue;
        logger.warn({ epoch }, "another process now mirrors the vault; this one stops");
        ending.abort();
      } catch (error) {
        logger.warn({ err: error }, "the leadership of the mirror could not be confirmed");
      }
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const epoch = await claimLeadership(db.pool, MIRROR, processes.processId);
        if (epoch === null) await standBy();
        else if (!(await serveTerm(epoch))) await pause(DECLINED_PAUSE_MS, closing.signal);
      } catch (error) {
        logger.warn({ err: error }, "mirroring the vault failed; trying again");
      }
      await pause(Math.min(processes.checkEveryMs, MAX_PAUSE_MS), closing.signal);
    }
  }

  const running = run();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => undefined);
}
