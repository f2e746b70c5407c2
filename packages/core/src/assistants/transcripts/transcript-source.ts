import { constants } from "node:fs";
import { open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { ForbiddenError, InvalidInputError, NotFoundError, TooLargeError } from "../../platform/errors.ts";

export const MAX_TRANSCRIPT_PATH_LENGTH = 4096;

/** A transcript as given by a caller: its text or its path. */
export interface TranscriptReference {
  readonly transcript?: string | undefined;
  readonly transcriptPath?: string | undefined;
}

export interface TranscriptSource {
  /**
   * The whole text of the transcript. Only files below the configured folders are read, after resolving links and `..`;
   * anything else throws {@link ForbiddenError}, whether it exists or not. Throws {@link InvalidInputError} if neither is given
   * or the path is not a regular file, {@link NotFoundError}, and {@link TooLargeError}.
   */
  read(reference: TranscriptReference): Promise<string>;
}

export interface TranscriptSourceOptions {
  /** Absolute paths of the folders that may be read. Missing ones are ignored. */
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
    // Nonexistent files outside must be indistinguishable from existing ones.
    const wouldBeInside = [...roots, ...realRoots].some((root) => isBelow(root, resolve(path)));
    throw wouldBeInside ? new NotFoundError("There is no such transcript.") : outside();
  }
  if (!realRoots.some((root) => isBelow(root, realPath))) throw outside();

  const file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // A folder on the path may have become a link since it was resolved, so check where the open file really is.
    const openedPath = await realPathOfOpen(file, realPath);
    if (!realRoots.some((root) => isBelow(root, openedPath))) throw outside();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Null if the path does not exist or leads through something other than a folder, a loop of links, or an inaccessible folder.
 */
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
