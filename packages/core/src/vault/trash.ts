import { join } from "node:path";
import * as z from "zod";
import { pathDirectory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { removeEntry } from "./move-entry.ts";
import { writeNewFile } from "./new-file.ts";
import { openRegularFile } from "./regular-file.ts";
import { ensureServiceDirectory, listServiceDirectory } from "./service-directory.ts";
import type { VaultFiles } from "./vault-files.ts";
import { parseVaultPath, type VaultPath } from "./vault-path.ts";

const LABEL_NAME = "label.json";
const CONTENT_NAME = "content";
const MAX_LABEL_BYTES = 64 * 1024;

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
  readonly directory: string;
}

export type Trash = ReturnType<typeof createTrash>;

/**
 * Where deleted files stay for a while, byte for byte: one folder per deletion, with what was deleted and a label that says
 * where it was. The label is written first, so that a deletion that a crash has interrupted can be told and finished.
 * What is in the trash is named by a key: `<folder>/content`, and for a file of a deleted directory the path below it.
 */
export function createTrash({ calls, files, directory }: TrashOptions) {
  const folderOf = (id: string) => join(directory, id);

  async function readLabel(id: string): Promise<TrashEntry | null> {
    try {
      const file = await openRegularFile(calls, pathDirectory(calls, folderOf(id)), LABEL_NAME);
      try {
        const label = labelSchema.parse(JSON.parse((await file.readAll(MAX_LABEL_BYTES)).toString("utf8")));
        return { id, path: parseVaultPath(label.path), deletedAt: new Date(label.deletedAt) };
      } finally {
        file.release();
      }
    } catch (error) {
      // A folder that a crash left without a whole label; nothing was moved into it yet.
      if (systemErrorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError)
        return null;
      throw error;
    }
  }

  const removeFolder = (id: string) => removeEntry(calls, { directory: pathDirectory(calls, directory), name: id });

  return {
    /** Moves a file or directory into the trash, as `id`. A failure leaves it in the vault. */
    async put(path: VaultPath, { id, deletedAt }: { id: string; deletedAt: Date }): Promise<void> {
      const folder = folderOf(id);
      await ensureServiceDirectory(calls, folder);
      try {
        const label = JSON.stringify({ path, deletedAt: deletedAt.toISOString() });
        await writeNewFile({ calls, path: join(folder, LABEL_NAME), content: Buffer.from(label), like: null });
        await files.moveOut(path, join(folder, CONTENT_NAME));
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
    async stat(key: string): Promise<FileStat | null> {
      try {
        return toFileStat(await calls.lstat(join(directory, key)));
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT" || systemErrorCode(error) === "ENOTDIR") return null;
        throw error;
      }
    },

    /** Moves a file back into the vault. Throws ConflictError where the path is taken. */
    async takeBack(key: string, path: VaultPath): Promise<void> {
      await files.moveIn(join(directory, key), path);
      const [id = ""] = key.split("/");
      await removeEmptied(id).catch(() => undefined);
    },

    async list(): Promise<TrashEntry[]> {
      const entries: TrashEntry[] = [];
      for (const id of await listServiceDirectory(calls, directory)) {
        const entry = await readLabel(id);
        if (entry !== null) entries.push(entry);
      }
      return entries;
    },

    /** Removes what was deleted before a date, for good. Answers the ids. */
    async purge(before: Date): Promise<string[]> {
      const expired = (await this.list()).filter(({ deletedAt }) => deletedAt < before);
      for (const { id } of expired) await removeFolder(id);
      return expired.map(({ id }) => id);
    },
  };

  /** Removes a folder from which the content has been taken as a whole. */
  async function removeEmptied(id: string): Promise<void> {
    const names = await listServiceDirectory(calls, folderOf(id));
    if (!names.includes(CONTENT_NAME)) await removeFolder(id);
  }
}
