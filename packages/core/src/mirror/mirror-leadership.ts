import { setTimeout as sleep } from "node:timers/promises";
import type { Db, PoolClient } from "@workspace/db";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import type { Closable } from "../platform/repeat.ts";
import { claimLeadership, confirmLeadership, lockLeadership, releaseLeadership } from "./leadership.queries.ts";

const LONGEST_PAUSE_MS = 1_000;
/** How long a process that cannot mirror leaves it to the others before it tries again. */
const REFUSAL_PAUSE_MS = 5_000;

/** This process is not the leader any more; what it was about to write must not be written. */
export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";
}

/** The time during which one process leads. */
export interface Term {
  /** Aborts when this process is to stop leading, or has learnt that it does not lead any more. */
  readonly signal: AbortSignal;
  /**
   * Keeps the leadership from changing until the transaction ends. Every transaction of the leader's begins with it, so
   * that a process which was frozen while another took over changes nothing. Throws {@link LeadershipLostError}.
   */
  hold(client: PoolClient): Promise<void>;
  /** Notes that the vault is being looked at, or is known to be as recorded. */
  noteLook(): void;
}

export interface LeadershipOptions {
  readonly db: Db;
  readonly logger: Logger;
  readonly processes: Pick<ProcessRegistry, "processId" | "checkEveryMs" | "onLost">;
  /** Runs in one process at a time, until the term's signal aborts. */
  readonly lead: (term: Term) => Promise<void>;
  /** Runs about every second while another process leads. */
  readonly standBy: () => Promise<void>;
}

/**
 * Makes one of all processes on a database the leader. The leadership belongs to the lease by which a process counts as
 * alive: it passes on as soon as the leader is no longer registered, however it ended, frozen and partitioned ones included.
 */
export function startLeadership({ db, logger, processes, lead, standBy }: LeadershipOptions): Closable {
  const closing = new AbortController();
  let current = new AbortController();
  processes.onLost(() => current.abort());

  /** Leads for one term. Answers whether it was used: a process that cannot mirror gives it back at once. */
  async function serveTerm(epoch: number): Promise<boolean> {
    const ending = new AbortController();
    current = ending;
    const signal = AbortSignal.any([closing.signal, ending.signal]);
    let lastLookMs: number | null = null;
    const term: Term = {
      signal,
      async hold(client) {
        if (await lockLeadership(client, epoch)) return;
        ending.abort();
        throw new LeadershipLostError("Another process mirrors the vault by now.");
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
      await releaseLeadership(db.pool, epoch).catch(() => undefined);
    }
  }

  /** Says how old the last look is, and ends the term when another process has taken over. */
  async function confirm(epoch: number, signal: AbortSignal, lookAgeMs: () => number | null): Promise<void> {
    const ending = current;
    for (;;) {
      await pause(processes.checkEveryMs, signal);
      if (signal.aborted) return;
      try {
        if (await confirmLeadership(db.pool, epoch, lookAgeMs())) continue;
        logger.warn({ epoch }, "another process mirrors the vault by now; this one stops");
        ending.abort();
      } catch (error) {
        logger.warn({ err: error }, "the leadership of the mirror could not be confirmed");
      }
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const epoch = await claimLeadership(db.pool, processes.processId);
        if (epoch === null) await standBy();
        else if (!(await serveTerm(epoch))) await pause(REFUSAL_PAUSE_MS, closing.signal);
      } catch (error) {
        logger.warn({ err: error }, "the vault is not mirrored; trying again");
      }
      await pause(Math.min(processes.checkEveryMs, LONGEST_PAUSE_MS), closing.signal);
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

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await sleep(forMs, undefined, { signal }).catch(() => undefined);
}
