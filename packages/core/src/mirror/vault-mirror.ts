import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { DomainError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import { repeat, type Closable } from "../platform/repeat.ts";
import type { TextIndexer } from "../documents/text-indexer.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { VaultMissingError } from "../vault/directory.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";
import { selectLookAgeMs } from "./leadership.queries.ts";
import { startLeadership, type Term } from "./mirror-leadership.ts";
import { acceptVault, readSuspension } from "./mirror-state.ts";
import type { MirrorWriter } from "./mirror-writer.ts";
import { selectSomeRecordedPaths } from "./mirror.queries.ts";
import { followVault, type FollowerStatus } from "./vault-follower.ts";
import type { VaultIdentity } from "./vault-identity.ts";

const SAMPLE_PATHS = 200;
const HOUSEKEEPING_EVERY_MS = 6 * 60 * 60_000;
const NOT_YET_CHECKED = "The vault looks empty and is being checked. Try again in a moment.";

export interface MirrorStatus extends FollowerStatus {
  /** Whether this process mirrors; another one may. */
  readonly isLeader: boolean;
  /** Texts of this process that wait to be found by searches. */
  readonly unindexed: number;
}

export interface VaultMirrorDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: ProcessRegistry;
  readonly files: VaultFiles;
  /** The same vault without an expectation about its root; see `MirrorPassesDeps`. */
  readonly anyRoot: VaultFiles;
  readonly identity: VaultIdentity;
  /** The service's folder in the vault. */
  readonly folder: ServiceFolder;
  /** Brings into the vault what this process kept elsewhere in earlier releases. Idempotent. */
  readonly adoptFormer: () => Promise<void>;
  readonly writer: MirrorWriter;
  readonly indexer: TextIndexer;
  /** Runs at the start and every few hours, in every process. */
  readonly housekeep: () => Promise<void>;
}

export interface VaultMirror extends Closable {
  /** Begins to mirror in the background, if no other process does. From here on an emptied vault is protected. */
  start(): Promise<void>;
  readonly status: MirrorStatus;
  /** How long ago the process that mirrors knew that documents and files were in step; null where that has never been so. */
  lastLookAgeMs(): Promise<number | null>;
  /** Whether the vault is there and is what it was. */
  isAvailable(): Promise<boolean>;
  /** Why this process cannot use the vault's trash and versions, as one sentence for people; null where it can. */
  findHistoryProblem(): Promise<string | null>;
  /** Tidies up trash and versions now; else it is done at the start and every few hours. */
  housekeep(): Promise<void>;
  /** Has the vault taken as it is, although nothing that was known is in it: its documents will count as deleted. */
  acceptEmptied(): Promise<void>;
}

/**
 * Keeps the documents in step with the files: all are compared at the start, changes are followed within a second, and all
 * are compared again now and then, because watching alone misses some. Of all processes on a database one does this; each
 * may write.
 *
 * A process whose folder is not the workspace's vault neither mirrors nor reads nor writes it, and leaves the others alone.
 * While the vault is missing, or nothing is left in it of what was known, no document is changed, and the files refuse
 * changes: what looks like an empty vault may be a disk that is not mounted.
 */
export function createVaultMirror(deps: VaultMirrorDeps): VaultMirror {
  const { db, clock, logger, processes, files, anyRoot, identity, folder, indexer } = deps;
  let follower: FollowerStatus = { suspendedFor: null, files: null, progress: null };
  let isLeader = false;
  let isPrepared = false;
  /** Why what this process kept in earlier releases is not in the vault; null where it is. */
  let formerProblem: string | null = null;
  let leadership: Closable | undefined;
  let housekeeping: Closable | undefined;

  /** Opens the vault to this process if it is the workspace's, else closes it. Answers whether it is open. */
  async function openVault(): Promise<boolean> {
    const problem = await identity.findProblem();
    files.close(problem);
    if (problem !== null) {
      if (follower.suspendedFor !== problem) logger.error({ reason: problem }, "this process cannot use the vault");
      follower = { suspendedFor: problem, files: null, progress: null };
      return false;
    }
    if (!isPrepared) {
      isPrepared = true;
      await folder.prepare().catch((err: unknown) => logger.warn({ err }, "the folder .workspace could not be made"));
      await adoptFormer();
    }
    return true;
  }

  async function adoptFormer(): Promise<void> {
    try {
      await deps.adoptFormer();
      formerProblem = null;
    } catch (error) {
      logger.error({ err: error }, "trash and versions could not be moved into the vault");
      const why = error instanceof DomainError ? error.message : "The disk failed.";
      formerProblem = `What this process kept of deleted files and earlier versions could not be moved into the vault: ${why}`;
    }
  }

  async function housekeep(): Promise<void> {
    if (formerProblem !== null) await adoptFormer();
    await deps.housekeep();
  }

  async function assertOpen(): Promise<void> {
    const problem = await identity.findProblem();
    if (problem !== null) throw new VaultMissingError(problem);
  }

  /** Leaves it to another process where this one cannot use the vault. */
  async function lead(term: Term): Promise<void> {
    if (!(await openVault())) return;
    isLeader = true;
    try {
      await followVault({ ...deps, assertOpen, onStatus: (status) => (follower = status) }, term);
    } finally {
      isLeader = false;
    }
  }

  /** Takes over what the leading process has found out. */
  async function standBy(): Promise<void> {
    if (!(await openVault())) return;
    const suspendedFor = await readSuspension(db);
    follower = { suspendedFor, files: null, progress: null };
    files.refuseChanges(suspendedFor);
    if (suspendedFor === null) files.expectRoot(await anyRoot.stat(VAULT_ROOT));
  }

  async function hasAnyOf(paths: Awaited<ReturnType<typeof selectSomeRecordedPaths>>): Promise<boolean> {
    for (const path of paths) if ((await anyRoot.stat(path)) !== null) return true;
    return false;
  }

  return {
    async start() {
      await openVault();
      const paths = await selectSomeRecordedPaths(db.pool, SAMPLE_PATHS);
      const looksEmptied = paths.length > 0 && !(await hasAnyOf(paths).catch(() => false));
      if (looksEmptied) files.refuseChanges(NOT_YET_CHECKED);
      leadership = startLeadership({ db, logger, processes, lead, standBy });
      housekeeping = repeat(housekeep, {
        everyMs: HOUSEKEEPING_EVERY_MS,
        onError: (err) => logger.warn({ err }, "trash and versions could not be tidied up"),
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

    async findHistoryProblem() {
      try {
        await folder.assertUsable();
        return formerProblem;
      } catch (error) {
        if (error instanceof DomainError) return error.message;
        throw error;
      }
    },

    lastLookAgeMs: () => selectLookAgeMs(db.pool),

    housekeep,

    acceptEmptied: () => acceptVault(db, clock.now()),

    async close() {
      await leadership?.close();
      await housekeeping?.close();
      await indexer.close();
    },
  };
}
