import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { TEMPORARY_PREFIX, ensurePrivateDir, hasCode, readIfExists, writeOnce } from "../files/atomic-file.ts";
import { fileNameFor } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import { numberAt, parseRecord, stringAt } from "../json/json-value.ts";
import { gitDirOf } from "./git-directory.ts";
import type { ObjectStore } from "./object-store.ts";
import { type RawPath, forFs, toRaw } from "./raw-path.ts";
import { readStable } from "./read-stable.ts";
import type { LeftOut, RecordedTree } from "./record-tree.ts";
import { type TreeEntry, decodeTree, encodeTree, isDirectory } from "./tree.ts";
import { type Turn, isRecorded, notesDirectory, turnPrefix } from "./turn-state.ts";

/** What was at a path before a call of a turn whose start had not been recorded yet. */
export interface NotedFile {
  readonly path: RawPath;
  readonly notedAtMs: number;
  /** Undefined if nothing was there. */
  readonly before: { readonly mode: number; readonly content: Buffer } | undefined;
}

/** Git may ignore larger files, which are not recorded then. */
const MAX_NOTED_BYTES = 1024 * 1024;
const MAX_LINKS = 40;

/**
 * Notes what is at the paths that a call is about to change, so that it need not wait until the start of its turn is recorded: what
 * was noted counts as recorded then. What the first call of a turn has noted stays. Returns whether everything was noted.
 */
export function noteFiles(home: Home, turn: Turn, paths: readonly string[]): boolean {
  try {
    const root = tryRealPath(turn.root);
    const places = paths.flatMap((path) => placesOf(path));
    const notes = places.filter((place) => place.startsWith(`${root}/`)).map((place) => note(root ?? "", place));
    if (notes.some((noted) => noted === undefined)) return false;
    const directory = notesOf(home, turn);
    ensurePrivateDir(directory);
    for (const noted of notes) {
      if (noted === undefined) continue;
      const { path, notedAtMs, before } = noted;
      const { session, number } = turn;
      const head = JSON.stringify({ session, number, path, notedAtMs, mode: before?.mode });
      const text = Buffer.concat([Buffer.from(`${head}\n`), before?.content ?? Buffer.alloc(0)]);
      writeOnce(join(directory, fileNameFor(path)), text);
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * The paths at which something may change if a file is written: that of the file, or of the first of its directories that is not
 * there, and where a link leads.
 */
function placesOf(path: string, maxLinks = MAX_LINKS): readonly string[] {
  const parent = tryRealPath(dirname(path));
  if (parent === undefined) return placesOf(dirname(path), maxLinks);
  const place = join(parent, basename(path));
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return [(stat && tryRealPath(place)) ?? place];
  if (maxLinks === 0) throw new Error("the link leads nowhere");
  return [place, ...placesOf(resolve(parent, fs.readlinkSync(place)), maxLinks - 1)];
}

/** With the names as the disk has them, which may tell no capital letters from small ones. Undefined if nothing is there. */
function tryRealPath(path: string): string | undefined {
  try {
    const real = fs.realpathSync.native(path);
    if (real.includes("\uFFFD")) throw new Error("the path is not UTF-8");
    return real;
  } catch (error) {
    if (hasCode(error, "ENOENT") && dirname(path) !== path) return undefined;
    throw error;
  }
}

/** Undefined if it cannot be noted: a directory, a large file, one with several names, something of a repository's own. */
function note(root: string, place: string): NotedFile | undefined {
  const path = toRaw(place.slice(root.length + 1));
  const notedAtMs = Date.now();
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (gitDirOf(path) !== undefined) return undefined;
  if (stat === undefined) return { path, notedAtMs, before: undefined };
  if (stat.isSymbolicLink()) {
    const target = fs.readlinkSync(place, { encoding: "latin1" });
    return { path, notedAtMs, before: { mode: stat.mode, content: Buffer.from(target, "latin1") } };
  }
  if (!stat.isFile() || stat.nlink > 1 || stat.size > MAX_NOTED_BYTES) return undefined;
  const read = readStable(toRaw(place));
  if (typeof read !== "object" || !read.isStable) return undefined;
  return { path, notedAtMs, before: { mode: read.stat.mode, content: read.content } };
}

export function readNotes(home: Home, turn: Turn): readonly NotedFile[] {
  return readNotesIn(notesOf(home, turn), turn.root).map(({ noted }) => noted);
}

/** The turns of which something was noted and the start is not recorded. Notes of others are removed. */
export function notedTurns(home: Home, root: string): readonly Turn[] {
  return namesIn(notesDirectory(home, root)).flatMap((name) => {
    const directory = join(notesDirectory(home, root), name);
    const turn = readNotesIn(directory, root)[0]?.turn;
    // A call may be about to write the first note.
    if (turn === undefined || !isRecorded(home, turn)) return turn ?? [];
    removeNotes(home, turn);
    return [];
  });
}

function readNotesIn(directory: string, root: string): readonly { turn: Turn; noted: NotedFile }[] {
  return namesIn(directory).flatMap((name) => {
    const file = name.startsWith(TEMPORARY_PREFIX) ? undefined : readIfExists(join(directory, name));
    const end = file?.indexOf("\n") ?? -1;
    const head = end === -1 ? undefined : parseRecord(file?.toString("utf8", 0, end) ?? "");
    const [session, path] = [head && stringAt(head, "session"), head && stringAt(head, "path")];
    const [number, notedAtMs] = [head && numberAt(head, "number"), head && numberAt(head, "notedAtMs")];
    const mode = head && numberAt(head, "mode");
    if (file === undefined || session === undefined || path === undefined) return [];
    if (number === undefined || notedAtMs === undefined) return [];
    const before = mode === undefined ? undefined : { mode, content: file.subarray(end + 1) };
    return [{ turn: { session, number, root }, noted: { path, notedAtMs, before } }];
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

function notesOf(home: Home, { session, number, root }: Turn): string {
  return join(notesDirectory(home, root), turnPrefix(session, number));
}

/** Forgets what was noted of a turn, which has been recorded by now. */
export function removeNotes(home: Home, turn: Turn): void {
  fs.rmSync(notesOf(home, turn), { recursive: true, force: true });
}

/**
 * Puts what was noted in its place in a tree that was recorded since. `changedAtMs`: when each file that was read had changed; what
 * changed after the first note without having been noted is left out, since nothing is known of what it was before.
 */
export function layNotes(
  { objects, root }: { readonly objects: ObjectStore; readonly root: string },
  recorded: RecordedTree,
  notes: readonly NotedFile[],
  changedAtMs: ReadonlyMap<RawPath, number>,
): RecordedTree {
  const noted = new Set(notes.map(({ path }) => path));
  const firstMs = Math.min(...notes.map(({ notedAtMs }) => notedAtMs));
  // What changed in the millisecond of the note is older than the call, which does not begin until its hook has ended.
  const isUnknown = ([path, atMs]: readonly [RawPath, number]): boolean =>
    Math.floor(atMs) > firstMs && !isNoted(path, noted) && gitDirOf(path) === undefined;
  const changed = [...changedAtMs].filter(isUnknown).map(([path]): LeftOut => ({ path, reason: "changed" }));
  // A file that some program writes before it gives it another name is gone by now.
  const isThere = ({ path }: LeftOut): boolean =>
    fs.lstatSync(forFs(`${toRaw(root)}/${path}`), { throwIfNoEntry: false }) !== undefined;
  let { tree } = recorded;
  for (const { path, before } of notes) {
    const id = before && objects.add("blob", before.content);
    tree = withItem(objects, tree, path, before && id !== undefined ? { mode: before.mode, id } : undefined);
  }
  for (const { path } of changed) tree = withItem(objects, tree, path, undefined);
  const leftOut = recorded.leftOut.filter(({ path }) => !isNoted(path, noted));
  return { ...recorded, tree, leftOut: [...leftOut, ...changed.filter(isThere)] };
}

/** Whether a path, or one of its directories because it was not there, was noted. */
function isNoted(path: RawPath, noted: ReadonlySet<RawPath>): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) if (noted.has(path.slice(0, at))) return true;
  return false;
}

/** A tree with something else at a path, or nothing. A directory that is not recorded stays so. */
function withItem(
  objects: ObjectStore,
  tree: string,
  path: RawPath,
  item: Omit<TreeEntry, "name"> | undefined,
): string {
  const slash = path.indexOf("/");
  const name = slash === -1 ? path : path.slice(0, slash);
  const entries = decodeTree(objects.read(tree).content);
  const known = entries.find((entry) => entry.name === name);
  let entry: TreeEntry | undefined;
  if (slash === -1) entry = item && { ...item, name };
  else if (known === undefined || !isDirectory(known.mode)) return tree;
  else entry = { ...known, id: withItem(objects, known.id, path.slice(slash + 1), item) };
  const others = entries.filter((other) => other.name !== name);
  return objects.add("tree", encodeTree(entry === undefined ? others : [...others, entry]));
}
