import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import { selectLookAgeMs } from "../../platform/leadership.queries.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { LinkUpdateService } from "../link-updates/link-update.service.ts";
import { VaultMissingError } from "../vault/directory.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { INITIAL_STATUS, type FollowerStatus } from "./follower-status.ts";
import { createHistoryFolder } from "./history-folder.ts";
import { startLeadership, type Term } from "./mirror-leadership.ts";
import { acceptVault, readSuspension } from "./mirror-state.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import { selectRecentPaths } from "./mirror.queries.ts";
import { followVault } from "./vault-follower.ts";
import type { VaultIdentity } from "./vault-identity.ts";

const SAMPLE_PATHS = 200;
const HOUSEKEEPING_EVERY_MS = 6 * 60 * 60_000;
const NOT_YET_CHECKED = "The vault looks empty and is being checked. Try again in a moment.";

export interface MirrorStatus extends FollowerStatus {
  /** Whether this process is the one that mirrors. */
  readonly isLeader: boolean;
  /** The number of this process's texts that are waiting to be indexed. */
  readonly unindexed: number;
}

export interface VaultMirrorDeps extends Deps<"db" | "clock" | "logger"> {
  readonly processes: ProcessRegistry;
  readonly files: VaultFiles;
  /** The same vault, but with any directory accepted as its root; see `MirrorPassesDeps`. */
  readonly anyRoot: VaultFiles;
  readonly identity: VaultIdentity;
  /** The service's folder in the vault. */
  readonly folder: ServiceFolder;
  /** Moves the data that earlier releases kept elsewhere into the vault. Idempotent. */
  readonly migrateLegacyData: () => Promise<void>;
  readonly writer: MirrorWriter;
  readonly indexer: TextIndexer;
  readonly linkUpdates: Pick<LinkUpdateService, "finishSoon" | "close">;
  /** Runs on start-up and every few hours, in every process. */
  readonly housekeep: (signal: AbortSignal) => Promise<void>;
}

export interface VaultMirror extends Closable {
  /** Starts mirroring in the background, unless another process does. From now on, an emptied vault is protected. */
  start(): Promise<void>;
  readonly status: MirrorStatus;
  /** How long ago the mirroring process last knew that documents and files matched; null if it never has. */
  lastLookAgeMs(): Promise<number | null>;
  /** Whether the vault is present and has not been emptied or replaced. */
  isAvailable(): Promise<boolean>;
  /** Why what is at the vault's place now must not be taken for its content, as a sentence; null if it may. */
  previewProblem(): Promise<string | null>;
  /** Why this process cannot use the vault's trash and versions, as a sentence for people; null if it can. */
  findHistoryProblem(): Promise<string | null>;
  /** Cleans up trash and versions now. This also happens on start-up and every few hours. */
  housekeep(): Promise<void>;
  /** Accepts the vault although none of the known files is in it: their documents will count as deleted. */
  acceptEmptied(): Promise<void>;
}

/**
 * Keeps the documents in sync with the files: everything is compared on start-up, changes are followed within a second, and
 * everything is compared again periodically, because watching alone misses some changes. Of all processes sharing a database,
 * only one does this; all may write.
 *
 * A process whose folder is not the workspace's vault does not mirror, read or write it, and does not affect the others. While
 * the vault is missing, or contains none of the known files, no document is changed and the files reject changes: what looks
 * like an empty vault may be a disk that is not mounted.
 */
export function createVaultMirror(deps: VaultMirrorDeps): VaultMirror {
  const { db, clock, logger, processes, files, anyRoot, identity, indexer } = deps;
  const history = createHistoryFolder(deps);
  let follower = INITIAL_STATUS;
  let isLeader = false;
  let leadership: Closable | undefined;
  let housekeeping: Closable | undefined;
  const closing = new AbortController();

  /** Opens the vault for this process if it is the workspace's, otherwise closes it. Returns whether it is open. */
  async function openVault(): Promise<boolean> {
    const problem = await identity.findProblem();
    files.close(problem);
    if (problem !== null) {
      if (follower.suspendedFor !== problem) logger.error({ reason: problem }, "this process cannot use the vault");
      follower = { ...INITIAL_STATUS, suspendedFor: problem };
      return false;
    }
    await history.prepare();
    return true;
  }

  async function housekeep(): Promise<void> {
    await history.retryMigration();
    await deps.housekeep(closing.signal);
  }

  async function assertOpen(): Promise<void> {
    const problem = await identity.findProblem();
    if (problem !== null) throw new VaultMissingError(problem);
  }

  /** Returns immediately, leaving it to another process, if this one cannot use the vault. */
  async function lead(term: Term): Promise<void> {
    if (!(await openVault())) return;
    isLeader = true;
    try {
      await followVault({ ...deps, assertOpen, onStatus: (status) => (follower = status) }, term);
    } finally {
      isLeader = false;
    }
  }

  /** Adopts the findings of the leading process. */
  async function standBy(): Promise<void> {
    if (!(await openVault())) return;
    const suspendedFor = await readSuspension(db);
    follower = { ...INITIAL_STATUS, suspendedFor };
    files.refuseChanges(suspendedFor);
    if (suspendedFor === null) files.expectRoot(await anyRoot.stat(VAULT_ROOT));
  }

  return {
    async start() {
      await openVault();
      const paths = await selectRecentPaths(db.pool, SAMPLE_PATHS);
      const looksEmptied = paths.length > 0 && !(await isAnyThere(anyRoot, paths).catch(() => false));
      if (looksEmptied) files.refuseChanges(NOT_YET_CHECKED);
      leadership = startLeadership({ db, logger, processes, lead, standBy });
      housekeeping = repeat(housekeep, {
        everyMs: HOUSEKEEPING_EVERY_MS,
        onError: (err) => logger.warn({ err }, "trash and versions could not be cleaned up"),
      });
    },

    get status(): MirrorStatus {
      return { ...follower, isLeader, unindexed: indexer.pendingCount };
    },

    async isAvailable() {
      if (follower.suspendedFor !== null) return false;
      try {
        return (await files.stat(VAULT_ROOT)) !== null;
      } catch (error) {
        if (error instanceof DomainError) return false;
        throw error;
      }
    },

    previewProblem: async () => follower.suspendedFor ?? (await identity.previewProblem()),

    findHistoryProblem: () => history.findProblem(),

    lastLookAgeMs: () => selectLookAgeMs(db.pool, "mirror"),

    housekeep,

    acceptEmptied: () => acceptVault(db, clock.now()),

    async close() {
      closing.abort();
      await leadership?.close();
      await housekeeping?.close();
      await deps.linkUpdates.close();
      await indexer.close();
    },
  };
}

async function isAnyThere(files: VaultFiles, paths: readonly VaultPath[]): Promise<boolean> {
  for (const path of paths) if ((await files.stat(path)) !== null) return true;
  return false;
}
