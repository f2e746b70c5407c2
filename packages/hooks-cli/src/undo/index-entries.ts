/** The fields of an entry: what `stat` reported, then the mode, then that again, the object's id and the flags, then the path. */
const HEADER_BYTES = 12;
const TIMES_BYTES = 24;
const MODE_END = 28;
const OWNER_END = 40;
const FLAGS_AT = 60;
const PATH_AT = 62;
const EXTENDED_FLAG = 0x4000;
const CHECKSUM_BYTES = 20;
/** Extensions that only save git some work. */
const DERIVED = new Set(["TREE", "UNTR", "FSMN", "EOIE", "IEOT"]);

/**
 * Whether two files of git's index say the same about every path. git writes into it when it last looked at each file, also in
 * `git status`. An index of an unknown format is only the same as itself.
 */
export function isSameIndex(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  const [first, second] = [entriesOf(one), entriesOf(other)];
  return first !== undefined && second !== undefined && first.equals(second);
}

/** The version and the entries without what `stat` reported, and the extensions that mean something. */
function entriesOf(index: Buffer): Buffer | undefined {
  if (index.length < HEADER_BYTES + CHECKSUM_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const parts = [index.subarray(0, HEADER_BYTES)];
  const end = index.length - CHECKSUM_BYTES;
  let at = HEADER_BYTES;
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    if (at + PATH_AT > end) return undefined;
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & EXTENDED_FLAG) !== 0;
    const nul = pathEnd(index, at + PATH_AT + (isExtended ? 2 : 0), version);
    if (nul === -1 || nul >= end) return undefined;
    parts.push(index.subarray(at + TIMES_BYTES, at + MODE_END), index.subarray(at + OWNER_END, nul + 1));
    // Padded to a multiple of eight bytes, except in version 4.
    at = version === 4 ? nul + 1 : at + Math.ceil((nul - at + 1) / 8) * 8;
  }
  for (; at + 8 <= end; at += 8 + index.readUInt32BE(at + 4))
    if (!DERIVED.has(index.toString("latin1", at, at + 4)))
      parts.push(index.subarray(at, Math.min(end, at + 8 + index.readUInt32BE(at + 4))));
  return at === end ? Buffer.concat(parts) : undefined;
}

/** Where the zero after a path is. In version 4 it begins with the length of what it does not share with the one before. */
function pathEnd(index: Buffer, start: number, version: number): number {
  let at = start;
  if (version === 4) {
    while (((index[at] ?? 0) & 0x80) !== 0) at += 1;
    at += 1;
  }
  return index.indexOf(0, at);
}
