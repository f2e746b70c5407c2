import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RawPath, forFs } from "./raw-path.ts";

/** How the names of what an undo has not finished yet begin. */
export const UNFINISHED = ".workspace-undo-";

interface Place {
  /** Undefined is the file's own folder. */
  readonly path: string | undefined;
  expectedMs: number;
}

const SLOW_MS = 0.1;
/** Measuring takes a part of what it measures, so it is done for one of so many files. */
const FILES_PER_SAMPLE = 8;
/** So many are measured before other places are tried. */
const MIN_SAMPLES = 8;
/** More has other causes. */
const MAX_NOTED_MS = 0.5;
const FORGETTING = 0.98;
const SET_GROUP = 0o2000;

/**
 * Where files are created before they are renamed to their places. That is their own folder, unless creating files there is slow:
 * ext4 without a journal does not use inodes that were freed in the last minutes and passes over all of them for each new file, which
 * takes up to a hundred times as long after much was deleted. A folder elsewhere on the same disk has inodes from elsewhere.
 */
export class Staging {
  readonly #root: RawPath;
  readonly #parents: readonly string[];
  readonly #own: Place = { path: undefined, expectedMs: 0 };
  #places: readonly Place[] | undefined;
  #files = 0;
  #samples = 0;
  #spentMs = 0;
  #last = this.#own;

  /** `store` is a folder of ours. */
  constructor(root: RawPath, store: string) {
    this.#root = root;
    this.#parents = [store, tmpdir(), "/var/tmp"];
  }

  /** The folder in which to create the next file; undefined is its own. */
  next(): string | undefined {
    this.#files += 1;
    if (this.#places === undefined && this.#samples >= MIN_SAMPLES && this.#spentMs > this.#samples * SLOW_MS)
      this.#places = [this.#own, ...this.#open()];
    const places = this.#places ?? [this.#own];
    this.#last = places.reduce((best, place) => (place.expectedMs < best.expectedMs ? place : best));
    return this.#last.path;
  }

  /** Creates that file. */
  create<T>(create: () => T): T {
    if (this.#files % FILES_PER_SAMPLE !== 0) return create();
    const start = process.cpuUsage();
    const created = create();
    const { user, system } = process.cpuUsage(start);
    this.took((user + system) / 1_000);
    return created;
  }

  /** Notes how much processor time that took: elapsed time says more about what else the machine does. */
  took(ms: number): void {
    this.#samples += 1;
    this.#spentMs += Math.min(ms, MAX_NOTED_MS);
    // The others are tried again at some time.
    for (const place of this.#places ?? []) place.expectedMs *= FORGETTING;
    this.#last.expectedMs = (this.#last.expectedMs + Math.min(ms, MAX_NOTED_MS)) / 2;
  }

  close(): void {
    for (const { path } of this.#places ?? [])
      if (path !== undefined) fs.rmSync(path, { recursive: true, force: true });
  }

  #open(): readonly Place[] {
    // Files get their label and their group from the folder in which they are created.
    const { dev, mode } = fs.statSync(forFs(this.#root));
    if (fs.existsSync("/sys/fs/selinux/enforce") || (mode & SET_GROUP) !== 0) return [];
    return this.#parents.flatMap((parent) => {
      try {
        if (fs.statSync(parent).dev !== dev) return [];
        return [{ path: fs.mkdtempSync(join(parent, UNFINISHED)), expectedMs: 0 }];
      } catch {
        return [];
      }
    });
  }
}
