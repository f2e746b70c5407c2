import * as fs from "node:fs";

/** So much is read at once when parts follow one another. */
const READ_AHEAD_BYTES = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Reads parts of a file that does not change. Objects are needed mostly in the order in which they were recorded, and a system call
 * for each of them takes longer than the reading.
 */
export class PackReader {
  readonly size: number;
  readonly #path: string;
  readonly #descriptor: number;
  /** What was read last, and where it begins in the file. */
  #bytes = NOTHING;
  #start = 0;
  #lastEnd = -1;

  /** Throws if the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = fs.openSync(path, "r");
    this.size = fs.fstatSync(this.#descriptor).size;
  }

  /** What is between two offsets; it shares its memory with other parts. Throws if the file ends before. */
  read(start: number, end: number): Buffer {
    const isHeld = start >= this.#start && end <= this.#start + this.#bytes.length;
    if (!isHeld) this.#fetch(start, this.#isNext(start) ? Math.max(end, start + READ_AHEAD_BYTES) : end);
    this.#lastEnd = end;
    const part = this.#bytes.subarray(start - this.#start, end - this.#start);
    if (part.length !== end - start) throw new Error(`${this.#path} is incomplete`);
    return part;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  /** Whether it follows the last part, or nearly so: some objects are not needed, or were needed before. */
  #isNext(start: number): boolean {
    return start >= this.#lastEnd && start < this.#lastEnd + READ_AHEAD_BYTES / 4;
  }

  #fetch(start: number, end: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, this.size) - start));
    const length = fs.readSync(this.#descriptor, bytes, 0, bytes.length, start);
    this.#bytes = bytes.subarray(0, length);
    this.#start = start;
  }
}
