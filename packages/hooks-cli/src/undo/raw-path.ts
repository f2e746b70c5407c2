/**
 * A path, or a part of one, with a character for each byte: names of files need not be UTF-8, and must be restored as they
 * were.
 */
export type RawPath = string;

export function toRaw(path: string): RawPath {
  return isAscii(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}

/** For people, and for paths that are compared with others of this program. */
export function toText(path: RawPath): string {
  return isAscii(path) ? path : Buffer.from(path, "latin1").toString("utf8");
}

/** The path as the functions of `node:fs` take it. */
export function forFs(path: RawPath): string | Buffer {
  return isAscii(path) ? path : Buffer.from(path, "latin1");
}

export function joinRaw(directory: RawPath, name: RawPath): RawPath {
  return directory === "" ? name : `${directory}/${name}`;
}

/** Whether a path is a directory or something in it. */
export function isAtOrBelow(path: RawPath, directory: RawPath): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- All characters of ASCII.
  return /^[\0-\x7f]*$/.test(text);
}
