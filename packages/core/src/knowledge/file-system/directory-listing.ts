import * as z from "zod";
import { ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { inTurns } from "../../platform/in-slices.ts";
import { createCursors, toPage, type Page, type Paging } from "../../platform/paging.ts";
import { sortInSlices } from "../../platform/sort-in-slices.ts";
import { modifiedAtOf } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { depthOf, MAX_DEPTH, type VaultPath } from "../vault/vault-path.ts";
import type { VaultEntry } from "../vault/vault-reader.ts";
import type { FileEntry } from "./vault.schema.ts";

/** The position of an entry in the listing of its directory. */
type Position = readonly [type: FileEntry["type"], name: string];

const cursors = createCursors("directory", z.tuple([z.enum(["directory", "file"]), z.string()]).readonly());
const byName = new Intl.Collator("en");

export interface DirectoryListing extends Paging {
  readonly directory: VaultPath;
  readonly isRecursive: boolean;
  /** Of entries; all if undefined. */
  readonly type?: FileEntry["type"] | undefined;
}

type Scope = Pick<DirectoryListing, "isRecursive" | "type">;

/** Lists a directory, subdirectories first, then alphabetically. Throws {@link NotFoundError} if it is not a directory. */
export async function listDirectory(
  files: VaultFiles,
  { directory, isRecursive, type, limit, cursor }: DirectoryListing,
): Promise<Page<FileEntry>> {
  const scope = { isRecursive, type };
  const filter = { directory, ...scope };
  const position = cursors.read(cursor, filter);
  const following = (await readSorted(files, directory, scope)).filter(
    (entry) => position === undefined || comparePositions(positionOf(entry), position) > 0,
  );
  const { items, ...rest } = toPage(following, limit, (last) => cursors.write(positionOf(last), filter));
  return { items: await toFileEntries(files, items, scope), ...rest };
}

async function readSorted(files: VaultFiles, path: VaultPath, { type }: Scope): Promise<VaultEntry[]> {
  const { entries } = await files.readDirectory(path);
  const listed = type === undefined ? entries : entries.filter(({ stat }) => typeOf(stat) === type);
  return sortInSlices(listed, (one, other) => comparePositions(positionOf(one), positionOf(other)));
}

async function toFileEntries(files: VaultFiles, entries: VaultEntry[], scope: Scope): Promise<FileEntry[]> {
  const listed: FileEntry[] = [];
  for await (const entry of inTurns(entries)) listed.push(await toFileEntry(files, entry, scope));
  return listed;
}

async function toFileEntry(files: VaultFiles, { name, path, stat }: VaultEntry, scope: Scope): Promise<FileEntry> {
  const entry = { name, path: `/${path}`, modifiedAt: modifiedAtOf(stat).toISOString() };
  if (stat.kind === "file") return { ...entry, type: "file", size: stat.sizeBytes };
  if (!scope.isRecursive) return { ...entry, type: "directory" };
  return { ...entry, type: "directory", children: await listChildren(files, path, scope) };
}

/** Returns no children for a directory that is removed during the listing or that the server may not read. */
async function listChildren(files: VaultFiles, path: VaultPath, scope: Scope): Promise<FileEntry[]> {
  if (depthOf(path) >= MAX_DEPTH) return [];
  try {
    return await toFileEntries(files, await readSorted(files, path, scope), scope);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return [];
    throw error;
  }
}

function positionOf({ name, stat }: VaultEntry): Position {
  return [typeOf(stat), name];
}

function typeOf({ kind }: VaultEntry["stat"]): FileEntry["type"] {
  return kind === "file" ? "file" : "directory";
}

function comparePositions([kind, name]: Position, [otherKind, otherName]: Position): number {
  if (kind !== otherKind) return kind === "directory" ? -1 : 1;
  if (name === otherName) return 0;
  return byName.compare(name, otherName) || (name < otherName ? -1 : 1);
}
