import type { FileStat } from "./file-stat.ts";
import { TRASH_DIRECTORY, type ServiceFolder } from "./service-folder.ts";
import { readTrashLabel, writeTrashLabel, type TrashEntry } from "./trash-label.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, type VaultPath } from "./vault-path.ts";

const CONTENT_NAME = "content";

export interface TrashOptions {
  readonly files: VaultFiles;
  readonly folder: ServiceFolder;
}

export type Trash = ReturnType<typeof createTrash>;

/**
 * Keeps deleted files for a while, byte for byte: one folder per deletion, containing what was deleted and a label with its
 * former path. The label is written first, so that a deletion that was interrupted by a crash can be recognized and
 * completed. A file in the trash is identified by a key: `<folder>/content`, followed by the path of the file within it if a
 * directory was deleted.
 */
export function createTrash({ files, folder }: TrashOptions) {
  const folderOf = (id: string) => childOf(TRASH_DIRECTORY, id);
  const pathOf = (key: string) => childOf(TRASH_DIRECTORY, key);

  /** Removes the folder of a deletion whose content is no longer in it. */
  async function removeEmptied(id: string): Promise<void> {
    const names = await files.readNames(folderOf(id));
    if (!names.includes(CONTENT_NAME)) await files.removeTree(folderOf(id));
  }

  return {
    /** Moves a file or directory into the trash. On failure it stays in the vault. */
    async put(path: VaultPath, { id, deletedAt }: Omit<TrashEntry, "path">): Promise<void> {
      try {
        await folder.use(() => writeTrashLabel(files, { id, path, deletedAt }));
        const move = await files.move(path, childOf(folderOf(id), CONTENT_NAME));
        await move.finish();
      } catch (error) {
        await removeEmptied(id).catch(() => undefined);
        throw error;
      }
    },

    /** The key of the file that was at `path` when the entry was deleted. */
    keyOf({ id, path: deleted }: Pick<TrashEntry, "id" | "path">, path: VaultPath): string {
      return path === deleted ? `${id}/${CONTENT_NAME}` : `${id}/${CONTENT_NAME}/${path.slice(deleted.length + 1)}`;
    },

    /** The file with this key; null if it is no longer in the trash. */
    stat: (key: string): Promise<FileStat | null> => files.stat(pathOf(key)),

    /** Moves a file back into the vault. Throws ConflictError if the path is taken. */
    async restore(key: string, path: VaultPath): Promise<void> {
      const move = await files.move(pathOf(key), path);
      await move.finish();
      const [id = ""] = key.split("/");
      await removeEmptied(id).catch(() => undefined);
    },

    async list(): Promise<TrashEntry[]> {
      const entries: TrashEntry[] = [];
      for (const id of await files.readNames(TRASH_DIRECTORY)) {
        const entry = id.startsWith(".") ? null : await readTrashLabel(files, id);
        if (entry !== null) entries.push(entry);
      }
      return entries;
    },

    /** Takes an entry out of the trash for good. {@link removeDiscarded} then deletes its bytes. */
    discard: (id: string): Promise<void> => files.discard(folderOf(id)),

    /** Deletes the bytes of discarded entries, including those left over from a crash. */
    removeDiscarded: (): Promise<void> => files.removeDiscarded(TRASH_DIRECTORY),
  };
}
