import * as fs from "node:fs";
import { hasCode } from "../files/atomic-file.ts";
import { type RawPath, forFs } from "./raw-path.ts";

export interface StableRead {
  readonly content: Buffer;
  /** As it was before the content was read. */
  readonly stat: fs.Stats;
  /** Whether nobody wrote to the file meanwhile. */
  readonly isStable: boolean;
}

const MAX_TRIES = 3;

/** Reads a regular file, again if it changed meanwhile. Undefined if it cannot be read, or is something else by now. */
export function readStable(path: RawPath): StableRead | "gone" | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let descriptor: number;
  try {
    descriptor = fs.openSync(forFs(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return hasCode(error, "ENOENT") ? "gone" : undefined;
  }
  try {
    for (let tries = 1; ; tries += 1) {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile()) return undefined;
      const content = readAll(descriptor, stat.size);
      const after = fs.fstatSync(descriptor);
      const isStable =
        content.length === after.size && stat.mtimeMs === after.mtimeMs && stat.ctimeMs === after.ctimeMs;
      if (isStable || tries === MAX_TRIES) return { content, stat, isStable };
    }
  } catch {
    return undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** From the beginning, as often as it is called. */
function readAll(descriptor: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = fs.readSync(descriptor, content, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return content.subarray(0, length);
}
