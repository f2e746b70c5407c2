import type { Deps } from "../../platform/deps.ts";
import { DomainError, UnavailableError } from "../../platform/errors.ts";
import { VaultMissingError } from "../vault/directory.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { looksEmptied, NONE_IS_THERE } from "./emptied-vault-check.ts";
import { hasAcceptance, readVaultId, saveVaultId } from "./mirror-state.ts";
import { selectRecentPaths } from "./mirror.queries.ts";

const SAMPLE_PATHS = 200;

const IS_FOREIGN =
  "The folder is the vault of another workspace. Check VAULT_PATH; if the folder is right, delete the file .workspace/id in it.";
const IS_UNKNOWN =
  "The folder does not look like the vault of this workspace: few or none of the known files are in it. Check VAULT_PATH and " +
  "whether its disk is mounted; if the folder is right, accept it with POST /api/documents/mirror/accept.";

export interface VaultIdentityDeps extends Deps<"db" | "clock" | "ids"> {
  /** The vault, with any directory accepted as its root. */
  readonly anyRoot: VaultFiles;
  /** The service's folder in it. */
  readonly folder: ServiceFolder;
}

export type VaultIdentity = ReturnType<typeof createVaultIdentity>;

/**
 * Distinguishes the workspace's vault from any other folder, so that a process with the wrong folder, or whose disk is not
 * mounted, changes nothing. The vault contains an id that is also in the database. A folder without an id, such as a vault
 * restored without its hidden files, is recognized by its contents.
 */
export function createVaultIdentity({ db, clock, ids, anyRoot, folder }: VaultIdentityDeps) {
  /** Never changes once it is set. */
  let recordedId: string | null = null;

  /** Returns undefined if the id cannot be read. */
  async function readId(): Promise<string | null | undefined> {
    try {
      return await folder.readId();
    } catch (error) {
      if (error instanceof DomainError && !(error instanceof VaultMissingError)) return undefined;
      throw error;
    }
  }

  /** At least half of the most recently changed files must be there; if the vault never had an id, at least one. */
  async function hasKnownFiles(): Promise<boolean> {
    const paths = await selectRecentPaths(db.pool, SAMPLE_PATHS);
    const foundCount = (await anyRoot.statAll(paths)).filter((stat) => stat !== null).length;
    return foundCount >= (recordedId === null ? Math.min(paths.length, 1) : paths.length / 2);
  }

  /** Changes nothing. */
  async function judge(id: string | null | undefined): Promise<string | null> {
    recordedId ??= await readVaultId(db);
    if (recordedId !== null && id === recordedId) return null;
    if (recordedId !== null && typeof id === "string") return IS_FOREIGN;
    return (await hasKnownFiles()) || (await hasAcceptance(db)) ? null : IS_UNKNOWN;
  }

  async function compare(): Promise<string | null> {
    const id = await readId();
    const problem = await judge(id);
    if (problem !== null || (recordedId !== null && id === recordedId)) return problem;
    recordedId ??= await saveVaultId(db, id ?? ids(), clock.now());
    if (typeof id === "string") return id === recordedId ? null : IS_FOREIGN;
    if (id === null) await folder.writeId(recordedId);
    return null;
  }

  async function explain(judgeFolder: () => Promise<string | null>): Promise<string | null> {
    try {
      return (await anyRoot.findProblem()) ?? (await judgeFolder());
    } catch (error) {
      if (error instanceof VaultMissingError) return error.message;
      throw error;
    }
  }

  return {
    /** Why the folder must not be used as the workspace's vault; null if it may, which is then recorded. */
    findProblem: () => explain(compare),

    /** Why what is there must not be taken for the vault's content, as a sentence; null if it may. Records nothing. */
    async previewProblem(): Promise<string | null> {
      try {
        const problem = await explain(async () => judge(await readId()));
        return problem ?? ((await looksEmptied(db, anyRoot)) ? NONE_IS_THERE : null);
      } catch (error) {
        if (error instanceof UnavailableError) return error.message;
        throw error;
      }
    },
  };
}
