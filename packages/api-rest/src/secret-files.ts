import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What sessions are signed with, unless SERVICE_SECRET is set; in the data directory. */
export const SIGNING_SECRET_FILE = "service-secret";

/**
 * The value kept in a file that only its owner may read; made at random on first use. Safe to call from several processes
 * at once: all of them get the same value, and a crash leaves either no file or a whole one.
 */
export async function readOrCreateSecretFile(path: string): Promise<string> {
  const existing = await readSecret(path);
  if (existing !== null) return existing;
  const draft = await writeDraft(path, randomBytes(32).toString("base64url"));
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  await syncDirectory(dirname(path));
  const stored = await readSecret(path);
  if (stored === null)
    throw new Error(`The secret file ${path} is empty. Restore it from a backup, or remove it to start anew.`);
  return stored;
}

/** Replaces such a file's content. Durable when it resolves; a crash leaves the old content or the new one. */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  const draft = await writeDraft(path, text);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = join(dirname(path), `.${randomBytes(8).toString("hex")}.tmp`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

/** A new name in a directory survives a power cut only once the directory is written out too. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readSecret(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    return text === "" ? null : text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
