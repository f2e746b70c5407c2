import * as fs from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, errorCode, hasCode, temporaryPathFor } from "../files/atomic-file.ts";
import { type RawPath, forFs } from "./raw-path.ts";

/**
 * The large packs of the project's own repositories, kept as they are: as copies that share their blocks where the file system
 * can do that, otherwise as second names (hard links), which take no space either and outlive the deletion of the first. On
 * another file system than the project's they are copied, up to a size.
 */
export class KeptFiles {
  readonly #directory: string;
  readonly #maxCopyBytes: number;
  readonly #knownDirs = new Set<string>();

  constructor(directory: string, maxCopyBytes: number) {
    this.#directory = directory;
    this.#maxCopyBytes = maxCopyBytes;
  }

  /** Keeps a file under its name among objects, such as `pack/pack-0123….pack`. Returns false if it is too large to be copied. */
  keep(source: RawPath, name: string): boolean {
    const target = join(this.#directory, name);
    if (fs.existsSync(target)) return true;
    this.#ensureDirOf(name);
    try {
      copyAtomically(forFs(source), target, fs.constants.COPYFILE_FICLONE_FORCE);
      return true;
    } catch {
      // Most file systems cannot.
    }
    try {
      fs.linkSync(forFs(source), target);
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return true;
      // Another file system, too many links, or a file of another user.
      if (!["EXDEV", "EMLINK", "EPERM", "ENOTSUP", "ENOSYS"].includes(errorCode(error) ?? "")) throw error;
    }
    if (fs.statSync(forFs(source)).size > this.#maxCopyBytes) return false;
    copyAtomically(forFs(source), target, 0);
    return true;
  }

  /** Puts a kept file back, if it is gone, with these permissions. Throws if it is not kept. */
  restore(name: string, target: RawPath, mode: number): void {
    const source = join(this.#directory, name);
    try {
      fs.linkSync(source, forFs(target));
    } catch (error) {
      if (hasCode(error, "ENOENT")) throw error;
      if (!hasCode(error, "EEXIST")) fs.copyFileSync(source, forFs(target), fs.constants.COPYFILE_EXCL);
    }
    fs.chmodSync(forFs(target), mode);
  }

  /** The names of all kept files. */
  get names(): readonly string[] {
    return listFiles(this.#directory, "");
  }

  remove(name: string): void {
    fs.rmSync(join(this.#directory, name), { force: true });
  }

  #ensureDirOf(name: string): void {
    const directory = join(this.#directory, name.slice(0, name.lastIndexOf("/")));
    if (this.#knownDirs.has(directory)) return;
    ensurePrivateDir(directory);
    this.#knownDirs.add(directory);
  }
}

function copyAtomically(source: string | Buffer, target: string, how: number): void {
  const temporary = temporaryPathFor(target);
  try {
    fs.copyFileSync(source, temporary, how);
    fs.renameSync(temporary, target);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function listFiles(directory: string, prefix: string): readonly string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  return entries.flatMap((entry) =>
    entry.isDirectory() ? listFiles(join(directory, entry.name), `${prefix}${entry.name}/`) : `${prefix}${entry.name}`,
  );
}
