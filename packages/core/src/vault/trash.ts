import * as z from "zod";
import { DomainError, NotFoundError, UnavailableError } from "../platform/errors.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import type { FileStat } from "./file-stat.ts";
import { removeEntry } from "./move-entry.ts";
import { TRASH_DIRECTORY, type ServiceFolder } from "./service-folder.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, parseVaultPath, type VaultPath } from "./vault-path.ts";

const LABEL_NAME = "label.json";
const CONTENT_NAME = "content";
const MAX_LABEL_BYTES = 64 * 1024;
/** What is given up is first renamed to this, so that nobody finds it half removed. */
const GIVEN_UP = ".given-up-";

const labelSchema = z.object({ path: z.string(), deletedAt: z.iso.datetime() });

/** One deleted file or directory. */
export interface TrashEntry {
  /** Its folder in the trash. */
  readonly id: string;
  readonly path: VaultPath;
  readonly deletedAt: Date;
}

export interface TrashOptions {
  readonly calls: FileSystemCalls;
  readonly files: VaultFiles;
  readonly folder: ServiceFolder;
}

export type Trash = ReturnType<typeof createTrash>;

/**
 * Where deleted files stay for a while, byte for byte: one folder per deletion, with what was deleted and a label that says
 * where it was. The label is written first, so that a deletion that a crash has interrupted can be told and finished.
 * What is in the trash is named by a key: `<folder>/content`, and for a file of a deleted directory the path below it.
 */
export function createTrash({ calls, files, folder }: TrashOptions) {
  const folderOf = (id: string) => childOf(TRASH_DIRECTORY, id);
  const placeOf = (key: string) => childOf(TRASH_DIRECTORY, key);

  async function readLabel(id: string): Promise<TrashEntry | null> {
    try {
      const file = await files.openFile(childOf(folderOf(id), LABEL_NAME));
      try {
        const label = labelSchema.parse(JSON.parse((await file.readAll(MAX_LABEL_BYTES)).toString("utf8")));
        return { id, path: parseVaultPath(label.path), deletedAt: new Date(label.deletedAt) };
      } finally {
        file.release();
      }
    } catch (error) {
      // A folder that a crash left without a whole label, with nothing moved into it yet, or not one of the service's.
      const isNoLabel = error instanceof DomainError && !(error instanceof UnavailableError);
      if (isNoLabel || error instanceof SyntaxError || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  /** Its name survives a power cut with the content, whose move syncs the same folder. */
  async function writeLabel({ id, path, deletedAt }: TrashEntry): Promise<void> {
    const slot = await files.openSlot(childOf(folderOf(id), LABEL_NAME), { create: true });
    try {
      await slot.stage(Buffer.from(JSON.stringify({ path, deletedAt: deletedAt.toISOString() })), null);
      await (await slot.place({ expected: null, keepAt: null })).finish();
    } finally {
      await slot.release();
    }
  }

  async function namesIn(path: VaultPath): Promise<string[]> {
    try {
      return await files.inDirectory(path, async (directory) =>
        (await calls.readdir(directory.entry("."))).map((name) => name.toString("utf8")),
      );
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }

  const removeFolder = (name: string): Promise<void> =>
    files.inDirectory(TRASH_DIRECTORY, (directory) => removeEntry(calls, { directory, name }));

  return {
    /** Moves a file or directory into the trash, as `id`. A failure leaves it in the vault. */
    async put(path: VaultPath, { id, deletedAt }: Omit<TrashEntry, "path">): Promise<void> {
      try {
        await folder.use(() => writeLabel({ id, path, deletedAt }));
        await files.move(path, childOf(folderOf(id), CONTENT_NAME));
      } catch (error) {
        await removeEmptied(id).catch(() => undefined);
        throw error;
      }
    },

    /** The key of what was at `path` when `id` was deleted. */
    keyOf({ id, path: deleted }: Pick<TrashEntry, "id" | "path">, path: VaultPath): string {
      return path === deleted ? `${id}/${CONTENT_NAME}` : `${id}/${CONTENT_NAME}/${path.slice(deleted.length + 1)}`;
    },

    /** The file of this key, as it lies in the trash; null where the trash does not have it any more. */
    stat: (key: string): Promise<FileStat | null> => files.stat(placeOf(key)),

    /** Moves a file back into the vault. Throws ConflictError where the path is taken. */
    async takeBack(key: string, path: VaultPath): Promise<void> {
      await files.move(placeOf(key), path);
      const [id = ""] = key.split("/");
      await removeEmptied(id).catch(() => undefined);
    },

    async list(): Promise<TrashEntry[]> {
      const entries: TrashEntry[] = [];
      for (const id of await namesIn(TRASH_DIRECTORY)) {
        const entry = id.startsWith(".") ? null : await readLabel(id);
        if (entry !== null) entries.push(entry);
      }
      return entries;
    },

    /** Takes an entry out of the trash for good, at once; its bytes go with {@link removeGivenUp}. */
    giveUp: (id: string): Promise<void> =>
      files.inDirectory(TRASH_DIRECTORY, (directory) =>
        calls.rename(directory.entry(id), directory.entry(`${GIVEN_UP}${id}`)),
      ),

    /** Removes the bytes of what was given up, now or before a crash. */
    async removeGivenUp(): Promise<void> {
      const names = await namesIn(TRASH_DIRECTORY);
      for (const name of names.filter((each) => each.startsWith(GIVEN_UP))) await removeFolder(name);
    },
  };

  /** Removes a folder from which the content has been taken as a whole. */
  async function removeEmptied(id: string): Promise<void> {
    const names = await namesIn(folderOf(id));
    if (!names.includes(CONTENT_NAME)) await removeFolder(id);
  }
}
