import * as fs from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { hasCode, statIfExists } from "../files/atomic-file.ts";
import { isBelow, isCovered } from "../policy/file-location.ts";
import { ENV_FILES, KEY_FILES } from "../policy/secret-file-names.ts";
import { trackedFiles } from "../project/git-index.ts";
import { CitedFile } from "./fingerprint.ts";

/** Larger files are generated, and would take too long. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Where the lines of a file that is gone are looked for. */
const MAX_CANDIDATES = 60;

export type FileText =
  | { readonly kind: "text"; readonly file: CitedFile }
  | { readonly kind: "gone" }
  /** It cannot be read, is too large, or is not in the project. */
  | { readonly kind: "unknown" };

const GONE: FileText = { kind: "gone" };
const UNKNOWN: FileText = { kind: "unknown" };
/** Nothing is there, or a directory. */
const GONE_CODES = ["ENOENT", "ENOTDIR", "EISDIR"];

/** The files of a project, as they are in its folder, each read once. */
export class ProjectFiles {
  readonly #root: string;
  readonly #read = new Map<string, FileText>();
  /** Has room for more than a file may have. */
  readonly #buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  #totalBytes = 0;
  #tracked: readonly string[] | undefined;

  /** Throws if the folder does not exist. */
  constructor(root: string) {
    this.#root = fs.realpathSync.native(root);
  }

  /** A path from the root; undefined if it leads out of the project. */
  pathFromRoot(path: string): string | undefined {
    // Usually it is plain, and then resolving hundreds of them would take the better part of the check.
    if (path !== "" && !path.startsWith("/") && !path.includes("./") && !path.endsWith("..")) return path;
    const full = resolve(this.#root, path);
    return isBelow(full, this.#root) ? relative(this.#root, full) : undefined;
  }

  /** Of a path from the root. */
  read(path: string): FileText {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const found = this.#readFile(path);
    this.#read.set(path, found);
    return found;
  }

  exists(path: string): boolean {
    return statIfExists(join(this.#root, path)) !== undefined;
  }

  /** Whether a file may contain secrets, so that nothing about its text may leave the machine. */
  isSecret(path: string): boolean {
    const facts = { home: undefined, projectRoot: this.#root };
    return isCovered(join(this.#root, path), [...ENV_FILES, ...KEY_FILES], facts);
  }

  /** The files as which one that is gone may exist now, the most likely first: of its name, in its folder, of its kind. */
  successorsOf(path: string): string[] {
    this.#tracked ??= trackedFiles(this.#root);
    const [name, folder, kind] = [basename(path), dirname(path), extname(path)];
    const near = namesIn(join(this.#root, folder)).map((sibling) => join(folder, sibling));
    const ofKind = [...new Set([...near, ...this.#tracked])].filter(
      (other) => other !== path && (extname(other) === kind || basename(other) === name),
    );
    const rank = (other: string): number => (basename(other) === name ? 0 : dirname(other) === folder ? 1 : 2);
    return ofKind.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_CANDIDATES);
  }

  #readFile(path: string): FileText {
    try {
      const real = fs.realpathSync.native(join(this.#root, path));
      if (!isBelow(real, this.#root)) return UNKNOWN;
      const length = readInto(this.#buffer, real);
      this.#totalBytes += length;
      if (length > MAX_FILE_BYTES || this.#totalBytes > MAX_TOTAL_BYTES) return UNKNOWN;
      return { kind: "text", file: new CitedFile(this.#buffer.toString("utf8", 0, length)) };
    } catch (error) {
      return GONE_CODES.some((code) => hasCode(error, code)) ? GONE : UNKNOWN;
    }
  }
}

/** Reads the beginning of a file, without waiting for what is none; a status of each would take longer than reading it. */
function readInto(buffer: Buffer, path: string): number {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    return fs.readSync(descriptor, buffer);
  } finally {
    fs.closeSync(descriptor);
  }
}

function namesIn(directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch {
    return [];
  }
}
