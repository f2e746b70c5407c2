import { createHash } from "node:crypto";
import { chown, link, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { makeDirectory } from "@workspace/db";
import { isInStore, type S3Access } from "@workspace/object-store";
import { BackupError } from "./backup-error.ts";
import { createContentReader, type ContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import type { BackedUpFile } from "./manifest.ts";
import { namingDamage } from "./naming-damage.ts";
import { syncFolder } from "./storage/durable-file.ts";
import type { Repository } from "./repository/repository.ts";
import { openStoredVault } from "./vault/stored-vault.ts";
import { insideOf, writeBackedUpFile } from "./vault/write-vault.ts";

/** How many similar paths an error names. */
const MAX_SUGGESTIONS = 5;

export interface RestoreNoteOptions {
  readonly repository: Repository;
  readonly backupId: string;
  readonly vaultRoot: string;
  /** How the store of the vault is reached; not needed for a folder. */
  readonly vaultS3?: S3Access | null;
  /** In the vault, as it was when the backup was made. */
  readonly path: string;
  /** Where to put it; null for its own place. */
  readonly target: string | null;
  /** Whether to move away a file that is there, under another name beside it. */
  readonly replaces: boolean;
  readonly now: Date;
}

export interface RestoredNote {
  readonly path: string;
  /** False if the file was there already with the same content. */
  readonly isChanged: boolean;
  /** The new path of the file that was there. */
  readonly movedTo: string | null;
}

/** Puts one file of a backup back into the vault, also while the service runs, which notices it like any change from outside. */
export function restoreNote(options: RestoreNoteOptions): Promise<RestoredNote> {
  return namingDamage(`"${options.path}" of the backup ${options.backupId}`, () => restoreFile(options));
}

async function restoreFile(options: RestoreNoteOptions): Promise<RestoredNote> {
  const { repository, backupId, vaultRoot, replaces, now } = options;
  const manifest = await repository.readManifest(backupId);
  const read = createContentReader(repository.chunks);
  const file = await findFile(readFileList(manifest.vault.files, read), options.path, backupId);
  const path = options.target ?? file.path;
  if (isInStore(vaultRoot)) return restoreInStore(options, { file, path, read });
  const place = insideOf(vaultRoot, path);
  if ((await stat(vaultRoot).catch(() => null)) === null) throw new BackupError(`There is no vault at ${vaultRoot}.`);
  const present = await stat(place).catch(() => null);
  if (present?.isFile() === true && present.size === file.size && (await hashOf(place)) === file.sha256) {
    return { path, isChanged: false, movedTo: null };
  }
  if (present !== null && !replaces) {
    throw new BackupError(existsOtherwise(path));
  }
  const folder = dirname(place);
  const missing = await missingFolders(vaultRoot, folder);
  await makeDirectory(folder);
  // The service ignores names that begin with a dot.
  const draft = join(folder, `.restored-${process.pid}-${now.getTime()}`);
  try {
    await writeBackedUpFile(draft, file, read);
    await giveToOwnerOf(vaultRoot, [...missing, draft]);
    const moved = present === null ? null : renamed(path, now);
    if (moved !== null) await rename(place, insideOf(vaultRoot, moved));
    // Fails if another file has appeared there.
    await link(draft, place);
    await syncFolder(folder);
    return { path, isChanged: true, movedTo: moved };
  } finally {
    await rm(draft, { force: true });
  }
}

/** The folders that have yet to be made on the way from the vault to one inside. */
async function missingFolders(vaultRoot: string, folder: string): Promise<string[]> {
  if (folder === vaultRoot || (await stat(folder).catch(() => null)) !== null) return [];
  return [...(await missingFolders(vaultRoot, dirname(folder))), folder];
}

/** What root has written would belong to root, and a service of another user could not change it. */
async function giveToOwnerOf(vaultRoot: string, paths: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(vaultRoot);
  for (const path of paths) await chown(path, uid, gid);
}

/** Like the rest of {@link restoreFile}, for a vault in a store. */
async function restoreInStore(
  { vaultRoot, vaultS3, replaces, now }: RestoreNoteOptions,
  { file, path, read }: { file: BackedUpFile; path: string; read: ContentReader },
): Promise<RestoredNote> {
  const vault = openStoredVault(vaultRoot, vaultS3);
  const present = await vault.readFile(path);
  if (present !== null && createHash("sha256").update(present).digest("hex") === file.sha256) {
    return { path, isChanged: false, movedTo: null };
  }
  if (present !== null && !replaces) throw new BackupError(existsOtherwise(path));
  const movedTo = present === null ? null : renamed(path, now);
  if (movedTo !== null) await vault.rename(path, movedTo);
  if (!(await vault.writeFile(path, file, read))) throw new BackupError(existsOtherwise(path));
  return { path, isChanged: true, movedTo };
}

function existsOtherwise(path: string): string {
  return `"${path}" exists with other content. Use --to for another place, or --replace to rename it.`;
}

async function findFile(files: AsyncIterable<BackedUpFile>, path: string, backupId: string): Promise<BackedUpFile> {
  const similar: string[] = [];
  const name = basename(path).toLowerCase();
  for await (const file of files) {
    if (file.path === path) return file;
    if (similar.length < MAX_SUGGESTIONS && file.path.toLowerCase().includes(name)) similar.push(file.path);
  }
  const hint = similar.length === 0 ? "" : ` Similar: ${similar.join(", ")}.`;
  throw new BackupError(`The backup ${backupId} has no file "${path}".${hint}`);
}

/** `a/plan.md` → `a/plan (replaced 2026-11-26T091500).md` */
function renamed(path: string, now: Date): string {
  const ending = extname(path);
  const stamp = now.toISOString().slice(0, 19).replaceAll(":", "");
  return `${path.slice(0, path.length - ending.length)} (replaced ${stamp})${ending}`;
}

async function hashOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
