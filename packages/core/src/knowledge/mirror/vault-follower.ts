import { setTimeout as sleep } from "node:timers/promises";
import { selectFirstUser } from "../../access/auth/auth.queries.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { createWakeUp } from "../../platform/wake-up.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { LinkUpdateService } from "../link-updates/link-update.service.ts";
import { VaultMissingError } from "../vault/directory.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { createDirtyPaths, type DirtyPaths } from "./dirty-paths.ts";
import { VaultEmptiedError } from "./emptied-vault-check.ts";
import { createStatusKeeper, type StatusKeeperDeps } from "./follower-status.ts";
import type { Term } from "./mirror-leadership.ts";
import { createMirrorPasses, type PassOptions } from "./mirror-passes.ts";
import { consumeAcceptance } from "./mirror-state.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import { createPassSchedule } from "./pass-schedule.ts";
import { createVaultWatcher } from "./vault-watcher.ts";

/** A batch of changes ends after a quiet period, or at the latest after the maximum. */
const QUIET_MS = 60;
const MAX_BATCH_WINDOW_MS = 400;
/** In such a burst of reports some may have been lost, so everything is compared soon afterwards. */
const BURST_REPORTS = 2_000;
const AFTER_BURST_MS = 1_000;
const RETRY_MS = 1_000;
const MAX_WAIT_MS = 3_000;

export interface VaultFollowerDeps extends StatusKeeperDeps {
  readonly logger: Logger;
  readonly processes: Pick<ProcessRegistry, "findLivingWriters">;
  readonly files: VaultFiles;
  /** The same vault, but with any directory accepted as its root; see `MirrorPassesDeps`. */
  readonly anyRoot: VaultFiles;
  readonly writer: MirrorWriter;
  readonly indexer: TextIndexer;
  readonly linkUpdates: Pick<LinkUpdateService, "finishSoon">;
  /** Throws VaultMissingError if the folder is not the workspace's vault. */
  readonly assertOpen: () => Promise<void>;
}

/** Compares everything, follows changes, and compares everything again periodically, until the term ends. */
export async function followVault(deps: VaultFollowerDeps, term: Term): Promise<void> {
  const { signal } = term;
  const { db, logger, files } = deps;
  const dirty = createDirtyPaths();
  const wakeUp = createWakeUp();
  const schedule = createPassSchedule(files.listing?.everyMs ?? null);
  const status = createStatusKeeper(deps, term);
  let hasUnwatched = false;
  /** Set while documents of an emptied vault may be deleted because a person has accepted it. */
  let isEmptyAccepted = false;

  const watcher = createVaultWatcher({
    onChange(directory: VaultPath, name: string | null) {
      dirty.add(directory, name);
      wakeUp.wake();
    },
    onError(directory, err) {
      if (!hasUnwatched) logger.warn({ err, directory }, "a directory cannot be watched; comparing more often instead");
      hasUnwatched = true;
    },
  });
  const passes = createMirrorPasses({ ...deps, watcher });

  async function compareAll(options: PassOptions): Promise<void> {
    const startedAtMs = performance.now();
    await deps.assertOpen();
    isEmptyAccepted ||= await consumeAcceptance(db, term);
    hasUnwatched = false;
    let recorded = 0;
    const onProgress = (done: number, total: number): void => {
      recorded = done;
      term.noteLook();
      status.update({ progress: { done, total } });
      if (done < total) logger.info({ done, total }, "recording the files of the vault");
    };
    const fileCount = await passes.full({ ...options, isAccepted: isEmptyAccepted, onProgress });
    const isFirst = status.current.files === null;
    if (isFirst || status.current.suspendedFor !== null) await status.saveSuspension(null);
    status.update({ suspendedFor: null, files: fileCount, progress: null });
    if (isFirst || recorded > 0) {
      const durationMs = Math.round(performance.now() - startedAtMs);
      logger.info({ files: fileCount, recorded, durationMs }, "the documents are in step with the vault");
    }
  }

  async function suspend(error: Error): Promise<void> {
    passes.clearPendingDeletions();
    files.refuseChanges(error.message);
    if (status.current.suspendedFor === null)
      logger.error({ err: error }, "the vault is not mirrored; no document is changed");
    status.update({ suspendedFor: error.message, progress: null });
    await status.saveSuspension(error.message);
  }

  async function step(options: PassOptions): Promise<void> {
    if (schedule.isSweepDue() && status.current.suspendedFor === null) {
      for (const { directory, name } of await passes.findUnreported()) dirty.add(directory, name);
      schedule.sweepDone();
    }
    if (schedule.isFullDue()) {
      dirty.take();
      await compareAll(options);
      schedule.fullDone(hasUnwatched);
    } else if (!dirty.isEmpty && status.current.suspendedFor === null) {
      await waitUntilQuiet(dirty);
      if (dirty.reportCount > BURST_REPORTS) schedule.expediteFull(AFTER_BURST_MS);
      await passes.partial(dirty.take(), options);
    }
    if (status.current.suspendedFor === null) await passes.deleteMissing(isEmptyAccepted, term);
    if (passes.nextDeletionInMs() === null) isEmptyAccepted = false;
    term.noteLook();
  }

  async function recover(error: unknown): Promise<void> {
    if (signal.aborted) return;
    schedule.scheduleFull(RETRY_MS);
    if (error instanceof VaultMissingError || error instanceof VaultEmptiedError) await suspend(error);
    else logger.error({ err: error }, "mirroring the vault failed; everything is compared again");
  }

  try {
    while (!signal.aborted) {
      const owner = await selectFirstUser(db.pool);
      if (owner === null) schedule.scheduleFull(RETRY_MS);
      else await step({ creatorId: owner.userId, term }).catch(recover);
      const untilNextMs = schedule.untilNextMs();
      const waitMs = Math.min(untilNextMs, passes.nextDeletionInMs() ?? untilNextMs);
      // Even a step without any work confirms that the mirror is alive.
      await wakeUp.wait(Math.min(waitMs, MAX_WAIT_MS), signal);
    }
  } finally {
    watcher.close();
  }
}

/** Lets a batch of changes accumulate. */
async function waitUntilQuiet(dirty: DirtyPaths): Promise<void> {
  const startedAtMs = performance.now();
  for (let before = -1; before !== dirty.reportCount && performance.now() - startedAtMs < MAX_BATCH_WINDOW_MS;) {
    before = dirty.reportCount;
    await sleep(QUIET_MS);
  }
}
