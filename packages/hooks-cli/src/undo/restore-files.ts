import * as fs from "node:fs";
import { describeError, hasCode } from "../files/atomic-file.ts";
import type { Change, Item } from "./compare-trees.ts";
import { type FileSource, FileWriter, removeSpecial, tryRemove } from "./file-writer.ts";
import type { Stamp } from "./packed-entries.ts";
import { type RawPath, forFs, isAtOrBelow, toText } from "./raw-path.ts";
import { UNFINISHED } from "./staging.ts";
import { isDirectory, isKept, isLink, permissionsOf } from "./tree.ts";
import { type WrittenFile, type WrittenFiles, writtenFile } from "./written-files.ts";

export interface RestoreSource extends FileSource {
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
  const writer = new FileWriter(source);
  try {
    return new Restoration(source, writer).run(changes);
  } finally {
    writer.close();
  }
}

class Restoration {
  readonly #source: RestoreSource;
  readonly #writer: FileWriter;
  readonly #failures: RestoreFailure[] = [];
  /** The permissions that directories get at the end, which may not allow to change what is in them. */
  readonly #modes = new Map<RawPath, number>();
  readonly #written = new Map<RawPath, WrittenFile>();
  #checked: RawPath | undefined;
  #steps = 0;

  constructor(source: RestoreSource, writer: FileWriter) {
    this.#source = source;
    this.#writer = writer;
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
      this.#writer.removeUnfinished(parent);
      for (const { path, before } of group) {
        this.#step();
        const place = aside + path.slice(root.length);
        if (isDirectory(before.mode)) makeDirectory(place, before.mode);
        else {
          const stat = this.#writer.create(before, path, place);
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

  /** Changes what is in directories that exist. */
  #bringBack(items: readonly Restored[]): void {
    for (const item of items.filter(({ before }) => isDirectory(before.mode)))
      this.#try(item.path, (path) => this.#directory(item, path));
    const files = items.filter(({ before }) => !isDirectory(before.mode));
    for (const { path, before, after } of [...files.filter(isObject), ...files.filter((file) => !isObject(file))]) {
      this.#try(path, (absolute) => {
        const stat = fileWithOtherMode(before, after, absolute);
        const written =
          stat === undefined ? this.#writer.replace(before, path, absolute) : changeMode(absolute, stat, before.mode);
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

/** What is not recorded stays, and with it its directory. */
function removeDirectory(absolute: RawPath): void {
  try {
    fs.rmdirSync(forFs(absolute));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST") && !hasCode(error, "ENOENT")) throw error;
  }
}

/** The changes at and below some paths. */
export function within<T extends Change>(changes: readonly T[], paths: readonly RawPath[]): readonly T[] {
  return changes.filter(({ path }) => paths.some((wanted) => isAtOrBelow(path, wanted)));
}
