import type { RawPath } from "./raw-path.ts";

/** By what a file is recognised as unchanged: writing to it changes the last two of them at least. */
export interface Stamp {
  readonly mode: number;
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface CachedEntry extends Stamp {
  readonly name: RawPath;
  /** 40 hexadecimal digits. */
  readonly id: string;
}

/** A stamp that no file has: what was recorded with it is read again. */
export const UNSETTLED: Stamp = { mode: -1, size: -1, ino: -1, mtimeMs: -1, ctimeMs: -1 };

export const ID_BYTES = 20;
/** The numbers of a stamp. */
export const STAMP_NUMBERS = 5;
const [CTIME, MTIME, SIZE, INO, MODE] = [0, 1, 2, 3, 4] as const;

/** An entry, or the position of the same one among those of before. */
export type EntryOrPosition = CachedEntry | number;

/**
 * The entries of a directory as they are stored. Of most of them nothing but the stamp is ever needed, and objects for all of them
 * would take more time than the system calls that find out what has changed.
 */
export class PackedEntries implements Iterable<CachedEntry> {
  readonly names: readonly RawPath[];
  readonly stamps: Float64Array;
  readonly ids: Buffer;

  constructor(names: readonly RawPath[], stamps: Float64Array, ids: Buffer) {
    this.names = names;
    this.stamps = stamps;
    this.ids = ids;
  }

  /** Packs entries. Those that are positions are copied from `before`. */
  static of(entries: readonly EntryOrPosition[], before: PackedEntries | undefined): PackedEntries {
    const whole = entries.map((entry) => (typeof entry === "number" ? before?.at(entry) : entry)).filter(isDefined);
    const stamps = new Float64Array(whole.length * STAMP_NUMBERS);
    for (const [at, { ctimeMs, mtimeMs, size, ino, mode }] of whole.entries())
      stamps.set([ctimeMs, mtimeMs, size, ino, mode], at * STAMP_NUMBERS);
    const ids = Buffer.from(whole.map(({ id }) => id).join(""), "hex");
    return new PackedEntries(
      whole.map(({ name }) => name),
      stamps,
      ids,
    );
  }

  get length(): number {
    return this.names.length;
  }

  at(position: number): CachedEntry | undefined {
    const name = this.names[position];
    return name === undefined ? undefined : { name, id: this.idAt(position), ...stampAt(this.stamps, position) };
  }

  idAt(position: number): string {
    return this.ids.toString("hex", position * ID_BYTES, (position + 1) * ID_BYTES);
  }

  /** Whether an entry is the one that is stored there. */
  has(position: number, entry: CachedEntry): boolean {
    return this.isSame(position, entry) && this.idAt(position) === entry.id;
  }

  /** Whether a file is the one that is stored there. */
  isSame(position: number, { ctimeMs, mtimeMs, size, ino, mode }: Stamp): boolean {
    const { stamps } = this;
    const start = position * STAMP_NUMBERS;
    return (
      stamps[start + CTIME] === ctimeMs &&
      stamps[start + MTIME] === mtimeMs &&
      stamps[start + SIZE] === size &&
      stamps[start + INO] === ino &&
      stamps[start + MODE] === mode
    );
  }

  *[Symbol.iterator](): Iterator<CachedEntry> {
    for (let position = 0; position < this.length; position += 1) {
      const entry = this.at(position);
      if (entry !== undefined) yield entry;
    }
  }
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function stampAt(stamps: Float64Array, position: number): Stamp {
  const number = (offset: number): number => stamps[position * STAMP_NUMBERS + offset] ?? -1;
  return { ctimeMs: number(CTIME), mtimeMs: number(MTIME), size: number(SIZE), ino: number(INO), mode: number(MODE) };
}
