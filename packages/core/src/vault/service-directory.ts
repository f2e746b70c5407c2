import { dirname } from "node:path";
import { syncDirectory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";

/** Makes a directory of the service's own data, and those above it, durably. Nobody else may look into it. */
export async function ensureServiceDirectory(calls: FileSystemCalls, path: string): Promise<void> {
  try {
    await calls.mkdir(path, 0o700);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await ensureServiceDirectory(calls, dirname(path));
    await ensureServiceDirectory(calls, path);
    return;
  }
  await syncDirectory(calls, dirname(path));
}

/** The names in a directory of the service's own; none where it does not exist yet. */
export async function listServiceDirectory(calls: FileSystemCalls, path: string): Promise<string[]> {
  try {
    return (await calls.readdir(path)).map((name) => name.toString("utf8"));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}
