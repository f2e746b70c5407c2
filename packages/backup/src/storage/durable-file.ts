import { randomBytes } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../vault/list-folder.ts";

/** Names of files that a killed process may leave behind; whoever holds the lock of the folder may remove them. */
export const DRAFT_NAME = /^\.[0-9a-f]{16}\.draft$/;

/**
 * Writes a file under another name, syncs it, and renames it: whatever happens, it is missing or whole. Its name is durable once
 * its folder has been synced.
 */
export async function placeFile(path: string, content: Buffer): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Like {@link placeFile}, but fails with EEXIST if there is such a file. */
export async function placeNewFile(path: string, content: Buffer): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, content: Buffer): Promise<string> {
  const draft = join(dirname(path), `.${randomBytes(8).toString("hex")}.draft`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Makes the entries of a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Like {@link syncFolder}, but does nothing if there is no such folder. */
export async function syncFolderIfExists(path: string): Promise<void> {
  await syncFolder(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
