import * as fs from "node:fs";

const CHUNK_BYTES = 1024 * 1024;
/** A longer line is an image or an entire file, and is skipped. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

export interface TranscriptLine {
  readonly text: string;
  /** The position after the line, from which a later read continues. */
  readonly end: number;
}

/**
 * The complete lines of a file from a position on, read in chunks, so that a file of any size takes little memory. An
 * incomplete last line is left for later: the assistant is still writing it.
 */
export function* readLines(path: string, from: number): Generator<TranscriptLine> {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    if (!fs.fstatSync(descriptor).isFile()) return;
    let rest = Buffer.alloc(0);
    let isSkipping = false;
    for (let position = from; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const length = fs.readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
      if (length === 0) return;
      const lineStart = position - rest.length;
      const bytes = rest.length === 0 ? chunk.subarray(0, length) : Buffer.concat([rest, chunk.subarray(0, length)]);
      position += length;
      let at = 0;
      for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
        if (!isSkipping) yield { text: bytes.toString("utf8", at, end), end: lineStart + end + 1 };
        isSkipping = false;
        at = end + 1;
      }
      rest = bytes.subarray(at);
      if (rest.length > MAX_LINE_BYTES) {
        isSkipping = true;
        rest = Buffer.alloc(0);
      }
    }
  } finally {
    fs.closeSync(descriptor);
  }
}
