import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "./sync-path.ts";
import { errorCode } from "./system-error.ts";

const UNSUPPORTED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP"]);

/**
 * Creates a directory and its missing parents, durably; does nothing if it exists. Node's own recursive mkdir never returns on file
 * systems such as /proc, which report the parent of what they refuse to create as missing.
 */
export async function makeDirectory(path: string, { mode = 0o777 }: { mode?: number } = {}): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent, { mode });
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isDirectory(path))) throw error;
  }
  await syncIfPossible(parent);
}

/** A parent that may be entered but not read, and file systems and platforms without such a call, do without. */
async function syncIfPossible(path: string): Promise<void> {
  try {
    await syncPath(path);
  } catch (error) {
    if (!UNSUPPORTED.has(errorCode(error) ?? "")) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
