import { resolve } from "node:path";
import { readIfExists } from "../files/atomic-file.ts";
import { type RawPath, forFs } from "./raw-path.ts";

/** The longest path whose length the index says. */
const MAX_LENGTH = 0xfff;

/** Whether a directory with these entries is a git directory: `.git`, a bare repository, that of a submodule. */
export function isGitDirectory(names: readonly RawPath[]): boolean {
  return names.includes("HEAD") && names.includes("objects") && names.includes("refs");
}

/** The git directory that a path is in. */
export function gitDirOf(path: RawPath): RawPath | undefined {
  return /^(?:.*\/)?\.git(?=\/|$)/.exec(path)?.[0];
}

/** Whether a path may be that of a repository's index, also of a submodule's or a linked worktree's. */
export function isIndexPath(path: RawPath): boolean {
  return path.endsWith("/index") && gitDirOf(path) !== undefined;
}

/**
 * The name under which a pack among a git directory's objects is kept, or a file that belongs to one. It says everything about
 * the content. Undefined for other files.
 */
export function packKey(path: RawPath, objects: RawPath): string | undefined {
  const key = path.slice(objects.length + 1);
  return /^pack\/pack-[0-9a-f]{40,64}\.[a-z]+$/.test(key) ? key : undefined;
}

/** What git tracks in a working tree, as far as must be known of folders and large files that its rules ignore. */
export class TrackedPaths {
  readonly #root: RawPath;
  #index: Buffer | undefined;

  /** The root of the working tree. */
  constructor(root: RawPath) {
    this.#root = root;
  }

  /** The rules of the repository that are in no `.gitignore`. */
  get excludes(): string {
    return this.#read("info/exclude").toString("latin1");
  }

  /** Whether something is tracked in a directory. */
  hasBelow(directory: RawPath): boolean {
    return this.#mentions(`${directory.slice(this.#root.length + 1)}/`);
  }

  has(path: RawPath): boolean {
    return this.#mentions(`${path.slice(this.#root.length + 1)}\0`);
  }

  /** Paths are written out in the versions 2 and 3 of git's index, which is nearly every one. */
  #mentions(text: string): boolean {
    this.#index ??= this.#read("index");
    for (let at = this.#find(text, 0); at !== -1; at = this.#find(text, at + 1))
      if (isPath(this.#index, at)) return true;
    return false;
  }

  #find(text: string, from: number): number {
    return this.#index?.indexOf(text, from, "latin1") ?? -1;
  }

  #read(name: string): Buffer {
    return readOrEmpty(`${this.gitDir}/${name}`);
  }

  /** `.git`, or what it names if it is a file. */
  get gitDir(): RawPath {
    const path = `${this.#root}/.git`;
    const named = /^gitdir: *(.+)/m.exec(readOrEmpty(path).toString("latin1"))?.[1]?.trim();
    return named === undefined ? path : resolve(this.#root, named);
  }
}

function readOrEmpty(path: RawPath): Buffer {
  try {
    return readIfExists(forFs(path)) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Whether a path begins here in the index: its length is in the flags before it, of which there may be two more bytes. */
function isPath(index: Buffer, at: number): boolean {
  const length = Math.min(MAX_LENGTH, index.indexOf(0, at) - at);
  return [2, 4].some((before) => at >= before && (index.readUInt16BE(at - before) & MAX_LENGTH) === length);
}
