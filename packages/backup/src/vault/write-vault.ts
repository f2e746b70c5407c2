import { createHash } from "node:crypto";
import { mkdir, open, rm, symlink, utimes } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { makeDirectory } from "@workspace/db";
import pLimit from "p-limit";
import { BackupError, DamagedError } from "../backup-error.ts";
import type { ContentReader } from "../content-reader.ts";
import { readFileList } from "../file-list.ts";
import type { BackedUpFile, Manifest } from "../manifest.ts";
import { syncFolder } from "../storage/durable-file.ts";
import { type Attempt, collectLeftOut } from "./left-out.ts";

/** Waiting for the disk takes most of the time. */
const CONCURRENT_FILES = 8;

/** Writes the files of a backup into an empty folder; returns those that it had to leave out. Durable once it resolves. */
export async function writeVault(root: string, vault: Manifest["vault"], read: ContentReader): Promise<string[]> {
  await makeDirectory(root);
  const folders = new Set<string>([root]);
  for (const folder of vault.folders) {
    const path = insideOf(root, folder);
    await mkdir(path, { recursive: true });
    folders.add(path);
  }
  const limit = pLimit(CONCURRENT_FILES);
  const writing = new Set<Promise<void>>();
  const leftOut = collectLeftOut();
  let count = 0;
  for await (const file of readFileList(vault.files, read)) {
    const path = insideOf(root, file.path);
    if (!folders.has(dirname(path))) {
      await mkdir(dirname(path), { recursive: true });
      folders.add(dirname(path));
    }
    const work: Attempt = {
      write: (watched) => writeBackedUpFile(path, file, watched),
      remove: () => rm(path, { force: true }),
    };
    const write = limit(() => leftOut.attempt(file, read, work));
    writing.add(write);
    void write.then(
      () => writing.delete(write),
      () => {},
    );
    if (writing.size > 2 * CONCURRENT_FILES) await Promise.race(writing);
    count += 1;
  }
  await Promise.all(writing);
  // Last, so that no file is written through a link.
  for (const { path, target } of vault.links) await symlink(target, insideOf(root, path));
  for (const folder of folders) await syncFolder(folder);
  if (count !== vault.fileCount) {
    throw new BackupError(`The list of the backup has ${count} files, but should have ${vault.fileCount}.`);
  }
  return leftOut.paths();
}

/** Writes a file that must not exist yet, with its time and permissions, and checks its content. */
export async function writeBackedUpFile(
  path: string,
  { path: name, mode, sha256, parts, mtimeNs }: BackedUpFile,
  read: ContentReader,
): Promise<void> {
  const hash = createHash("sha256");
  const file = await open(path, "wx", mode);
  try {
    for await (const piece of read(parts)) {
      hash.update(piece);
      await file.writeFile(piece);
    }
    if (hash.digest("hex") !== sha256) throw new DamagedError(`${name} is damaged in the backup.`);
    await file.sync();
  } finally {
    await file.close();
  }
  const seconds = Number(BigInt(mtimeNs) / 1_000_000n) / 1000;
  await utimes(path, seconds, seconds);
}

/** Throws {@link BackupError} if a path of a backup leads out of the folder. */
export function insideOf(root: string, path: string): string {
  const names = path.split("/");
  const isPlain = !isAbsolute(path) && names.every((name) => name !== "" && name !== "." && name !== "..");
  if (!isPlain || path.includes("\0")) throw new BackupError(`The backup contains the forbidden path "${path}".`);
  return join(root, ...names);
}
