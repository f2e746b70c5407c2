import { constants } from "node:fs";
import { open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { ForbiddenError, InvalidInputError, NotFoundError, TooLargeError } from "../platform/errors.ts";

export const MAX_TRANSCRIPT_PATH_LENGTH = 4096;

/** A transcript as a caller gives it: itself, or where it lies. */
export interface TranscriptReference {
  readonly transcript?: string | undefined;
  readonly transcriptPath?: string | undefined;
}

export interface TranscriptSource {
  /**
   * The transcript's whole text. A file is read only below the configured folders, wherever its path leads by links or
   * `..`: anything else is a {@link ForbiddenError}, whether it exists or not. Throws {@link InvalidInputError} where neither
   * is given or the path is no regular file, {@link NotFoundError}, and {@link TooLargeError}.
   */
  read(reference: TranscriptReference): Promise<string>;
}

export interface TranscriptSourceOptions {
  /** Absolute paths of the folders that may be read. Those that do not exist are left out. */
  readonly roots: readonly string[];
  readonly maxBytes: number;
}

export function createTranscriptSource({ roots, maxBytes }: TranscriptSourceOptions): TranscriptSource {
  return {
    async read({ transcript, transcriptPath }) {
      if (transcript !== undefined) return transcript;
      if (transcriptPath === undefined) {
        throw InvalidInputError.at("transcript", "transcript or transcriptPath is required");
      }
      const file = await openBelow(roots, transcriptPath);
      try {
        return await readText(file, maxBytes);
      } finally {
        await file.close();
      }
    },
  };
}

async function openBelow(roots: readonly string[], path: string): Promise<FileHandle> {
  if (!isAbsolute(path)) throw outside();
  const realRoots = (await Promise.all(roots.map(realPathOf))).filter((root) => root !== null);
  const realPath = await realPathOf(path);
  if (realPath === null) {
    // What is outside must not be told from what does not exist.
    const wouldBeInside = [...roots, ...realRoots].some((root) => isBelow(root, resolve(path)));
    throw wouldBeInside ? new NotFoundError("There is no such transcript.") : outside();
  }
  if (!realRoots.some((root) => isBelow(root, realPath))) throw outside();

  const file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // A folder on the way may have become a link since its path was resolved; this is where the open file really is.
    const openedPath = await realPathOfOpen(file, realPath);
    if (!realRoots.some((root) => isBelow(root, openedPath))) throw outside();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Null for what does not exist, or is behind something that is no folder, a circle of links, or a closed folder. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EACCES") return null;
    if (code === "ENAMETOOLONG") throw InvalidInputError.at("transcriptPath", "has a name that is too long");
    throw error;
  }
}

function realPathOfOpen(file: FileHandle, path: string): Promise<string> {
  return process.platform === "linux" ? readlink(`/proc/self/fd/${file.fd}`) : realpath(path);
}

async function readText(file: FileHandle, maxBytes: number): Promise<string> {
  const stat = await file.stat();
  if (!stat.isFile()) throw InvalidInputError.at("transcriptPath", "expected the path of a file");
  if (stat.size > maxBytes) throw new TooLargeError(`The transcript is larger than ${maxBytes} bytes.`);
  return (await file.readFile()).toString("utf8");
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(): ForbiddenError {
  return new ForbiddenError("Transcripts are read only below TRANSCRIPT_ROOTS.");
}
