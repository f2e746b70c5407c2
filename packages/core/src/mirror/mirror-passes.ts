import type { Db } from "@workspace/db";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import type { TextIndexer } from "../documents/text-indexer.ts";
import { isSameDirectory } from "../vault/file-stat.ts";
import { isSameRoot, type RootIdentity, type VaultFiles } from "../vault/vault-files.ts";
import { nameOf, parentOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { lookAtDirty } from "./dirty-look.ts";
import type { DirtyPlace, DirtySnapshot } from "./dirty-paths.ts";
import type { Term } from "./mirror-leadership.ts";
import {
  countRecorded,
  selectAllRecorded,
  selectRecorded,
  selectRecordedByInode,
  selectSomeRecordedPaths,
} from "./mirror.queries.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import type { RecordedFile } from "./mirrored-file.ts";
import { compareWithRecorded, type Sighting } from "./sighting.ts";
import { createVanishedFiles } from "./vanished-files.ts";
import type { VaultWatcher } from "./vault-watcher.ts";
import { walkVault, type WalkedDirectory } from "./vault-walk.ts";

/** A file that is missing is looked for elsewhere for this long before its document counts as deleted. */
const GRACE_MS = 700;
const DELETE_BATCH = 500;
/** How many of the files that changed last are looked for when all seem to be missing. */
const SAMPLE_PATHS = 200;
/** So few documents can all be deleted by hand; from here on, most of them missing on another disk means something. */
const MIN_SUSPICIOUS = 10;

/** So much is missing that the vault itself must be; nothing may be concluded from it. */
export class VaultEmptiedError extends Error {
  override readonly name = "VaultEmptiedError";
}

export interface MirrorPassesDeps {
  readonly db: Db;
  readonly logger: Logger;
  readonly processes: Pick<ProcessRegistry, "findLivingWriters">;
  /** What requests use: it takes only the root for the vault that a full pass has approved. */
  readonly files: VaultFiles;
  /** The same vault, whatever directory is in its place. */
  readonly anyRoot: VaultFiles;
  readonly writer: MirrorWriter;
  readonly watcher: VaultWatcher;
  readonly indexer: TextIndexer;
}

export interface PassOptions {
  /** Who new documents are recorded under. */
  readonly creatorId: string;
  readonly term: Term;
}

export interface FullPassOptions extends PassOptions {
  /** Whether a person has accepted that nothing of what was known is there. */
  readonly isAccepted: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

export type MirrorPasses = ReturnType<typeof createMirrorPasses>;

/** The comparisons of the disk with the documents: of everything, and of the places where something may have changed. */
export function createMirrorPasses(deps: MirrorPassesDeps) {
  const { db, logger, processes, files, anyRoot, writer, watcher, indexer } = deps;
  const vanished = createVanishedFiles(GRACE_MS);
  let approvedRoot: RootIdentity | null = null;

  async function readRoot(): Promise<RootIdentity> {
    const stat = await anyRoot.stat(VAULT_ROOT);
    if (stat === null) throw new VaultEmptiedError("The vault's root is gone.");
    return stat;
  }

  async function walk(roots: readonly VaultPath[], { signal, noteLook }: Term) {
    const walked: WalkedDirectory[] = [];
    const unreadable: VaultPath[] = [];
    const onUnreadable = (path: VaultPath) => void unreadable.push(path);
    for await (const directory of walkVault(roots, {
      files: anyRoot,
      signal,
      onDirectory: watcher.watch,
      onUnreadable,
    })) {
      walked.push(directory);
      noteLook();
    }
    if (unreadable.length > 0) logger.warn({ directories: unreadable.slice(0, 10) }, "directories cannot be read");
    return { walked, unreadable };
  }

  async function record(sighting: Sighting, options: PassOptions, onProgress: (done: number) => void): Promise<void> {
    if (sighting.changed.length === 0 && sighting.missing.length === 0) return;
    const concerned = [...sighting.displaced, ...sighting.missing];
    const ids = new Set(concerned.map(({ id }) => id));
    const others = [...vanished.all(), ...(await findMovedUnseen(sighting))].filter(({ id }) => !ids.has(id));
    const recorded = [...concerned, ...new Map(others.map((document) => [document.id, document])).values()];
    const left = await writer.record({ ...options, found: sighting.changed, recorded, onProgress });
    vanished.retain(left);
    vanished.add(left, performance.now());
  }

  /** Documents of new files that nobody has missed yet: the file was seen at its new path before it was at its old one. */
  async function findMovedUnseen({ changed, displaced }: Sighting): Promise<RecordedFile[]> {
    const known = new Set(displaced.map(({ path }) => path));
    const inodes = changed.filter(({ path }) => !known.has(path)).map(({ stat }) => stat.inode);
    if (inodes.length === 0) return [];
    const candidates = await selectRecordedByInode(db.pool, inodes);
    const stats = await anyRoot.statAll(candidates.map(({ path }) => path));
    // A file that is still there has got another name beside its own.
    return candidates.filter(({ inode }, index) => stats[index]?.inode !== inode);
  }

  /** Throws {@link VaultEmptiedError} where so much is missing that the vault itself must be. */
  async function assertPlausible(known: number, missing: number, root: RootIdentity): Promise<void> {
    if (known > 0 && missing === known && !(await isAnyRecordedThere())) {
      throw new VaultEmptiedError("None of the known files is in the vault.");
    }
    const isElsewhere = approvedRoot !== null && !isSameRoot(approvedRoot, root);
    if (isElsewhere && missing >= MIN_SUSPICIOUS && missing > known / 2) {
      throw new VaultEmptiedError("Another directory is in the place of the vault, without most of the known files.");
    }
  }

  /**
   * The counts alone do not tell: while the vault was looked at, files may have been written that the look has missed, and
   * documents that it has missed may have been deleted since.
   */
  async function isAnyRecordedThere(): Promise<boolean> {
    const paths = await selectSomeRecordedPaths(db.pool, SAMPLE_PATHS);
    return (await anyRoot.statAll(paths)).some((stat) => stat !== null);
  }

  async function sweepLeftovers(walked: readonly WalkedDirectory[]): Promise<void> {
    const leftovers = walked.flatMap((directory) => directory.leftovers);
    if (leftovers.length === 0) return;
    const writerIds = leftovers.map(({ writerId }) => writerId);
    const living = await processes.findLivingWriters(writerIds);
    const dead = leftovers.filter(({ writerId }) => writerId !== files.writerId && !living.has(writerId));
    for (const { path } of dead) await files.removeLeftover(parentOf(path), nameOf(path));
    if (dead.length > 0) logger.info({ count: dead.length }, "removed what interrupted writes had left");
  }

  return {
    /**
     * Compares everything, and approves the directory that it finds as the vault. Answers the number of files. Throws
     * {@link VaultEmptiedError}, with nothing changed, and UnavailableError where the root is missing.
     */
    async full({ isAccepted, onProgress, ...options }: FullPassOptions): Promise<number> {
      const root = await readRoot();
      const { walked, unreadable } = await walk([VAULT_ROOT], options.term);
      const recorded = await selectAllRecorded(db.pool);
      const found = walked.flatMap((directory) => directory.files);
      const sighting = compareWithRecorded(found, recorded, unreadable);
      if (!isAccepted) await assertPlausible(recorded.length, sighting.missing.length, root);
      approvedRoot = root;
      files.expectRoot(root);
      files.refuseChanges(null);
      watcher.retain(new Set(walked.map(({ path }) => path)));
      await record(sighting, options, (done) => onProgress(done, sighting.changed.length));
      await sweepLeftovers(walked);
      await indexer.addMissing();
      return found.length;
    },

    /** Compares the places where something may have changed, and directories that have appeared there. */
    async partial(dirty: DirtySnapshot, options: PassOptions): Promise<void> {
      const look = await lookAtDirty(dirty, { files, watcher });
      const { walked, unreadable } = await walk(outermost(look.newDirectories), options.term);
      const seen = [...look.found, ...walked.flatMap((directory) => directory.files)];
      // What was reported in a directory that is new to the mirror has been found twice.
      const found = [...new Map(seen.map((file) => [file.path, file])).values()];
      const recorded = await selectRecorded(db.pool, {
        paths: [...look.found.map(({ path }) => path), ...look.absent],
        directories: [...look.readDirectories, ...walked.map(({ path }) => path)],
        trees: look.absentTrees,
      });
      const sighting = compareWithRecorded(found, recorded, unreadable);
      await record(sighting, options, () => undefined);
    },

    /**
     * Where directories are not as they were when they were last read, and no report of it may have come: a cheap look at the
     * directories alone, which misses no file that was added, removed or renamed.
     */
    async findUnreported(): Promise<DirtyPlace[]> {
      const below = watcher.directories().filter((path) => path !== VAULT_ROOT);
      const stats = await anyRoot.statAll(below);
      const unreported: DirtyPlace[] = [];
      for (const [index, path] of below.entries()) {
        const [known, stat] = [watcher.find(path), stats[index] ?? null];
        if (known === undefined) continue;
        if (stat === null || !isSameDirectory(known, stat)) {
          unreported.push({ directory: parentOf(path), name: nameOf(path) });
        } else if (stat.mtimeNs !== known.mtimeNs) {
          unreported.push({ directory: path, name: null });
        }
      }
      const [knownRoot, root] = [watcher.find(VAULT_ROOT), await anyRoot.stat(VAULT_ROOT)];
      if (root?.mtimeNs !== knownRoot?.mtimeNs) unreported.push({ directory: VAULT_ROOT, name: null });
      return unreported;
    },

    /** How long until a missing file counts as deleted; null while none is missing. */
    nextSettlementInMs: () => vanished.dueInMs(performance.now()),

    /** Marks the documents as deleted whose files have been missing for long enough. Throws {@link VaultEmptiedError}. */
    async settleVanished(isAccepted: boolean, term: Term): Promise<void> {
      const due = vanished.takeDue(performance.now());
      if (due.length === 0) return;
      const root = await readRoot();
      if (!isAccepted) await assertPlausible(await countRecorded(db.pool), due.length, root);
      const isStillVault = async () => isSameRoot(root, await readRoot());
      for (let start = 0; start < due.length; start += DELETE_BATCH) {
        await writer.markGone(due.slice(start, start + DELETE_BATCH), { isStillVault, term });
      }
    },

    /** Forgets what is missing; the next full pass finds it again. */
    forgetVanished: (): void => vanished.clear(),
  };
}

/** Without those that are in others of them. */
function outermost(directories: readonly VaultPath[]): VaultPath[] {
  const all = new Set(directories);
  const isInAnother = (path: VaultPath): boolean => {
    for (let above = parentOf(path); above !== VAULT_ROOT; above = parentOf(above)) if (all.has(above)) return true;
    return path !== VAULT_ROOT && all.has(VAULT_ROOT);
  };
  return [...all].filter((path) => !isInAnother(path));
}
