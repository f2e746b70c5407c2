import * as fs from "node:fs";
import { describeError, hasCode } from "../files/atomic-file.ts";
import type { Change, Item } from "./compare-trees.ts";
import type { KeptFiles } from "./kept-files.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Stamp } from "./packed-entries.ts";
import { type RawPath, forFs, isAtOrBelow, toRaw, toText } from "./raw-path.ts";
import { Staging, UNFINISHED } from "./staging.ts";
import { isDirectory, isKept, isLink, permissionsOf } from "./tree.ts";
import { type WrittenFile, type WrittenFiles, writtenFile } from "./written-files.ts";

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

export interface RestoreOutcome {
  readonly failures: readonly RestoreFailure[];
  /** Files that were written, and have not been changed by others as long as they look like this: they need not be read. */
  readonly written: WrittenFiles;
}

const PROGRESS_EVERY = 500;

/**
 * Changes files back: what is at each path now (`after`) becomes what was there (`before`). Files, and directories that are gone
 * with all that is in them, appear complete, by a rename, and never through a link that has taken the place of their directory.
 * Goes on after a failure, and returns all of them.
 */
export function restoreFiles(source: RestoreSource, changes: readonly Change[]): RestoreOutcome {
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
  readonly #written = new Map<RawPath, WrittenFile>();
  /** Directories without anything that an undo has left that was killed. */
  readonly #clean = new Set<RawPath>();
  #checked: RawPath | undefined;
  #steps = 0;

  constructor(source: RestoreSource) {
    this.#source = source;
    this.#staging = new Staging(source.root, source.store.directory);
  }

  close(): void {
    this.#staging.close();
  }

  run(changes: readonly Change[]): RestoreOutcome {
    for (const change of changes.toReversed())
      if (mustGo(change)) this.#try(change.path, (path) => this.#remove(change, path));
    const { missing, others } = this.#findMissing(changes.flatMap(broughtBack));
    // Objects come before the references to them.
    for (const isOf of [isObject, (item: Restored) => !isObject(item)]) {
      const groups = missing.filter(([root]) => root !== undefined && isOf(root));
      const notBuilt = groups.filter((group) => !this.#build(group)).flat();
      this.#bringBack([...others.filter(isOf), ...notBuilt]);
    }
    for (const [path, mode] of [...this.#modes].toReversed())
      this.#try(path, (absolute) => fs.chmodSync(forFs(absolute), mode));
    return { failures: this.#failures, written: this.#written };
  }

  /** Divides what to bring back into directories that are gone, each with all that belongs in it after it, and the rest. */
  #findMissing(items: readonly Restored[]): { missing: readonly Restored[][]; others: readonly Restored[] } {
    const missing: Restored[][] = [];
    const others: Restored[] = [];
    for (const item of items) {
      const last = missing.at(-1);
      if (last?.[0] !== undefined && isAtOrBelow(item.path, last[0].path)) last.push(item);
      else if (isDirectory(item.before.mode) && !this.#exists(item.path)) missing.push([item]);
      else others.push(item);
    }
    return { missing, others };
  }

  #exists(path: RawPath): boolean {
    return fs.lstatSync(forFs(this.#absolute(path)), { throwIfNoEntry: false }) !== undefined;
  }

  /** Builds a directory beside its place, then renames it. Returns whether that was possible; otherwise nothing has changed. */
  #build(group: readonly Restored[]): boolean {
    const root = group[0]?.path ?? "";
    const absolute = this.#absolute(root);
    const parent = absolute.slice(0, absolute.lastIndexOf("/"));
    const aside = `${parent}/${UNFINISHED}${process.pid}`;
    const files: { path: RawPath; id: string; stat: Stamp }[] = [];
    try {
      this.#requireDirectories(root);
      this.#removeUnfinished(parent);
      for (const { path, before } of group) {
        this.#step();
        const place = aside + path.slice(root.length);
        if (isDirectory(before.mode)) makeDirectory(place, before.mode);
        else {
          const stat = this.#buildFile(before, path, place);
          if (stat !== undefined) files.push({ path, id: before.id, stat });
        }
      }
      const renamedAtMs = Date.now();
      fs.renameSync(forFs(aside), forFs(absolute));
      for (const { path, id, stat } of files) this.#written.set(path, writtenFile(stat, id, renamedAtMs));
      for (const { path, before } of group) {
        if (isDirectory(before.mode) && !isUsable(before.mode)) this.#modes.set(path, permissionsOf(before.mode));
        else this.#modes.delete(path);
      }
      return true;
    } catch {
      tryRemove(aside);
      return false;
    }
  }

  /** Removes what an undo that was killed has left in a directory, which may be gone. */
  #removeUnfinished(directory: RawPath): void {
    if (this.#clean.has(directory)) return;
    this.#clean.add(directory);
    for (const name of namesIn(directory)) if (name.startsWith(UNFINISHED)) tryRemove(`${directory}/${name}`);
  }

  /** Returns what a regular file looks like. */
  #buildFile({ mode, id }: Item, path: RawPath, place: RawPath): Stamp | undefined {
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

  /** Changes what is in directories that exist. */
  #bringBack(items: readonly Restored[]): void {
    for (const item of items.filter(({ before }) => isDirectory(before.mode)))
      this.#try(item.path, (path) => this.#directory(item, path));
    const files = items.filter(({ before }) => !isDirectory(before.mode));
    for (const { path, before, after } of [...files.filter(isObject), ...files.filter((file) => !isObject(file))]) {
      this.#try(path, (absolute) => {
        const stat = fileWithOtherMode(before, after, absolute);
        const written =
          stat === undefined ? this.#file(before, path, absolute) : changeMode(absolute, stat, before.mode);
        if (written !== undefined) this.#written.set(path, writtenFile(written, before.id));
      });
    }
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps % PROGRESS_EVERY === 0) this.#source.onProgress();
  }

  #try(path: RawPath, step: (absolute: RawPath) => void): void {
    this.#step();
    const absolute = this.#absolute(path);
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

  #absolute(path: RawPath): RawPath {
    return `${this.#source.root}/${path}`;
  }

  /** A link in the place of a directory would lead elsewhere. */
  #requireDirectories(path: RawPath): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent === this.#checked) return;
    this.#checked = undefined;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const stat = fs.lstatSync(forFs(`${this.#source.root}/${path.slice(0, at)}`), { throwIfNoEntry: false });
      if (stat !== undefined && !stat.isDirectory()) throw new Error("its directory is not one any more");
    }
    this.#checked = parent;
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
    else unlinkIfThere(absolute);
  }

  #directory({ path, before, after }: Restored, absolute: RawPath): void {
    if (after === undefined || !isDirectory(after.mode)) {
      removeSpecial(absolute);
      fs.mkdirSync(forFs(absolute), { recursive: true });
    }
    this.#modes.set(path, permissionsOf(before.mode));
    fs.chmodSync(forFs(absolute), permissionsOf(before.mode) | 0o700);
  }

  /** Returns what a regular file looks like. */
  #file({ mode, id }: Item, path: RawPath, absolute: RawPath): Stamp | undefined {
    const { store, kept } = this.#source;
    const directory = absolute.slice(0, absolute.lastIndexOf("/"));
    this.#removeUnfinished(directory);
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
      // Its folder is gone, or on another disk, or an undo that was killed has left something.
      if (!["ENOENT", "EXDEV", "EEXIST"].some((code) => hasCode(error, code))) throw error;
      fs.mkdirSync(forFs(directory), { recursive: true });
      return this.#createAndRename(directory, content, mode, absolute);
    }
  }

  /** Creates a file or a link in some folder of the same disk, and gives it its name. Returns as `create` does. */
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

/** A change that brings something back. */
interface Restored extends Change {
  readonly before: Item;
}

function broughtBack({ path, before, after }: Change): readonly Restored[] {
  return before === undefined ? [] : [{ path, before, after }];
}

/** Whether its owner can do everything in a directory. */
function isUsable(mode: number): boolean {
  return (mode & 0o700) === 0o700;
}

/** With permissions that allow to fill it. */
function makeDirectory(path: RawPath, mode: number): void {
  fs.mkdirSync(forFs(path), 0o700);
  const wanted = permissionsOf(mode) | 0o700;
  if (wanted !== 0o700) fs.chmodSync(forFs(path), wanted);
}

function unlinkIfThere(path: RawPath): void {
  try {
    fs.unlinkSync(forFs(path));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** None if it cannot be read. */
function namesIn(directory: RawPath): readonly string[] {
  try {
    return fs.readdirSync(forFs(directory), { encoding: "latin1" });
  } catch {
    return [];
  }
}

function tryRemove(path: RawPath): void {
  try {
    fs.rmSync(forFs(path), { recursive: true, force: true });
  } catch {
    // It is in nobody's way, and removed by another undo.
  }
}

/** Whether what is there now has to be removed first: it replaces nothing, or a directory is replaced by a file or the reverse. */
function mustGo({ before, after }: Change): boolean {
  if (after === undefined) return false;
  return before === undefined || isDirectory(before.mode) !== isDirectory(after.mode);
}

/** A file of which nothing but the permissions differs, and which is still a file, since a link would lead to another one. */
function fileWithOtherMode(before: Item, after: Item | undefined, absolute: RawPath): Stamp | undefined {
  const isFile = ({ mode }: Item): boolean => !isDirectory(mode) && !isLink(mode) && !isKept(mode);
  if (after === undefined || before.id !== after.id || !isFile(before) || !isFile(after)) return undefined;
  const stat = fs.lstatSync(forFs(absolute), { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat : undefined;
}

/** Returns what the file looks like then. */
function changeMode(absolute: RawPath, stat: Stamp, mode: number): Stamp {
  fs.chmodSync(forFs(absolute), permissionsOf(mode));
  return { ...stat, mode: stat.mode - permissionsOf(stat.mode) + permissionsOf(mode) };
}

/** Whether it belongs to the objects of a repository. */
function isObject({ path }: Change): boolean {
  return /(?:^|\/)objects(?:\/|$)/.test(path);
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
export function keptKey(path: RawPath): string {
  return path.split("/").slice(-2).join("/");
}

/** The changes at and below some paths. */
export function within<T extends Change>(changes: readonly T[], paths: readonly RawPath[]): readonly T[] {
  return changes.filter(({ path }) => paths.some((wanted) => isAtOrBelow(path, wanted)));
}
