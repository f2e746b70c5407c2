/** A part of a file. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * Parses a `Range` header for a file of this size. Null if the whole file is to be sent: without the header, and for headers that
 * a server may ignore, such as several ranges at once. `unsatisfiable` if the range is beyond the end of the file.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const match = ONE_RANGE.exec(header ?? "");
  if (match === null) return null;
  const [, first, last, suffix] = match;
  if (first === undefined) {
    const length = Math.min(Number(suffix), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, length };
  }
  const start = Number(first);
  if (start >= sizeBytes) return "unsatisfiable";
  const end = last === undefined || last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return end < start ? null : { start, length: end - start + 1 };
}
