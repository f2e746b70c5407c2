import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { selectFirstUser } from "../auth/auth.queries.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import type { TextIndexer } from "../documents/text-indexer.ts";
import { VaultMissingError } from "../vault/directory.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { createDirtyPaths } from "./dirty-paths.ts";
import type { Term } from "./mirror-leadership.ts";
import { createMirrorPasses, VaultEmptiedError, type PassOptions } from "./mirror-passes.ts";
import { saveSuspension, takeAcceptance } from "./mirror-state.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import { createVaultWatcher } from "./vault-watcher.ts";
import { createWakeUp } from "../platform/wake-up.ts";

/** Changes are gathered until it is quiet for the first, but for no longer than the second. */
const QUIET_MS = 60;
const MAX_GATHER_MS = 400;
/** How often the directories alone are compared, so that what no event has told of is found within a minute. */
const SWEEP_EVERY_MS = 45_000;
const RECONCILE_EVERY_MS = 5 * 60_000;
/** While some directory cannot be watched, looking is all there is. */
const RECONCILE_UNWATCHED_EVERY_MS = 10_000;
/** Of so many reports at once some have been lost; everything is compared as soon as it is quiet again. */
const BURST_REPORTS = 2_000;
const AFTER_BURST_MS = 1_000;
const RETRY_MS = 1_000;
const LONGEST_WAIT_MS = 3_000;

/** What is told about the work, for health and for people who wait for a long first comparison. */
export interface FollowerStatus {
  /** Why nothing is mirrored; null while all is well. */
  readonly suspendedFor: string | null;
  /** Files found by the last full comparison; null before there was one. */
  readonly files: number | null;
  /** Of a full comparison under way: how many files are recorded, of how many that have changed. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

export interface VaultFollowerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: Pick<ProcessRegistry, "findLivingWriters">;
  readonly files: VaultFiles;
  /** The same vault without an expectation about its root; see `MirrorPassesDeps`. */
  readonly anyRoot: VaultFiles;
  readonly writer: MirrorWriter;
  readonly indexer: TextIndexer;
  /** Throws VaultMissingError where the folder is not the workspace's vault. */
  readonly assertOpen: () => Promise<void>;
  readonly onStatus: (status: FollowerStatus) => void;
}

/** Compares everything, follows changes, and compares everything again now and then, until the term ends. */
export async function followVault(deps: VaultFollowerDeps, term: Term): Promise<void> {
  const { signal } = term;
  const { db, clock, logger, files, onStatus } = deps;
  const dirty = createDirtyPaths();
  const wakeUp = createWakeUp();
  let status: FollowerStatus = { suspendedFor: null, files: null, progress: null };
  let hasUnwatched = false;
  /** Set while documents of an emptied vault may be deleted, because a person has said so. */
  let isEmptyAccepted = false;
  let nextFullMs = performance.now();
  let nextSweepMs = nextFullMs + SWEEP_EVERY_MS;

  const watcher = createVaultWatcher({
    onChange(directory: VaultPath, name: string | null) {
      dirty.add(directory, name);
      wakeUp.ring();
    },
    onError(directory, err) {
      if (!hasUnwatched)
        logger.warn({ err, directory }, "a directory cannot be watched; the vault is compared often instead");
      hasUnwatched = true;
    },
  });
  const passes = createMirrorPasses({ ...deps, watcher });

  function setStatus(changes: Partial<FollowerStatus>): void {
    status = { ...status, ...changes };
    onStatus(status);
  }

  async function compareAll(options: PassOptions): Promise<void> {
    const startedAtMs = performance.now();
    await deps.assertOpen();
    isEmptyAccepted ||= await takeAcceptance(db, term);
    hasUnwatched = false;
    let recorded = 0;
    const onProgress = (done: number, total: number): void => {
      recorded = done;
      term.noteLook();
      setStatus({ progress: { done, total } });
      if (done < total) logger.info({ done, total }, "recording the files of the vault");
    };
    const fileCount = await passes.full({ ...options, isAccepted: isEmptyAccepted, onProgress });
    const isFirst = status.files === null;
    if (isFirst || status.suspendedFor !== null)
      await saveSuspension(db, term, { suspendedFor: null, now: clock.now() });
    setStatus({ suspendedFor: null, files: fileCount, progress: null });
    if (isFirst || recorded > 0) {
      const durationMs = Math.round(performance.now() - startedAtMs);
      logger.info({ files: fileCount, recorded, durationMs }, "the documents are in step with the vault");
    }
  }

  async function suspend(error: Error): Promise<void> {
    passes.forgetVanished();
    files.refuseChanges(error.message);
    if (status.suspendedFor === null) logger.error({ err: error }, "the vault is not mirrored; no document is changed");
    setStatus({ suspendedFor: error.message, progress: null });
    await saveSuspension(db, term, { suspendedFor: error.message, now: clock.now() });
  }

  async function gather(): Promise<void> {
    const startedAtMs = performance.now();
    for (let before = -1; before !== dirty.reportCount && performance.now() - startedAtMs < MAX_GATHER_MS;) {
      before = dirty.reportCount;
      await sleep(QUIET_MS);
    }
  }

  async function step(options: PassOptions): Promise<void> {
    if (performance.now() >= nextSweepMs && status.suspendedFor === null) {
      for (const { directory, name } of await passes.findUnreported()) dirty.add(directory, name);
      nextSweepMs = performance.now() + SWEEP_EVERY_MS;
    }
    if (performance.now() >= nextFullMs) {
      dirty.take();
      await compareAll(options);
      nextSweepMs = performance.now() + SWEEP_EVERY_MS;
      nextFullMs = performance.now() + (hasUnwatched ? RECONCILE_UNWATCHED_EVERY_MS : RECONCILE_EVERY_MS);
    } else if (!dirty.isEmpty && status.suspendedFor === null) {
      await gather();
      if (dirty.reportCount > BURST_REPORTS) nextFullMs = Math.min(nextFullMs, performance.now() + AFTER_BURST_MS);
      await passes.partial(dirty.take(), options);
    }
    if (status.suspendedFor === null) await passes.settleVanished(isEmptyAccepted, term);
    if (passes.nextSettlementInMs() === null) isEmptyAccepted = false;
    term.noteLook();
  }

  async function recover(error: unknown): Promise<void> {
    nextFullMs = performance.now() + RETRY_MS;
    if (error instanceof VaultMissingError || error instanceof VaultEmptiedError) await suspend(error);
    else if (!signal.aborted) logger.error({ err: error }, "mirroring the vault failed; everything is compared again");
  }

  try {
    while (!signal.aborted) {
      const owner = await selectFirstUser(db.pool);
      if (owner === null) nextFullMs = performance.now() + RETRY_MS;
      else
        await step({ creatorId: owner.userId, term }).catch((error: unknown) =>
          signal.aborted ? undefined : recover(error),
        );
      const untilNextMs = Math.max(Math.min(nextFullMs, nextSweepMs) - performance.now(), 0);
      const waitMs = Math.min(untilNextMs, passes.nextSettlementInMs() ?? untilNextMs);
      // A step that finds nothing to do still says that the mirror is awake.
      await wakeUp.wait(Math.min(waitMs, LONGEST_WAIT_MS), signal);
    }
  } finally {
    watcher.close();
  }
}
