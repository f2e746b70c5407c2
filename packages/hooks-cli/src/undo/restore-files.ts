import * as fs from "node:fs";
import { describeError, hasCode } from "../files/atomic-file.ts";
import type { Change, Item } from "./compare-trees.ts";
import type { KeptFiles } from "./kept-files.ts";
import type { ObjectStore } from "./object-store.ts";
import { type RawPath, forFs, isAtOrBelow, toRaw, toText } from "./raw-path.ts";
import { Staging } from "./staging.ts";
import { isDirectory, isKept, isLink, permissionsOf } from "./tree.ts";

export interface RestoreSource {
  readonly root: RawPath;
  readonly store: ObjectStore;
  readonly kept: KeptFiles;
  /** Called now and then. */
  readonly onProgress: () => void;
}

/** Something that could not be brought back, and why. */
export interface RestoreFailure {
  readonly path: string;
  readonly message: string;
}

const PROGRESS_EVERY = 500;
const TEMPORARY = ".workspace-undo-";

/**
 * Changes files back: what is at each path now (`after`) becomes what was there (`before`). Files appear complete, by a rename,
 * and never through a link that has taken the place of their directory. Goes on after a failure, and returns all of them.
 */
export function restoreFiles(source: RestoreSource, changes: readonly Change[]): readonly RestoreFailure[] {
  const restoration = new Restoration(source);
  try {
    return restoration.run(changes);
  } finally {
    restoration.close();
  }
}

class Restoration {
  readonly #source: RestoreSource;
  readonly #failures: RestoreFailure[] = [];
  /** The permissions that directories get at the end, which may not allow to change what is in them. */
  readonly #modes = new Map<RawPath, number>();
  readonly #staging: Staging;
  #steps = 0;

  constructor(source: RestoreSource) {
    this.#source = source;
    this.#staging = new Staging(source.root, source.store.directory);
  }

  close(): void {
    this.#staging.close();
  }

  run(changes: readonly Change[]): readonly RestoreFailure[] {
    for (const change of changes.toReversed())
      if (mustGo(change)) this.#try(change.path, (path) => this.#remove(change, path));
    // Objects come before the references to them.
    const [objects, others] = [changes.filter(isObject), changes.filter((change) => !isObject(change))];
    for (const change of changes.filter(({ before }) => before !== undefined && isDirectory(before.mode)))
      this.#try(change.path, (path) => this.#directory(change, path));
    for (const { path, before, after } of [...objects, ...others]) {
      if (before === undefined || isDirectory(before.mode)) continue;
      this.#try(path, (absolute) => {
        if (!hasOtherMode(before, after, absolute)) this.#file(before, path, absolute);
        else fs.chmodSync(forFs(absolute), permissionsOf(before.mode));
      });
    }
    for (const [path, mode] of [...this.#modes].toReversed())
      this.#try(path, (absolute) => fs.chmodSync(forFs(absolute), mode));
    return this.#failures;
  }

  #try(path: RawPath, step: (absolute: RawPath) => void): void {
    this.#steps += 1;
    if (this.#steps % PROGRESS_EVERY === 0) this.#source.onProgress();
    const absolute = `${this.#source.root}/${path}`;
    try {
      this.#requireDirectories(path);
      try {
        step(absolute);
      } catch (error) {
        if (!hasCode(error, "EACCES") && !hasCode(error, "EPERM")) throw error;
        this.#makeWritable(path);
        step(absolute);
      }
    } catch (error) {
      this.#failures.push({ path: toText(path), message: describeError(error) });
    }
  }

  /** A link in the place of a directory would lead elsewhere. */
  #requireDirectories(path: RawPath): void {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const stat = fs.lstatSync(forFs(`${this.#source.root}/${path.slice(0, at)}`), { throwIfNoEntry: false });
      if (stat !== undefined && !stat.isDirectory()) throw new Error("its directory is not one any more");
    }
  }

  #makeWritable(path: RawPath): void {
    const parents = [""];
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) parents.push(path.slice(0, at));
    for (const parent of parents) {
      const absolute = forFs(parent === "" ? this.#source.root : `${this.#source.root}/${parent}`);
      const mode = permissionsOf(fs.statSync(absolute).mode);
      if ((mode & 0o700) === 0o700) continue;
      if (!this.#modes.has(parent)) this.#modes.set(parent, mode);
      fs.chmodSync(absolute, mode | 0o700);
    }
  }

  #remove({ after }: Change, absolute: RawPath): void {
    if (after !== undefined && isDirectory(after.mode)) removeDirectory(absolute);
    else fs.rmSync(forFs(absolute), { force: true });
  }

  #directory({ path, before, after }: Change, absolute: RawPath): void {
    if (before === undefined) return;
    if (after === undefined || !isDirectory(after.mode)) {
      removeSpecial(absolute);
      fs.mkdirSync(forFs(absolute), { recursive: true });
    }
    this.#modes.set(path, permissionsOf(before.mode));
    fs.chmodSync(forFs(absolute), permissionsOf(before.mode) | 0o700);
  }

  #file({ mode, id }: Item, path: RawPath, absolute: RawPath): void {
    const { store, kept } = this.#source;
    const directory = absolute.slice(0, absolute.lastIndexOf("/"));
    if (isKept(mode)) {
      fs.mkdirSync(forFs(directory), { recursive: true });
      removeSpecial(absolute);
      return kept.restore(keptKey(path), absolute, permissionsOf(mode));
    }
    const { content } = store.read(id);
    const place = this.#staging.next();
    try {
      this.#create(place === undefined ? directory : toRaw(place), content, mode, absolute);
    } catch (error) {
      // Its folder is gone, or on another disk, or an undo that was killed has left something.
      if (!["ENOENT", "EXDEV", "EEXIST"].some((code) => hasCode(error, code))) throw error;
      fs.mkdirSync(forFs(directory), { recursive: true });
      this.#create(directory, content, mode, absolute);
    }
  }

  /** Creates a file or a link in some folder of the same disk, and gives it its name. */
  #create(directory: RawPath, content: Buffer, mode: number, absolute: RawPath): void {
    const temporary = `${directory}/${TEMPORARY}${process.pid}`;
    try {
      const startMs = performance.now();
      const created = isLink(mode)
        ? fs.symlinkSync(forFs(content.toString("latin1")), forFs(temporary))
        : fs.openSync(forFs(temporary), "wx", 0o600);
      this.#staging.took(performance.now() - startMs);
      if (created !== undefined) writeWithMode(created, content, permissionsOf(mode));
      fs.renameSync(forFs(temporary), forFs(absolute));
    } catch (error) {
      fs.rmSync(forFs(temporary), { force: true });
      throw error;
    }
  }
}

/** Whether what is there now has to be removed first: it replaces nothing, or a directory is replaced by a file or the reverse. */
function mustGo({ before, after }: Change): boolean {
  if (after === undefined) return false;
  return before === undefined || isDirectory(before.mode) !== isDirectory(after.mode);
}

/** Whether nothing but the permissions of a file differs, and it is still a file, since a link would lead to another one. */
function hasOtherMode(before: Item, after: Item | undefined, absolute: RawPath): boolean {
  const isFile = ({ mode }: Item): boolean => !isDirectory(mode) && !isLink(mode) && !isKept(mode);
  if (after === undefined || before.id !== after.id || !isFile(before) || !isFile(after)) return false;
  return fs.lstatSync(forFs(absolute), { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether it belongs to the objects of a repository. */
function isObject({ path }: Change): boolean {
  return /(?:^|\/)objects\//.test(path);
}

/** A pipe, a socket or a device holds nothing. A rename replaces it by itself. */
function removeSpecial(absolute: RawPath): void {
  const stat = fs.lstatSync(forFs(absolute), { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) fs.rmSync(forFs(absolute));
}

/** What is not recorded stays, and with it its directory. */
function removeDirectory(absolute: RawPath): void {
  try {
    fs.rmdirSync(forFs(absolute));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST") && !hasCode(error, "ENOENT")) throw error;
  }
}

/** Closes the file as well. */
function writeWithMode(descriptor: number, content: Buffer, mode: number): void {
  try {
    fs.writeFileSync(descriptor, content);
    fs.fchmodSync(descriptor, mode);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The name under which a file among a repository's objects is kept. */
export function keptKey(path: RawPath): string {
  return path.split("/").slice(-2).join("/");
}

/** The changes at and below some paths. */
export function within<T extends Change>(changes: readonly T[], paths: readonly RawPath[]): readonly T[] {
  return changes.filter(({ path }) => paths.some((wanted) => isAtOrBelow(path, wanted)));
}
