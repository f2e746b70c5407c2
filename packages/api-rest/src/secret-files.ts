import { randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The text of a file that only its owner may read; empty if there is no such file. */
export async function readSecretFile(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** Writes or replaces such a file. Durable once it resolves; a crash leaves either the old content or the new. */
export async function writeSecretFile(path: string, text: string): Promise<void> {
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

/** A new name in a directory survives a power failure only once the directory itself has been synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
