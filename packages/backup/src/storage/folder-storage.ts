import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataDirInUseError, lockDataDir, makeDirectory } from "@workspace/db";
import { BackupError } from "../backup-error.ts";
import { isMissing } from "../vault/list-folder.ts";
import type { BackupStorage } from "./backup-storage.ts";
import { DRAFT_NAME, placeFile, placeNewFile, syncFolderIfExists } from "./durable-file.ts";

/** Objects as files of a folder. */
export function createFolderStorage(dir: string): BackupStorage {
  const touched = new Set<string>();
  const known = new Set<string>();

  /** The path of an object whose folder exists. */
  async function placeOf(name: string): Promise<string> {
    const path = join(dir, name);
    const folder = dirname(path);
    if (!known.has(folder)) await makeDirectory(folder, { mode: 0o700 });
    // The entry of the folder itself has to be durable too.
    if (!known.has(folder)) touched.add(dirname(folder));
    known.add(folder);
    touched.add(folder);
    return path;
  }

  return {
    name: dir,
    async isEmpty() {
      await makeDirectory(dir, { mode: 0o700 });
      return (await readdir(dir)).every((name) => name === "instance.lock" || name.startsWith("."));
    },
    async list(folder) {
      const names = await readdir(join(dir, folder), { recursive: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const sizes = new Map<string, number>();
      for (const name of names) {
        const found = await stat(join(dir, folder, name)).catch(() => null);
        if (found?.isFile() === true) sizes.set(`${folder}/${name}`, found.size);
      }
      return sizes;
    },
    async read(name) {
      try {
        return await readFile(join(dir, name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    write: async (name, content) => placeFile(await placeOf(name), content),
    keep: async (name) => void (await placeOf(name)),
    async writeNew(name, content) {
      try {
        await placeNewFile(await placeOf(name), content);
        return true;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
        throw error;
      }
    },
    async remove(names) {
      for (const name of names) {
        await rm(join(dir, name), { force: true });
        touched.add(dirname(join(dir, name)));
      }
    },
    async flush() {
      for (const folder of touched) await syncFolderIfExists(folder);
      touched.clear();
    },
    async removeDrafts() {
      for (const name of await readdir(dir, { recursive: true })) {
        if (DRAFT_NAME.test(name.slice(name.lastIndexOf("/") + 1))) await rm(join(dir, name), { force: true });
      }
    },
    lock: (access) => lock(dir, access),
  };
}

async function lock(dir: string, access: "read" | "write"): Promise<(() => Promise<void>) | null> {
  try {
    const held = await lockDataDir(dir);
    return () => held.release();
  } catch (error) {
    if (error instanceof DataDirInUseError) {
      throw new BackupError(`Another backup, restore or check is using ${dir}. Wait for it to end.`, { cause: error });
    }
    const isReadOnly = error instanceof Error && "code" in error && /^(EROFS|EACCES|EPERM)$/.test(String(error.code));
    if (access === "read" && isReadOnly) return null;
    throw error;
  }
}
