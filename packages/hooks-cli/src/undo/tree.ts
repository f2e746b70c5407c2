import type { RawPath } from "./raw-path.ts";

/** An entry of a directory. */
export interface TreeEntry {
  readonly name: RawPath;
  /** The type and the permissions, as `lstat` reports them; git reads them as the closest of its own modes. */
  readonly mode: number;
  /** The object with its content. */
  readonly id: string;
}

const TYPE_MASK = 0o170000;
const DIRECTORY = 0o040000;
const LINK = 0o120000;
const ID_BYTES = 20;

/**
 * The type of a large pack of the project's own repository, which git never changes. Its content is not in the store: the file is
 * kept itself, see `kept-files.ts`. git reads such an entry as a submodule.
 */
export const KEPT_TYPE = 0o160000;

export function isKept(mode: number): boolean {
  return (mode & TYPE_MASK) === KEPT_TYPE;
}

export function isDirectory(mode: number): boolean {
  return (mode & TYPE_MASK) === DIRECTORY;
}

export function isLink(mode: number): boolean {
  return (mode & TYPE_MASK) === LINK;
}

export function permissionsOf(mode: number): number {
  return mode & 0o7777;
}

/** git sorts a directory as if its name ended with a slash. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const key = ({ name, mode }: TreeEntry): string => (isDirectory(mode) ? `${name}/` : name);
  const sorted = entries.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  const parts = sorted.flatMap(({ name, mode, id }) => [
    Buffer.from(`${mode.toString(8)} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return Buffer.concat(parts);
}

export function decodeTree(bytes: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space === -1 || end === -1) throw new Error("a tree is damaged");
    entries.push({
      mode: Number.parseInt(bytes.toString("latin1", at, space), 8),
      name: bytes.toString("latin1", space + 1, end),
      id: bytes.toString("hex", end + 1, end + 1 + ID_BYTES),
    });
    at = end + 1 + ID_BYTES;
  }
  return entries;
}
