import { ForbiddenError, InvalidInputError } from "../platform/errors.ts";

declare const checked: unique symbol;

/**
 * A place in the vault that the rules below allow: names joined by `/`, without a leading slash; the root is "". Only
 * {@link parseVaultPath} and the functions here make one, so whoever holds it need not check it again. Places in
 * {@link SERVICE_DIRECTORY} are named by the service alone.
 */
export type VaultPath = string & { readonly [checked]: true };

export const VAULT_ROOT = toVaultPath("");

/**
 * Where the service keeps what belongs to the vault and is no document: deleted files and earlier versions. Like every name
 * that begins with a dot, {@link parseVaultPath} refuses it, so that no request can name anything in it.
 */
export const SERVICE_DIRECTORY = toVaultPath(".workspace");

/** Limits of every file system in use; Linux counts bytes. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 3_500;
/** So many names a path may have; whoever handles a tree by recursion can rely on it. */
export const MAX_DEPTH = 200;

/** What the service's own unfinished files are called. Like every name that begins with a dot, the vault does not show them. */
const TEMPORARY_NAME = /^\.workspace-([0-9a-f-]{36})-[0-9a-z-]+\.tmp$/;

const DRIVE_OR_SCHEME = /^(?:[A-Za-z]:(?:$|\/)|[A-Za-z][A-Za-z0-9+.-]*:\/\/)/;
const HIDDEN_BEHIND_NOTHING = /^[\s\p{Default_Ignorable_Code_Point}]+\./u;
const CONTROL_CHARACTER = /\p{Cc}/u;
const ESCAPE = /%([0-9a-fA-F]{2})/g;
/** Encodings of "." and "/" that a strict decoder refuses and a lax one takes: overlong UTF-8, and `%uXXXX`. */
const LAX_ESCAPE = /%(?:c0|c1|e0%[89]|f0%80)|%u[0-9a-f]{4}/i;

/**
 * Reads a path as clients send it, with or without a leading slash, with or without a trailing one. Names are taken byte for
 * byte: composed and decomposed forms of one letter are two names. Throws {@link ForbiddenError} for whatever could mean a
 * place outside the vault or a hidden name, percent-encoded forms included, and {@link InvalidInputError}, naming `field`,
 * for what no file can be called.
 */
export function parseVaultPath(text: string, field = "path"): VaultPath {
  if (text.includes("\0")) throw InvalidInputError.at(field, "must not contain NUL characters");
  if (text.startsWith("//") || DRIVE_OR_SCHEME.test(text)) throw outside();
  const names = text.split("/").filter((name) => name !== "");
  for (const name of names) assertAllowedName(name, field);
  if (names.length > MAX_DEPTH) throw InvalidInputError.at(field, `must be at most ${MAX_DEPTH} names deep`);
  const path = names.join("/");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw InvalidInputError.at(field, `must be at most ${MAX_PATH_BYTES} bytes long`);
  }
  return toVaultPath(path);
}

/** Whether a name on disk belongs to the vault; what does not is neither listed nor mirrored, and cannot be addressed. */
export function isVaultName(name: string): boolean {
  return name !== "" && !isHidden(name) && !isDisguised(name);
}

/**
 * The part of a path that ends with its last name with control characters in it; null where there is none. Line breaks and the
 * like are allowed by disks, and what has them can be read, changed and deleted, but nothing new is given such a name.
 */
export function throughLastControlCharacter(path: VaultPath): VaultPath | null {
  if (!CONTROL_CHARACTER.test(path)) return null;
  const names = path.split("/");
  return toVaultPath(names.slice(0, names.findLastIndex((name) => CONTROL_CHARACTER.test(name)) + 1).join("/"));
}

/** The name of an unfinished file: of the process that writes it, by its id, and of a write in that process. */
export function temporaryName(writerId: string, write: string): string {
  return `.workspace-${writerId}-${write}.tmp`;
}

/** The id of the process that left an unfinished file of this name; null for any other name. */
export function writerOfTemporary(name: string): string | null {
  return TEMPORARY_NAME.exec(name)?.[1] ?? null;
}

/** The entry `name` of a directory. The name comes from a listing or from a path, and was checked there. */
export function childOf(directory: VaultPath, name: string): VaultPath {
  return toVaultPath(directory === VAULT_ROOT ? name : `${directory}/${name}`);
}

/** The directory that holds the path; the root holds itself. */
export function parentOf(path: VaultPath): VaultPath {
  return toVaultPath(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
}

/** The last name of a path; "" for the root. */
export function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** How many names a path has. */
export function depthOf(path: VaultPath): number {
  return path === VAULT_ROOT ? 0 : path.split("/").length;
}

/** Whether `path` is `directory` itself or anywhere below it. */
export function isWithin(path: VaultPath, directory: VaultPath): boolean {
  return directory === VAULT_ROOT || path === directory || path.startsWith(`${directory}/`);
}

/** Where something within `from` is once `from` has become `to`. */
export function rebase(path: VaultPath, from: VaultPath, to: VaultPath): VaultPath {
  return toVaultPath(`${to}${path.slice(from.length)}`);
}

function toVaultPath(path: string): VaultPath {
  assertNormalized(path);
  return path;
}

function assertNormalized(path: string): asserts path is VaultPath {
  if (path.startsWith("/") || path.endsWith("/")) throw new Error(`not a vault path: ${path}`);
}

function assertAllowedName(name: string, field: string): void {
  if (isHidden(name)) {
    throw name === ".." ? outside() : new ForbiddenError("Names that begin with a dot are not part of the vault.");
  }
  if (isDisguised(name)) throw outside();
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw InvalidInputError.at(field, `names must be at most ${MAX_NAME_BYTES} bytes long`);
  }
}

/**
 * Characters before the dot that show nothing do not help: some file systems leave them out, so that `<U+200B>.workspace` is
 * `.workspace` there, and nobody who reads the name sees a difference.
 */
function isHidden(name: string): boolean {
  const first = name.charCodeAt(0);
  const isVisible = first > 0x20 && first < 0x7f;
  return isVisible ? name.startsWith(".") : HIDDEN_BEHIND_NOTHING.test(name);
}

/** Whether some decoder between here and a disk could read the name as more than a name. */
function isDisguised(name: string): boolean {
  if (name.includes("\\") || LAX_ESCAPE.test(name)) return true;
  // A name can be encoded several times over; each round makes it shorter, so this ends.
  for (let text = name; text.includes("%");) {
    const decoded = text.replaceAll(ESCAPE, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === text) return false;
    if (/[/\\\0]/.test(decoded) || decoded.startsWith(".") || LAX_ESCAPE.test(decoded)) return true;
    text = decoded;
  }
  return false;
}

function outside(): ForbiddenError {
  return new ForbiddenError("The path leads outside the vault.");
}
