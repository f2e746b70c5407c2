import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import type { Closable } from "../../platform/repeat.ts";
import { createSingleFlight } from "../../platform/single-flight.ts";
import { createLinkUpdater, type LinkUpdaterDeps } from "./link-updater.ts";
import { selectUnfinished } from "./link-update.queries.ts";

/** Another program that moves files usually changes the links to them itself: it is given time to do so. */
const AFTER_OUTSIDE_MS = 1_000;
/** What could not be finished for this long is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000;

export interface LinkUpdateRunnerDeps extends LinkUpdaterDeps, Deps<"clock"> {}

export interface LinkUpdateRunner extends Closable {
  /** Carries out an update once, however many wait for it. */
  finish(id: string): Promise<void>;
  /** Carries out updates that were planned for files moved outside, or left unfinished, in a moment. */
  finishSoon(): void;
}

/** Carries out link updates, at once or in the background. */
export function createLinkUpdateRunner(deps: LinkUpdateRunnerDeps): LinkUpdateRunner {
  const { db, clock, logger } = deps;
  const carryOut = createLinkUpdater(deps);
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function finish(id: string): Promise<void> {
    const current = running.get(id) ?? carryOut(id).finally(() => running.delete(id));
    running.set(id, current);
    return current;
  }

  async function finishAll(): Promise<void> {
    for (const id of await selectUnfinished(db.pool, new Date(clock.now().getTime() - GIVE_UP_MS))) {
      if (closing.signal.aborted) return;
      await finish(id);
    }
  }

  const later = createSingleFlight(
    async () => {
      await sleep(AFTER_OUTSIDE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      await finishAll();
    },
    (err) => logger.warn({ err }, "links could not be changed; trying again later"),
  );

  return {
    finish,
    finishSoon: () => {
      if (!closing.signal.aborted) later.run();
    },
    async close() {
      closing.abort();
      await later.idle();
      await Promise.allSettled(running.values());
    },
  };
}
