import type { Deps } from "../../platform/deps.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { LinkUpdateService } from "../link-updates/link-update.service.ts";
import { isSameRoot } from "../vault/vault-access.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { parentOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import type { DirtySnapshot } from "./dirty-paths.ts";
import { scanDirty } from "./dirty-scan.ts";
import { createEmptiedVaultCheck } from "./emptied-vault-check.ts";
import { removeLeftovers } from "./leftover-files.ts";
import type { Term } from "./mirror-leadership.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import { countRecorded, selectAllRecorded, selectRecorded, selectRecordedByInode } from "./mirror.queries.ts";
import type { RecordedFile } from "./mirrored-file.ts";
import { createPendingDeletions } from "./pending-deletions.ts";
import { findUnreportedChanges } from "./unreported-changes.ts";
import { diffVault, type VaultDiff } from "./vault-diff.ts";
import { walkVault, type WalkedDirectory } from "./vault-walk.ts";
import type { VaultWatcher } from "./vault-watcher.ts";

/** How long a file may be missing, since it may be about to turn up elsewhere, before its document counts as deleted. */
const GRACE_MS = 700;
const DELETE_BATCH = 500;

export interface MirrorPassesDeps extends Deps<"db" | "logger"> {
  readonly processes: Pick<ProcessRegistry, "findLivingWriters">;
  /** The files as requests use them: only the root that a full pass has approved is accepted. */
  readonly files: VaultFiles;
  /** The same vault, but with any directory accepted as its root. */
  readonly anyRoot: VaultFiles;
  readonly writer: MirrorWriter;
  readonly watcher: VaultWatcher;
  readonly indexer: TextIndexer;
  readonly linkUpdates: Pick<LinkUpdateService, "finishSoon">;
}

export interface PassOptions {
  /** The creator of new documents. */
  readonly creatorId: string;
  readonly term: Term;
}

export interface FullPassOptions extends PassOptions {
  /** Whether a person has accepted that none of the known files is there. */
  readonly isAccepted: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Compares the disk with the documents, either everything or only where something may have changed. */
export function createMirrorPasses(deps: MirrorPassesDeps) {
  const { db, logger, files, anyRoot, writer, watcher, indexer, linkUpdates } = deps;
  // A listing is not of one moment: what has moved meanwhile may be missing from it, but not from the next one.
  const listingMs = files.listing === null ? 0 : 1.5 * files.listing.everyMs;
  const pendingDeletions = createPendingDeletions(GRACE_MS + listingMs);
  const emptiedCheck = createEmptiedVaultCheck(db, anyRoot);

  async function walk(roots: readonly VaultPath[], { signal, noteLook }: Term) {
    const walked: WalkedDirectory[] = [];
    const unreadable: VaultPath[] = [];
    const onUnreadable = (path: VaultPath) => void unreadable.push(path);
    const options = { files: anyRoot, signal, onDirectory: watcher.watch, onUnreadable };
    for await (const directory of walkVault(roots, options)) {
      walked.push(directory);
      noteLook();
    }
    if (unreadable.length > 0) logger.warn({ directories: unreadable.slice(0, 10) }, "directories cannot be read");
    return { walked, unreadable };
  }

  async function record(diff: VaultDiff, options: PassOptions, onProgress: (done: number) => void): Promise<void> {
    if (diff.changed.length === 0 && diff.missing.length === 0) return;
    const affected = [...diff.displaced, ...diff.missing];
    const ids = new Set(affected.map(({ id }) => id));
    const moved = await findEarlyMoves(diff, deps);
    const others = [...pendingDeletions.all(), ...moved].filter(({ id }) => !ids.has(id));
    const recorded = [...affected, ...new Map(others.map((document) => [document.id, document])).values()];
    const unmatched = await writer.record({ ...options, found: diff.changed, recorded, onProgress });
    pendingDeletions.retain(unmatched);
    pendingDeletions.add(unmatched, performance.now());
  }

  return {
    /**
     * Compares everything and approves the current root as the vault. Returns the number of files. Throws
     * {@link VaultEmptiedError}, without changing anything, and UnavailableError if the root is missing.
     */
    async full({ isAccepted, onProgress, ...options }: FullPassOptions): Promise<number> {
      const root = await emptiedCheck.readRoot();
      await writer.completeMoves(options.term);
      const { walked, unreadable } = await walk([VAULT_ROOT], options.term);
      const recorded = await selectAllRecorded(db.pool);
      const found = walked.flatMap((directory) => directory.files);
      const diff = diffVault(found, recorded, unreadable);
      const counts = { root, known: recorded.length, missing: diff.missing.length };
      if (!isAccepted) await emptiedCheck.assertNotEmptied(counts);
      emptiedCheck.approve(root);
      files.expectRoot(root);
      files.refuseChanges(null);
      watcher.retain(new Set(walked.map(({ path }) => path)));
      await record(diff, options, (done) => onProgress(done, diff.changed.length));
      await removeLeftovers(walked, deps);
      await indexer.addMissing();
      // What a process that died has left.
      linkUpdates.finishSoon();
      return found.length;
    },

    /** Compares the places where something may have changed, including new directories there. */
    async partial(dirty: DirtySnapshot, options: PassOptions): Promise<void> {
      const scan = await scanDirty(dirty, { files, watcher });
      const { walked, unreadable } = await walk(outermost(scan.newDirectories), options.term);
      const all = [...scan.found, ...walked.flatMap((directory) => directory.files)];
      // A file that was reported in a new directory has been found twice.
      const found = [...new Map(all.map((file) => [file.path, file])).values()];
      const recorded = await selectRecorded(db.pool, {
        paths: [...scan.found.map(({ path }) => path), ...scan.missing],
        directories: [...scan.readDirectories, ...walked.map(({ path }) => path)],
        trees: scan.missingTrees,
      });
      await record(diffVault(found, recorded, unreadable), options, () => undefined);
    },

    /** Where directories have changed since they were last read, even if no event was received. */
    findUnreported: () => findUnreportedChanges(watcher, anyRoot),

    /** The time until the next missing file counts as deleted; null if none is missing. */
    nextDeletionInMs: () => pendingDeletions.dueInMs(performance.now()),

    /** Marks documents as deleted whose files have been missing for long enough. Throws {@link VaultEmptiedError}. */
    async deleteMissing(isAccepted: boolean, term: Term): Promise<void> {
      const due = pendingDeletions.takeDue(performance.now());
      if (due.length === 0) return;
      const root = await emptiedCheck.readRoot();
      if (!isAccepted) {
        await emptiedCheck.assertNotEmptied({ root, known: await countRecorded(db.pool), missing: due.length });
      }
      const isStillVault = async () => isSameRoot(root, await emptiedCheck.readRoot());
      for (let start = 0; start < due.length; start += DELETE_BATCH) {
        await writer.deleteMissing(due.slice(start, start + DELETE_BATCH), { isStillVault, term });
      }
    },

    /** Forgets which files are missing; the next full pass finds them again. */
    clearPendingDeletions: (): void => pendingDeletions.clear(),
  };
}

/** Documents whose files were moved, but so far have only been noticed at their new paths, not missed at the old ones. */
async function findEarlyMoves(
  { changed, displaced }: VaultDiff,
  { db, anyRoot }: Pick<MirrorPassesDeps, "db" | "anyRoot">,
): Promise<RecordedFile[]> {
  const known = new Set(displaced.map(({ path }) => path));
  const inodes = changed.filter(({ path }) => !known.has(path)).map(({ stat }) => stat.inode);
  if (inodes.length === 0) return [];
  const candidates = await selectRecordedByInode(db.pool, inodes);
  const stats = await anyRoot.statAll(candidates.map(({ path }) => path));
  // A file that is still at its old path as well has merely got another hard link.
  return candidates.filter(({ inode }, index) => stats[index]?.inode !== inode);
}

/** The directories that are not below any of the others. */
function outermost(directories: readonly VaultPath[]): VaultPath[] {
  const all = new Set(directories);
  const isInAnother = (path: VaultPath): boolean => {
    for (let parent = parentOf(path); parent !== VAULT_ROOT; parent = parentOf(parent))
      if (all.has(parent)) return true;
    return path !== VAULT_ROOT && all.has(VAULT_ROOT);
  };
  return [...all].filter((path) => !isInAnother(path));
}
