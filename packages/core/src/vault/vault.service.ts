import * as z from "zod";
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { LargeReads } from "../platform/large-reads.ts";
import { createCursors, toPage, type Page, type Paging } from "../platform/paging.ts";
import type { EventBus } from "../platform/events.ts";
import { publishDocuments } from "../documents/document-events.ts";
import { toText } from "../documents/document-content.ts";
import type { WriteFile, WriteFileWithDocument, WrittenFile } from "../documents/file-writer.ts";
import type { TextIndexer } from "../documents/text-indexer.ts";
import type { TreeChanges } from "../documents/tree-changes.ts";
import { hashBytes, hashFile } from "./content-hash.ts";
import { linkRefused } from "./file-error.ts";
import { toDate } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import type { VaultEntry, VaultFiles } from "./vault-files.ts";
import {
  childOf,
  depthOf,
  MAX_DEPTH,
  nameOf,
  parseVaultPath,
  throughLastControlCharacter,
  VAULT_ROOT,
  type VaultPath,
} from "./vault-path.ts";
import type { FileEntry, ReadFile, WriteFileInput, WriteFileOutput } from "./vault.schema.ts";

const cursors = createCursors("directory", z.tuple([z.enum(["directory", "file"]), z.string()]).readonly());

/** A file that is open for streaming, with the entity tag of its content. */
export interface StreamedFile {
  readonly path: VaultPath;
  readonly file: OpenFile;
  readonly contentHash: string;
}

export interface VaultServiceDeps {
  readonly events: EventBus;
  readonly files: VaultFiles;
  readonly indexer: TextIndexer;
  readonly tree: TreeChanges;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type VaultService = ReturnType<typeof createVaultService>;

/**
 * The vault as a file system. Paths are answered in the form in which they were given. Every method throws what
 * `parseVaultPath` and `VaultFiles` throw; changes keep the documents in step.
 */
export function createVaultService(deps: VaultServiceDeps) {
  const { events, files, indexer, tree, writeFile, maxContentBytes, largeReads } = deps;

  /** Throws {@link InvalidInputError} for a path that would give something new a name with control characters. */
  async function assertPrintable(path: VaultPath, field = "path"): Promise<void> {
    const unprintable = throughLastControlCharacter(path);
    if (unprintable === null || (await files.stat(unprintable)) !== null) return;
    throw InvalidInputError.at(field, "must not contain control characters, such as line breaks");
  }

  async function write(request: WriteFile): Promise<WrittenFile> {
    await assertPrintable(request.path);
    const written = await writeFile(request);
    indexer.add([written.documentId]);
    const document = { id: written.documentId, title: written.title };
    publishDocuments(events, written.created ? "create" : "edit", [document]);
    return written;
  }

  return {
    /** Directories first, then alphabetically. Throws {@link NotFoundError} for what is no directory. */
    async list(path: string, isRecursive: boolean, { limit, cursor }: Paging = {}): Promise<Page<FileEntry>> {
      const directory = parseVaultPath(path);
      const filter = { directory, isRecursive };
      const position = cursors.read(cursor, filter);
      const { entries } = await files.readDirectory(directory);
      const following = entries
        .toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)))
        .filter((entry) => position === undefined || comparePlaces(placeOf(entry), position) > 0);
      const { items, ...rest } = toPage(following, limit, (last) => cursors.write(placeOf(last), filter));
      return { items: await toFileEntries(files, items, isRecursive), ...rest };
    },

    /** Throws {@link InvalidInputError} for a directory and for a file that is not UTF-8. */
    async read(path: string): Promise<ReadFile> {
      const file = await files.openFile(parseVaultPath(path));
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        const content = toText(bytes);
        if (content === null) {
          throw new InvalidInputError("The file is not UTF-8 text. Use GET /api/fs/raw, which reads any file.");
        }
        return { path, content, modifiedAt: toDate(file.stat.mtimeNs).toISOString(), contentHash: hashBytes(bytes) };
      } finally {
        file.release();
      }
    },

    async write({ path, content, ...condition }: WriteFileInput, creatorId: string): Promise<WriteFileOutput> {
      const { created, contentHash, modifiedAt } = await write({
        path: parseVaultPath(path),
        content: Buffer.from(content),
        creatorId,
        ...condition,
      });
      return { path, created, contentHash, modifiedAt: modifiedAt.toISOString() };
    },

    /** Opens any file for streaming. The caller releases it. */
    async openStream(path: string): Promise<StreamedFile> {
      const parsed = parseVaultPath(path);
      const file = await files.openFile(parsed);
      try {
        return { path: parsed, file, contentHash: await hashFile(file) };
      } catch (error) {
        file.release();
        throw error;
      }
    },

    /** Writes a file from a stream, under the conditions of `WriteFile`. */
    writeStream(path: string, request: Omit<WriteFile, "path">): Promise<WrittenFile> {
      return write({ ...request, path: parseVaultPath(path) });
    },

    async createDirectory(path: string): Promise<{ path: string; created: true }> {
      const directory = parseVaultPath(path);
      await assertPrintable(directory);
      await files.createDirectory(directory);
      // A directory is no document and has no id; those who show the tree want to know all the same.
      publishDocuments(events, "create", [{ id: `/${directory}`, title: nameOf(directory) }]);
      return { path, created: true };
    },

    async rename(oldPath: string, newPath: string, userId: string): Promise<{ oldPath: string; newPath: string }> {
      const [from, to] = [parseVaultPath(oldPath, "oldPath"), parseVaultPath(newPath, "newPath")];
      await assertPrintable(to, "newPath");
      await tree.move(from, to, userId);
      return { oldPath, newPath };
    },

    /** Moves into a directory that exists, under the same name. */
    async move(sourcePath: string, destinationPath: string, userId: string) {
      const source = parseVaultPath(sourcePath, "sourcePath");
      const directory = parseVaultPath(destinationPath, "destinationPath");
      if (source === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be moved.");
      const [from, to] = await Promise.all([files.stat(source), files.stat(directory)]);
      if (from === null) throw new NotFoundError("There is nothing at sourcePath.");
      if (to === null) throw new NotFoundError("There is nothing at destinationPath.");
      if (to.kind === "link") throw linkRefused();
      if (to.kind !== "directory") throw InvalidInputError.at("destinationPath", "expected a directory");
      const target = childOf(directory, nameOf(source));
      if (target === source) throw new ConflictError("It is in this directory already.");
      await tree.move(source, target, userId);
      return {
        oldPath: sourcePath,
        newPath: `${destinationPath.replace(/(?<!\/)\/+$/, "")}/${nameOf(source)}`,
        moved: true,
      };
    },

    /** Moves a file or a whole directory to the trash. */
    async delete(path: string, expectedHash?: string): Promise<{ path: string; deleted: true }> {
      await tree.remove(parseVaultPath(path), expectedHash);
      return { path, deleted: true };
    },
  };
}

const byName = new Intl.Collator("en");

async function listDirectory(files: VaultFiles, path: VaultPath, isRecursive: boolean): Promise<FileEntry[]> {
  const { entries } = await files.readDirectory(path);
  const sorted = entries.toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)));
  return toFileEntries(files, sorted, isRecursive);
}

async function toFileEntries(files: VaultFiles, entries: VaultEntry[], isRecursive: boolean): Promise<FileEntry[]> {
  const listed: FileEntry[] = [];
  for (const entry of entries) listed.push(await toFileEntry(files, entry, isRecursive));
  return listed;
}

async function toFileEntry(
  files: VaultFiles,
  { name, path, stat }: VaultEntry,
  isRecursive: boolean,
): Promise<FileEntry> {
  const entry = { name, path: `/${path}`, modifiedAt: toDate(stat.mtimeNs).toISOString() };
  if (stat.kind === "file") return { ...entry, type: "file", size: stat.sizeBytes };
  if (!isRecursive) return { ...entry, type: "directory" };
  return { ...entry, type: "directory", children: await listChildren(files, path) };
}

/** A directory that goes away while it is listed, or that the server may not read, shows no children. */
async function listChildren(files: VaultFiles, path: VaultPath): Promise<FileEntry[]> {
  if (depthOf(path) >= MAX_DEPTH) return [];
  try {
    return await listDirectory(files, path, true);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return [];
    throw error;
  }
}

/** Where an entry stands in its directory's list. */
type Place = readonly [kind: "directory" | "file", name: string];

function placeOf({ name, stat }: VaultEntry): Place {
  return [stat.kind === "file" ? "file" : "directory", name];
}

function comparePlaces([kind, name]: Place, [otherKind, otherName]: Place): number {
  if (kind !== otherKind) return kind === "directory" ? -1 : 1;
  if (name === otherName) return 0;
  return byName.compare(name, otherName) || (name < otherName ? -1 : 1);
}
