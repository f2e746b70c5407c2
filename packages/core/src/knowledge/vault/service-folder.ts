import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from "../../platform/errors.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, parentOf, SERVICE_DIRECTORY, VAULT_ROOT, type VaultPath } from "./vault-path.ts";

export const TRASH_DIRECTORY = childOf(SERVICE_DIRECTORY, "trash");
export const VERSIONS_DIRECTORY = childOf(SERVICE_DIRECTORY, "versions");
const ID_FILE = childOf(SERVICE_DIRECTORY, "id");
const MAX_ID_BYTES = 1024;

const README = `Workspace keeps its data about this vault here:

trash      deleted files, for as long as the settings say
versions   earlier contents of overwritten files
id         the workspace that the vault belongs to

Back it up together with the vault. Anything removed from here can no longer be restored.
`;

/** Files next to the folders, so that people know what they are looking at and git ignores them. */
const NOTES: readonly (readonly [name: string, text: string])[] = [
  ["README.txt", README],
  [".gitignore", "*\n"],
];

export interface ServiceFolderOptions {
  readonly files: VaultFiles;
}

export type ServiceFolder = ReturnType<typeof createServiceFolder>;

/**
 * The service's own folder in the vault. It is in the vault, not in the data directory of a process, so that every process
 * working on the vault sees it, and on the same file system, so that files can be moved into it instead of copied.
 */
export function createServiceFolder({ files }: ServiceFolderOptions) {
  async function writeIfMissing(path: VaultPath, text: string): Promise<void> {
    const slot = await files.openSlot(path, { create: true });
    try {
      if ((await slot.stat()) !== null) return;
      await slot.stage(Buffer.from(text), null);
      await slot.commit({ expected: null, keepAt: null });
    } finally {
      await slot.release();
    }
  }

  /** Checks the directory or, if it does not exist yet, the one in which it would be created. */
  async function assertUsable(path: VaultPath): Promise<void> {
    try {
      await files.assertUsable(path);
    } catch (error) {
      const isMissing = error instanceof NotFoundError && path !== VAULT_ROOT && (await files.stat(path)) === null;
      if (!isMissing) throw error;
      await assertUsable(parentOf(path));
    }
  }

  return {
    /** Creates the folder with its notes. Idempotent; several processes may do so at once. */
    async prepare(): Promise<void> {
      for (const [name, text] of NOTES) await writeIfMissing(childOf(SERVICE_DIRECTORY, name), text);
    },

    /** Reads the id of the vault; null if it has none. */
    async readId(): Promise<string | null> {
      try {
        const file = await files.openFile(ID_FILE);
        try {
          return (await file.readAll(MAX_ID_BYTES)).toString("utf8").trim();
        } finally {
          file.release();
        }
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },

    /** Writes the id of the vault, unless it has one. */
    writeId: (id: string): Promise<void> => writeIfMissing(ID_FILE, `${id}\n`),

    /**
     * Runs work that needs the folder before anything may be deleted or overwritten. Throws UnavailableError if the folder
     * cannot be used, so that nothing is lost.
     */
    async use<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (error) {
        throw toFolderError(error);
      }
    },

    /** Throws UnavailableError unless trash and versions can be read and written. */
    async assertUsable(): Promise<void> {
      try {
        for (const path of [TRASH_DIRECTORY, VERSIONS_DIRECTORY]) await assertUsable(path);
      } catch (error) {
        throw toFolderError(error);
      }
    },
  };
}

function toFolderError(cause: unknown): unknown {
  const isAboutFolder =
    cause instanceof ConflictError ||
    cause instanceof ForbiddenError ||
    cause instanceof InvalidInputError ||
    cause instanceof NotFoundError;
  if (!isAboutFolder) return cause;
  return new UnavailableError(
    "The folder .workspace in the vault, where deleted files and earlier versions are kept, cannot be used by this server " +
      `process, so it deletes and overwrites nothing: ${cause.message}`,
    { cause },
  );
}
