import * as fs from "node:fs";
import { crc32 } from "node:zlib";
import { sinceStartMs } from "../clock.ts";
import { hasCode } from "../files/atomic-file.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import type { KeptFiles } from "./kept-files.ts";
import { type ObjectStore, objectId } from "./object-store.ts";
import { type RawPath, forFs, isAtOrBelow, joinRaw } from "./raw-path.ts";
import { readStable } from "./read-stable.ts";
import { UNFINISHED } from "./staging.ts";
import { TrackedPaths, isGitDirectory, packKey } from "./git-directory.ts";
import { KEPT_TYPE, encodeTree, isDirectory, isLink, permissionsOf } from "./tree.ts";
import { type CachedEntry, type EntryOrPosition, PackedEntries, type Stamp, UNSETTLED } from "./packed-entries.ts";
import { type CachedDirectory, type TreeCache, isSame, settledStamp } from "./tree-cache.ts";
import { type WrittenFiles, entryOfWritten } from "./written-files.ts";

/**
 * Why something is not recorded: by the rules, because it is too large, cannot be read or changed before it was read, or since it is
 * outside the project.
 */
export type LeftOutReason = "ignored" | "large" | "unreadable" | "changed" | "special" | "outside";

export interface LeftOut {
  readonly path: RawPath;
  readonly reason: LeftOutReason;
}

export interface RecordedTree {
  /** The object of the root. */
  readonly tree: string;
  readonly mode: number;
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

export interface RecordLimits {
  /** The size of a file, in bytes; `ignored` for one that git ignores. */
  readonly maxFileBytes: number;
  readonly maxIgnoredFileBytes: number;
  /** The number of files and directories. */
  readonly maxEntries: number;
  /** So many bytes may be added to the store. */
  readonly maxNewBytes: number;
  /** When to stop, on the clock of `sinceStartMs`. */
  readonly endMs: number;
}

/** The tree could not be recorded completely; what was read is not read again the next time. */
export class IncompleteError extends Error {
  override readonly name = "IncompleteError";
  /** Whether it would have been complete with more time. */
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout = false) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** Folders that a package manager fills: always left out, unless git tracks something in them. */
const DEPENDENCIES = new Set(["node_modules", "bower_components", ".venv", "venv", "__pycache__", ".tox", ".gradle"]);
/** Another folder that git ignores is recorded if it has no more than this. */
const MAX_IGNORED_ENTRIES = 500;
const MAX_IGNORED_BYTES = 8 * 1024 * 1024;
/** Looking at the clock takes a tenth of the time of looking at a file that has not changed. */
const ENTRIES_PER_LOOK = 64;
/** Larger packs of a repository are kept as files. */
const MIN_KEPT_BYTES = 4 * 1024 * 1024;

interface Scope {
  readonly rules: IgnoreRules;
  readonly rulesKey: number;
  readonly isIgnored: boolean;
  readonly tracked: TrackedPaths;
  /** Whether it is a git directory or in one. */
  readonly isGit: boolean;
  /** The path of the git directory's folder of objects that it is in. */
  readonly objects: RawPath | undefined;
}

export interface TreeRecorderOptions {
  /** The absolute path, with links resolved. */
  readonly root: RawPath;
  readonly store: ObjectStore;
  readonly kept: KeptFiles;
  readonly cache: TreeCache;
  readonly limits: RecordLimits;
  /** Files of which it is known what they contain as long as they look like this. */
  readonly written?: WrittenFiles | undefined;
  /** Absolute paths that are left out: our own files. */
  readonly excluded: ReadonlySet<RawPath>;
}

/** Records a directory tree: reads what changed since the cache, and stores it. */
export class TreeRecorder {
  readonly #options: TreeRecorderOptions;
  readonly #cache = new Map<RawPath, CachedDirectory>();
  readonly #leftOut: LeftOut[] = [];
  readonly #changedAtMs = new Map<RawPath, number>();
  #entries = 0;
  #files = 0;
  #newBytes = 0;
  #hasNews = false;

  constructor(options: TreeRecorderOptions) {
    this.#options = options;
  }

  /** Throws `IncompleteError` beyond a limit. Nothing is stored for good until the store is flushed. */
  record(): RecordedTree {
    const { root } = this.#options;
    const stat = fs.lstatSync(forFs(root));
    const scope = { rules: IgnoreRules.none, rulesKey: 0, isIgnored: false, tracked: new TrackedPaths(root) };
    const tree = this.#directory("", stat, { ...scope, isGit: false, objects: undefined }, false);
    return { tree, mode: stat.mode, files: this.#files, leftOut: this.#leftOut };
  }

  /** What is known now, also after a failure. */
  get cache(): TreeCache {
    return this.#cache;
  }

  /** Whether that is more than was known before. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** When each file that was read had last changed. */
  get changedAtMs(): ReadonlyMap<RawPath, number> {
    return this.#changedAtMs;
  }

  #directory(path: RawPath, stat: Stamp, outer: Scope, isIgnored: boolean): string {
    const known = this.#options.cache.get(path);
    const readAtMs = Date.now();
    const isUnchanged = known !== undefined && isSame(known.stamp, stat);
    const { rulesKey } = outer;
    const names = isUnchanged ? known.entries.names : this.#list(path);
    const inner = this.#enter(path, names, { ...outer, isIgnored });
    const list: EntryOrPosition[] = [];
    let isComplete = false;
    try {
      this.#recordEntries(path, names, inner, { entries: known?.entries, isUnchanged }, list);
      isComplete = true;
    } finally {
      // It is listed again the next time.
      if (!isComplete) {
        const entries = PackedEntries.of(list, known?.entries);
        this.#remember(path, { stamp: UNSETTLED, entries, tree: "", isIgnored, rulesKey });
      }
    }
    if (isUnchanged && list.length === names.length && list.every((entry, at) => entry === at)) {
      const isKnown = known.isIgnored === isIgnored && known.rulesKey === rulesKey;
      if (isKnown) this.#cache.set(path, known);
      else this.#remember(path, { ...known, isIgnored, rulesKey });
      return known.tree;
    }
    const entries = PackedEntries.of(list, known?.entries);
    const tree = this.#options.store.add("tree", encodeTree([...entries]));
    const stamp = entries.length < names.length ? UNSETTLED : settledStamp(stat, readAtMs);
    this.#remember(path, { stamp, entries, tree, isIgnored, rulesKey });
    return tree;
  }

  #remember(path: RawPath, directory: CachedDirectory): void {
    this.#hasNews = true;
    this.#cache.set(path, directory);
  }

  #list(path: RawPath): readonly RawPath[] {
    try {
      const names = fs.readdirSync(forFs(this.#absolute(path)), { encoding: "latin1" });
      return names.filter((name) => !name.startsWith(UNFINISHED)).toSorted();
    } catch (error) {
      if (!hasCode(error, "ENOENT") && !hasCode(error, "ENOTDIR")) this.#leaveOut(path, "unreadable");
      return [];
    }
  }

  /** What applies to the entries of a directory. */
  #enter(path: RawPath, names: readonly RawPath[], scope: Scope): Scope {
    if (scope.objects !== undefined) return scope;
    if (isGitDirectory(names)) return { ...scope, isGit: true };
    if (scope.isGit) return scope;
    let inner = scope;
    if (names.includes(".git")) {
      const tracked = new TrackedPaths(this.#absolute(path));
      const { excludes, gitDir } = tracked;
      if (!isAtOrBelow(gitDir, this.#options.root)) this.#leaveOut(joinRaw(path, ".git"), "outside");
      inner = {
        ...inner,
        tracked,
        rules: IgnoreRules.none.with(path, excludes),
        rulesKey: crc32(`${path}\0${excludes}`),
      };
    }
    if (!names.includes(".gitignore")) return inner;
    const read = readStable(this.#absolute(joinRaw(path, ".gitignore")));
    const text = typeof read === "object" ? read.content.toString("latin1") : "";
    return { ...inner, rules: inner.rules.with(path, text), rulesKey: crc32(`${path}\0${text}`, inner.rulesKey) };
  }

  #recordEntries(
    path: RawPath,
    names: readonly RawPath[],
    scope: Scope,
    known: { readonly entries: PackedEntries | undefined; readonly isUnchanged: boolean },
    list: EntryOrPosition[],
  ): void {
    const { entries, isUnchanged } = known;
    const positions = isUnchanged ? undefined : new Map(entries?.names.map((name, at) => [name, at]));
    const directory = `${this.#absolute(path)}/`;
    for (const [index, name] of names.entries()) {
      this.#checkLimits();
      const stat = fs.lstatSync(forFs(directory + name), { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const at = positions === undefined ? index : positions.get(name);
      if (at !== undefined && entries?.isSame(at, stat) === true) {
        this.#files += 1;
        list.push(at);
        continue;
      }
      const child = joinRaw(path, name);
      const entry = isDirectory(stat.mode)
        ? this.#subdirectory(child, name, stat, scope)
        : this.#file(child, name, stat, scope);
      if (entry !== undefined) list.push(at !== undefined && entries?.has(at, entry) === true ? at : entry);
    }
  }

  #subdirectory(path: RawPath, name: RawPath, stat: fs.Stats, scope: Scope): CachedEntry | undefined {
    if (this.#options.excluded.has(this.#absolute(path))) return undefined;
    if (scope.isGit) {
      const objects = scope.objects ?? (name === "objects" ? path : undefined);
      return this.#entry(name, stat, this.#directory(path, stat, { ...scope, objects }, false));
    }
    const isIgnored = scope.isIgnored || this.#ignores(path, name, scope);
    if (isIgnored && !scope.tracked.hasBelow(this.#absolute(path))) {
      const isLeftOut = DEPENDENCIES.has(name) || (!scope.isIgnored && !this.#isSmall(path));
      if (isLeftOut) return this.#leaveOut(path, "ignored");
    }
    return this.#entry(name, stat, this.#directory(path, stat, scope, isIgnored));
  }

  #ignores(path: RawPath, name: RawPath, { rules, rulesKey }: Scope): boolean {
    if (name === ".git") return false;
    const known = this.#options.cache.get(path);
    if (known?.rulesKey === rulesKey) return known.isIgnored;
    return DEPENDENCIES.has(name) || rules.ignores(path, true);
  }

  #isSmall(path: RawPath): boolean {
    let entries = 0;
    let bytes = 0;
    const visit = (directory: RawPath): boolean =>
      fs.readdirSync(forFs(this.#absolute(directory)), { encoding: "latin1" }).every((name) => {
        const child = joinRaw(directory, name);
        const stat = fs.lstatSync(forFs(this.#absolute(child)), { throwIfNoEntry: false });
        entries += 1;
        bytes += stat?.size ?? 0;
        if (entries > MAX_IGNORED_ENTRIES || bytes > MAX_IGNORED_BYTES) return false;
        return stat?.isDirectory() !== true || visit(child);
      });
    try {
      return visit(path);
    } catch {
      return false;
    }
  }

  #file(path: RawPath, name: RawPath, stat: fs.Stats, scope: Scope): CachedEntry | undefined {
    this.#files += 1;
    // A lock belongs to a program that is running.
    if (scope.isGit && (name.endsWith(".lock") || name.startsWith("tmp_"))) return undefined;
    const key = scope.objects === undefined ? undefined : packKey(path, scope.objects);
    if (key !== undefined && stat.isFile() && stat.size > MIN_KEPT_BYTES) return this.#keptFile(path, name, stat, key);
    if (isLink(stat.mode)) return this.#link(path, name, stat);
    if (!stat.isFile()) return this.#leaveOut(path, "special");
    const { maxFileBytes, maxIgnoredFileBytes } = this.#options.limits;
    if (
      stat.size > maxFileBytes ||
      (stat.size > maxIgnoredFileBytes && !scope.isGit && this.#isIgnoredFile(path, scope))
    )
      return this.#leaveOut(path, stat.size > maxFileBytes ? "large" : "ignored");
    const written = this.#options.written?.get(path);
    return (written && entryOfWritten(written, name, stat)) ?? this.#content(path, name);
  }

  #isIgnoredFile(path: RawPath, { isIgnored, rules, tracked }: Scope): boolean {
    return (isIgnored || rules.ignores(path, false)) && !tracked.has(this.#absolute(path));
  }

  #keptFile(path: RawPath, name: RawPath, stat: fs.Stats, key: string): CachedEntry | undefined {
    if (!this.#options.kept.keep(this.#absolute(path), key)) return this.#leaveOut(path, "large");
    const id = objectId("blob", Buffer.from(`${key} ${stat.size}`, "latin1"));
    return { ...UNSETTLED, name, mode: KEPT_TYPE | permissionsOf(stat.mode), id };
  }

  #link(path: RawPath, name: RawPath, stat: fs.Stats): CachedEntry | undefined {
    const readAtMs = Date.now();
    try {
      const target = fs.readlinkSync(forFs(this.#absolute(path)), { encoding: "latin1" });
      return this.#stored(name, stat, Buffer.from(target, "latin1"), readAtMs);
    } catch (error) {
      return hasCode(error, "ENOENT") ? undefined : this.#leaveOut(path, "unreadable");
    }
  }

  #content(path: RawPath, name: RawPath): CachedEntry | undefined {
    this.#checkTime();
    const readAtMs = Date.now();
    const read = readStable(this.#absolute(path));
    if (read === "gone") return undefined;
    if (read === undefined) return this.#leaveOut(path, "unreadable");
    this.#changedAtMs.set(path, read.stat.ctimeMs);
    return this.#stored(name, read.stat, read.content, read.isStable ? readAtMs : 0);
  }

  #stored(name: RawPath, stat: fs.Stats, content: Buffer, readAtMs: number): CachedEntry {
    const id = this.#options.store.add("blob", content);
    this.#newBytes += content.length;
    return { ...settledStamp(stat, readAtMs), mode: stat.mode, name, id };
  }

  #entry(name: RawPath, { mode }: fs.Stats, id: string): CachedEntry {
    return { ...UNSETTLED, name, mode, id };
  }

  #leaveOut(path: RawPath, reason: LeftOutReason): undefined {
    this.#leftOut.push({ path, reason });
  }

  #checkLimits(): void {
    const { maxEntries, maxNewBytes } = this.#options.limits;
    this.#entries += 1;
    if (this.#entries > maxEntries) throw new IncompleteError(`the project has more than ${maxEntries} files`);
    if (this.#newBytes > maxNewBytes) throw new IncompleteError("the project is too large");
    if (this.#entries % ENTRIES_PER_LOOK === 0) this.#checkTime();
  }

  #checkTime(): void {
    if (sinceStartMs() > this.#options.limits.endMs) throw new IncompleteError("there was not enough time", true);
  }

  #absolute(path: RawPath): RawPath {
    return path === "" ? this.#options.root : `${this.#options.root}/${path}`;
  }
}
