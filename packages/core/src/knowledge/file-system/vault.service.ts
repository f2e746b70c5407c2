import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import type { LargeReads } from "../../platform/large-reads.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { Page } from "../../platform/paging.ts";
import { encodeText } from "../../platform/text-pieces.ts";
import { toText } from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import type { WriteFile, WriteFileWithDocument, WrittenFile } from "../file-records/file-writer.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { TreeChanges } from "../file-records/tree-changes.ts";
import type { LinkUpdateService } from "../link-updates/link-update.service.ts";
import { assertPrintable } from "../vault/assert-printable.ts";
import { hashContent, hashFile } from "../vault/content-hash.ts";
import { linkRefused } from "../vault/file-error.ts";
import { modifiedAtOf } from "../vault/file-stat.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { childOf, nameOf, parseVaultPath, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { listDirectory, type DirectoryListing } from "./directory-listing.ts";
import type { FileEntry, ReadFile, RenamedEntry, WriteFileInput, WriteFileOutput } from "./vault.schema.ts";

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
  readonly linkUpdates: Pick<LinkUpdateService, "move">;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

type WriteText = WriteFileInput & Pick<WriteFile, "newId">;

export type VaultService = ReturnType<typeof createVaultService>;

/**
 * The vault as a file system. Paths are returned in the form in which they were given. Every method throws the errors of
 * `parseVaultPath` and `VaultFiles`; changes keep the documents in sync.
 */
export function createVaultService(deps: VaultServiceDeps) {
  const { events, files, indexer, tree, linkUpdates, writeFile, maxContentBytes, largeReads } = deps;

  async function write(request: WriteFile): Promise<WrittenFile> {
    await assertPrintable(files, request.path);
    const written = await writeFile(request);
    indexer.add([written.documentId]);
    const document = { id: written.documentId, title: written.title };
    publishDocuments(events, written.created ? "create" : "edit", [document]);
    return written;
  }

  return {
    /** See {@link listDirectory}. */
    list: async (path: string, listing: Omit<DirectoryListing, "directory">): Promise<Page<FileEntry>> =>
      listDirectory(files, { ...listing, directory: parseVaultPath(path) }),

    /** Reads a text file. Throws {@link InvalidInputError} for a directory, and for a file that is not UTF-8 text. */
    async read(path: string): Promise<ReadFile> {
      const file = await files.openFile(parseVaultPath(path));
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        const content = await toText(bytes);
        if (content === null) {
          throw new InvalidInputError("The file is not UTF-8 text. Use GET /api/fs/raw, which reads any file.");
        }
        const modifiedAt = modifiedAtOf(file.stat).toISOString();
        return { path, content, modifiedAt, contentHash: await hashContent(bytes) };
      } finally {
        file.release();
      }
    },

    async write({ path, content, ...how }: WriteText, author: Author): Promise<WriteFileOutput> {
      const { created, contentHash, modifiedAt } = await write({
        path: parseVaultPath(path),
        content: await encodeText(content),
        creatorId: author.userId,
        author,
        ...how,
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

    /** Writes a file from a stream, subject to the conditions in `WriteFile`. */
    writeStream(path: string, request: Omit<WriteFile, "path">): Promise<WrittenFile> {
      return write({ ...request, path: parseVaultPath(path) });
    },

    async createDirectory(path: string): Promise<{ path: string; created: true }> {
      const directory = parseVaultPath(path);
      await assertPrintable(files, directory);
      await files.createDirectory(directory);
      // A directory is not a document and has no id, but clients that show the tree need to know about it.
      publishDocuments(events, "create", [{ id: `/${directory}`, title: nameOf(directory) }]);
      return { path, created: true };
    },

    /** Renames or moves a file or directory, and changes the links to it; with `within`, only those in documents in a folder. */
    async rename(oldPath: string, newPath: string, author: Author, within?: VaultPath): Promise<RenamedEntry> {
      const [from, to] = [parseVaultPath(oldPath, "oldPath"), parseVaultPath(newPath, "newPath")];
      await assertPrintable(files, to, "newPath");
      const linkUpdate = await linkUpdates.move([{ from, to }], { author, within });
      return { oldPath, newPath, ...(linkUpdate !== null && { linkUpdate }) };
    },

    /** Moves a file or directory into an existing directory, keeping its name. */
    async move(sourcePath: string, destinationPath: string, author: Author) {
      const source = parseVaultPath(sourcePath, "sourcePath");
      const directory = parseVaultPath(destinationPath, "destinationPath");
      const target = await resolveMoveTarget(files, source, directory);
      const linkUpdate = await linkUpdates.move([{ from: source, to: target }], { author });
      return {
        oldPath: sourcePath,
        newPath: `${destinationPath.replace(/(?<!\/)\/+$/, "")}/${nameOf(source)}`,
        moved: true,
        ...(linkUpdate !== null && { linkUpdate }),
      };
    },

    /** Moves a file or a whole directory to the trash. */
    async delete(path: string, expectedHash?: string): Promise<{ path: string; deleted: true }> {
      await tree.remove(parseVaultPath(path), expectedHash);
      return { path, deleted: true };
    },
  };
}

/** The path of `source` after moving it into an existing directory. */
async function resolveMoveTarget(files: VaultFiles, source: VaultPath, directory: VaultPath): Promise<VaultPath> {
  if (source === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be moved.");
  const [from, to] = await Promise.all([files.stat(source), files.stat(directory)]);
  if (from === null) throw new NotFoundError("There is nothing at sourcePath.");
  if (to === null) throw new NotFoundError("There is nothing at destinationPath.");
  if (to.kind === "link") throw linkRefused();
  if (to.kind !== "directory") throw InvalidInputError.at("destinationPath", "expected a directory");
  const target = childOf(directory, nameOf(source));
  if (target === source) throw new ConflictError("It is in this directory already.");
  return target;
}
