import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

/** What a folder contains, as paths relative to it, separated by slashes. */
export interface FolderContents {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly { path: string; target: string }[];
  /** What is there but cannot be read, or cannot be named: names that are not UTF-8, folders without access. */
  readonly unreadable: readonly string[];
}

/** Names that are not valid UTF-8 are read with this character, and cannot be opened by what is read. */
const REPLACEMENT = "\uFFFD";

/** Lists everything below a folder, in a fixed order; what is neither file, folder nor link (a socket, say) is left out. */
export async function listFolder(root: string): Promise<FolderContents> {
  const files: string[] = [];
  const folders: string[] = [];
  const links: { path: string; target: string }[] = [];
  const unreadable: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === "") throw error;
      // A folder that is removed meanwhile is no problem.
      if (!isMissing(error)) unreadable.push(folder);
      return [];
    });
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.includes(REPLACEMENT)) unreadable.push(path);
      else if (entry.isFile()) files.push(path);
      else if (entry.isDirectory()) {
        folders.push(path);
        pending.push(path);
      } else if (entry.isSymbolicLink()) {
        const target = await readlink(join(root, path)).catch(() => null);
        if (target !== null) links.push({ path, target });
      }
    }
  }
  return { files: files.toSorted(), folders: folders.toSorted(), links, unreadable };
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
