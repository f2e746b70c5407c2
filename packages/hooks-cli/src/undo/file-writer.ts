import * as fs from "node:fs";
import { hasCode } from "../files/atomic-file.ts";
import type { Item } from "./compare-trees.ts";
import type { KeptFiles } from "./kept-files.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Stamp } from "./packed-entries.ts";
import { type RawPath, forFs, toRaw } from "./raw-path.ts";
import { Staging, UNFINISHED } from "./staging.ts";
import { isKept, isLink, permissionsOf } from "./tree.ts";

export interface FileSource {
  readonly root: RawPath;
  readonly store: ObjectStore;
  readonly kept: KeptFiles;
}

/** Writes recorded files and links, which appear complete at their places. */
export class FileWriter {
  readonly #source: FileSource;
  readonly #staging: Staging;
  /** Directories without anything that an undo has left that was killed. */
  readonly #clean = new Set<RawPath>();

  constructor(source: FileSource) {
    this.#source = source;
    this.#staging = new Staging(source.root, source.store.directory);
  }

  close(): void {
    this.#staging.close();
  }

  /** Writes a file in place of what is there, if anything. Returns what a regular file looks like. */
  replace({ mode, id }: Item, path: RawPath, absolute: RawPath): Stamp | undefined {
    const { store, kept } = this.#source;
    const directory = absolute.slice(0, absolute.lastIndexOf("/"));
    this.removeUnfinished(directory);
    if (isKept(mode)) {
      fs.mkdirSync(forFs(directory), { recursive: true });
      removeSpecial(absolute);
      kept.restore(keptKey(path), absolute, permissionsOf(mode));
      return undefined;
    }
    const { content } = store.read(id);
    const place = this.#staging.next();
    try {
      return this.#createAndRename(place === undefined ? directory : toRaw(place), content, mode, absolute);
    } catch (error) {
      // Its folder is gone, or on another disk, or what a killed undo has left cannot be removed.
      if (!["ENOENT", "EXDEV", "EEXIST"].some((code) => hasCode(error, code))) throw error;
      fs.mkdirSync(forFs(directory), { recursive: true });
      return this.#createAndRename(directory, content, mode, absolute);
    }
  }

  /** Writes a file where nothing is, in a directory that nobody else sees yet. Returns as `replace` does. */
  create({ mode, id }: Item, path: RawPath, place: RawPath): Stamp | undefined {
    const { store, kept } = this.#source;
    if (isKept(mode)) {
      kept.restore(keptKey(path), place, permissionsOf(mode));
      return undefined;
    }
    const { content } = store.read(id);
    const staged = this.#staging.next();
    if (staged === undefined) return this.#create(place, content, mode);
    return this.#createAndRename(toRaw(staged), content, mode, place);
  }

  /** Removes what an undo that was killed has left in a directory, which may be gone. */
  removeUnfinished(directory: RawPath): void {
    if (this.#clean.has(directory)) return;
    const names = namesIn(directory);
    if (names === undefined) return;
    this.#clean.add(directory);
    for (const name of names) if (name.startsWith(UNFINISHED)) tryRemove(`${directory}/${name}`);
  }

  /** Creates a file or a link in some folder of the same disk, and gives it its name. Returns as `#create` does. */
  #createAndRename(directory: RawPath, content: Buffer, mode: number, absolute: RawPath): Stamp | undefined {
    const temporary = `${directory}/${UNFINISHED}${process.pid}`;
    try {
      const stat = this.#create(temporary, content, mode);
      fs.renameSync(forFs(temporary), forFs(absolute));
      return stat;
    } catch (error) {
      fs.rmSync(forFs(temporary), { force: true });
      throw error;
    }
  }

  /** Returns what the file looks like; undefined for a link. */
  #create(path: RawPath, content: Buffer, mode: number): Stamp | undefined {
    const created = this.#staging.create(() =>
      isLink(mode)
        ? fs.symlinkSync(forFs(content.toString("latin1")), forFs(path))
        : fs.openSync(forFs(path), "wx", mode & 0o777),
    );
    return created === undefined ? undefined : writeWithMode(created, content, permissionsOf(mode));
  }
}

/** Removes something of an undo's own, if that is possible; it is in nobody's way. */
export function tryRemove(path: RawPath): void {
  try {
    fs.rmSync(forFs(path), { recursive: true, force: true });
  } catch {
    // The next undo tries again.
  }
}

/** A pipe, a socket or a device holds nothing. A rename replaces it by itself. */
export function removeSpecial(absolute: RawPath): void {
  const stat = fs.lstatSync(forFs(absolute), { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) fs.rmSync(forFs(absolute));
}

/** Undefined if it cannot be read. */
function namesIn(directory: RawPath): readonly string[] | undefined {
  try {
    return fs.readdirSync(forFs(directory), { encoding: "latin1" });
  } catch {
    return undefined;
  }
}

/** Closes the file as well. Returns what it looks like. */
function writeWithMode(descriptor: number, content: Buffer, mode: number): Stamp {
  try {
    fs.writeFileSync(descriptor, content);
    const stat = fs.fstatSync(descriptor);
    if (permissionsOf(stat.mode) === mode) return stat;
    // A mask or a list of the folder has taken some away, or they are more than those of a new file can be.
    fs.fchmodSync(descriptor, mode);
    return fs.fstatSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The name under which a file among a repository's objects is kept. */
function keptKey(path: RawPath): string {
  return path.split("/").slice(-2).join("/");
}
