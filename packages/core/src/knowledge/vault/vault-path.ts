import { ForbiddenError, InvalidInputError } from "../../platform/errors.ts";

declare const checked: unique symbol;

/**
 * A validated path in the vault: names joined by `/`, without a leading slash; the root is "". Only {@link parseVaultPath} and
 * the functions below create one, so it never needs to be checked again. Only the service itself constructs paths in
 * {@link SERVICE_DIRECTORY}.
 */
export type VaultPath = string & { readonly [checked]: true };

export const VAULT_ROOT = toVaultPath("");

/**
 * Where the service keeps data about the vault: deleted files and earlier versions. Like every name that begins with a dot,
 * {@link parseVaultPath} rejects it, so that no request can access anything in it.
 */
export const SERVICE_DIRECTORY = toVaultPath(".workspace");

/** Within the limits of all common file systems; Linux counts bytes. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 3_500;
/** The maximum number of names in a path, which keeps recursion over a tree safe. */
export const MAX_DEPTH = 200;

/** Matches the service's unfinished files. Like every name that begins with a dot, they are hidden. */
const TEMPORARY_NAME = /^\.workspace-([0-9a-f-]{36})-[0-9a-z-]+\.tmp$/;

const DRIVE_OR_SCHEME = /^(?:[A-Za-z]:(?:$|\/)|[A-Za-z][A-Za-z0-9+.-]*:\/\/)/;
const INVISIBLE_BEFORE_DOT = /^[\s\p{Default_Ignorable_Code_Point}]+\./u;
const CONTROL_CHARACTER = /\p{Cc}/u;
const ESCAPE = /%([0-9a-fA-F]{2})/g;
/** Encodings of "." and "/" that strict decoders reject and lax ones accept: overlong UTF-8, and `%uXXXX`. */
const LAX_ESCAPE = /%(?:c0|c1|e0%[89]|f0%80)|%u[0-9a-f]{4}/i;

/**
 * Parses a path from a client, with or without leading and trailing slashes. Names are compared byte for byte: composed and
 * decomposed forms of a letter are different names. Throws {@link ForbiddenError} for anything that could refer to a path
 * outside the vault or to a hidden name, even when percent-encoded, and {@link InvalidInputError} with `field` for names that
 * no file can have.
 */
export function parseVaultPath(text: string, field = "path"): VaultPath {
  if (text.includes("\0")) throw InvalidInputError.at(field, "must not contain NUL characters");
  if (text.startsWith("//") || DRIVE_OR_SCHEME.test(text)) throw outsideVault();
  const names = text.split("/").filter((name) => name !== "");
  // Whoever sends a path that is too long could otherwise have it decoded for minutes.
  let decodedCharacters = MAX_PATH_BYTES;
  for (const name of names) {
    assertAllowedName(name, field, decodedCharacters);
    decodedCharacters = Math.max(decodedCharacters - name.length, 0);
  }
  if (names.length > MAX_DEPTH) throw InvalidInputError.at(field, `must be at most ${MAX_DEPTH} names deep`);
  const path = names.join("/");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw InvalidInputError.at(field, `must be at most ${MAX_PATH_BYTES} bytes long`);
  }
  return toVaultPath(path);
}

/** Whether a name on disk belongs to the vault. Others are neither listed nor mirrored, and cannot be addressed. */
export function isVaultName(name: string): boolean {
  return name !== "" && !isHidden(name) && !isDisguised(name);
}

/**
 * The leading part of a path up to and including the last name that contains control characters; null if none does. File
 * systems allow line breaks and the like: existing files with such names can be read, changed and deleted, but no new ones
 * are created.
 */
export function prefixWithControlCharacters(path: VaultPath): VaultPath | null {
  if (!CONTROL_CHARACTER.test(path)) return null;
  const names = path.split("/");
  return toVaultPath(names.slice(0, names.findLastIndex((name) => CONTROL_CHARACTER.test(name)) + 1).join("/"));
}

/** The name of an unfinished file, composed of the ids of the process and of the write. */
export function temporaryName(writerId: string, write: string): string {
  return `.workspace-${writerId}-${write}.tmp`;
}

/** The id of the process that was writing the unfinished file with this name; null for any other name. */
export function writerOfTemporary(name: string): string | null {
  return TEMPORARY_NAME.exec(name)?.[1] ?? null;
}

/** The path of an entry of a directory. The name comes from a listing or a path and has been checked there. */
export function childOf(directory: VaultPath, name: string): VaultPath {
  return toVaultPath(directory === VAULT_ROOT ? name : `${directory}/${name}`);
}

/** The parent directory; the root is its own parent. */
export function parentOf(path: VaultPath): VaultPath {
  return toVaultPath(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
}

/** The last name of a path; "" for the root. */
export function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The number of names in a path. */
export function depthOf(path: VaultPath): number {
  return path === VAULT_ROOT ? 0 : path.split("/").length;
}

/** Whether `path` is `directory` itself or anywhere below it. */
export function isWithin(path: VaultPath, directory: VaultPath): boolean {
  return directory === VAULT_ROOT || path === directory || path.startsWith(`${directory}/`);
}

/** The new path of something within `from` after `from` has been moved to `to`. */
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

function assertAllowedName(name: string, field: string, decodedCharacters: number): void {
  if (isHidden(name)) {
    throw name === ".." ? outsideVault() : new ForbiddenError("Names that begin with a dot are not part of the vault.");
  }
  if (isDisguised(name, decodedCharacters)) throw outsideVault();
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw InvalidInputError.at(field, `names must be at most ${MAX_NAME_BYTES} bytes long`);
  }
}

/**
 * Invisible characters before the dot are ignored: some file systems drop them, which turns `<U+200B>.workspace` into
 * `.workspace`, and people cannot see the difference.
 */
function isHidden(name: string): boolean {
  const first = name.charCodeAt(0);
  const isVisible = first > 0x20 && first < 0x7f;
  return isVisible ? name.startsWith(".") : INVISIBLE_BEFORE_DOT.test(name);
}

/**
 * Whether any decoder between here and the disk could interpret the name as anything but a plain name. Only the first
 * `decodedCharacters` are decoded.
 */
function isDisguised(name: string, decodedCharacters = name.length): boolean {
  if (name.includes("\\")) return true;
  const encoded = name.slice(0, decodedCharacters);
  if (LAX_ESCAPE.test(encoded)) return true;
  // A name can be encoded several times. Every round makes it shorter, so this terminates.
  for (let text = encoded; text.includes("%");) {
    const decoded = text.replaceAll(ESCAPE, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === text) return false;
    if (/[/\\\0]/.test(decoded) || decoded.startsWith(".") || LAX_ESCAPE.test(decoded)) return true;
    text = decoded;
  }
  return false;
}

function outsideVault(): ForbiddenError {
  return new ForbiddenError("The path leads outside the vault.");
}
