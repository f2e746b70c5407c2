import { isDeepStrictEqual } from "node:util";
import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { ConflictError, InvalidInputError, NotFoundError, TooLargeError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid } from "../platform/ids.ts";
import { createCursors, timeAndId, toPage, type Page } from "../platform/paging.ts";
import { normalizeTags } from "../tasks/tags.ts";
import { FileChangedError } from "../vault/durable-write.ts";
import { parseVaultPath } from "../vault/vault-path.ts";
import { updateDetails, type DocumentDetails } from "./document-details.queries.ts";
import { editContent } from "./document-edit.ts";
import { publishDocuments } from "./document-events.ts";
import type { DocumentReader, ReadDocument } from "./document-reader.ts";
import {
  isActiveProject,
  selectDocument,
  selectDocumentForUpdate,
  selectDocuments,
  selectStoredContent,
  type StoredDocument,
} from "./document.queries.ts";
import type { Document, ListDocuments, OpenDocument, UpdateDocument } from "./document.schema.ts";
import type { WriteFileWithDocument } from "./file-writer.ts";
import { assertExpected } from "./write-condition.ts";
import { toOpenDocument } from "./open-document.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { TreeChanges } from "./tree-changes.ts";

/** How often an update starts over because the file was changed or moved while it was edited. */
const MAX_ATTEMPTS = 8;

const cursors = createCursors("documents", timeAndId);

export interface DocumentServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly indexer: TextIndexer;
  readonly reader: DocumentReader;
  readonly tree: TreeChanges;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
}

interface UpdateResult {
  /** What the file holds afterwards; null for a binary one. */
  readonly bytes: Buffer | null;
  readonly hasChanged: boolean;
}

export type DocumentService = ReturnType<typeof createDocumentService>;

/** Documents: the files of the vault, with what the workspace knows of each. */
export function createDocumentService(deps: DocumentServiceDeps) {
  const { db, clock, events, indexer, reader, tree, writeFile, maxContentBytes } = deps;

  /** The document and its file as they are now. Throws {@link InvalidInputError} for a deleted one. */
  async function readForChange(id: string): Promise<ReadDocument> {
    const stored = requireActive(await find(id));
    const read = await reader.read(stored.path, stored.creatorId);
    // The path can have passed to another document between the two look-ups.
    if (read.document.id !== stored.id) throw new FileChangedError("The document is at another path now.");
    return read;
  }

  async function find(id: string): Promise<StoredDocument> {
    const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
    if (document === null) throw noSuchDocument();
    return document;
  }

  async function attemptUpdate({ id, expectedHash, ...patch }: UpdateDocument): Promise<UpdateResult> {
    const { document, bytes } = await readForChange(id);
    if (document.fileType === "binary") throw new InvalidInputError("A binary document cannot be edited.");
    assertExpected(expectedHash, document.contentHash);
    const details = toDetails(document, patch);
    const changedDetails = omitUnchanged(document, details);
    const change = async (client: PoolClient): Promise<void> => {
      const current = await selectDocumentForUpdate(client, id);
      if (current?.deletedAt !== null || current.path !== document.path) {
        throw new FileChangedError("The document was moved or deleted.");
      }
      await requireActiveProject(client, details.projectId);
      if (hasDetails(changedDetails)) await updateDetails(client, document, changedDetails, clock.now());
    };
    const content = await editContent(document, bytes ?? Buffer.alloc(0), patch);
    if (content === null) {
      await transaction(db.pool, change);
      return { bytes, hasChanged: hasDetails(changedDetails) };
    }
    if (content.byteLength > maxContentBytes) {
      throw new TooLargeError(`The file would be larger than ${maxContentBytes} bytes, frontmatter included.`);
    }
    const { path, creatorId, contentHash } = document;
    const durability = hasDetails(changedDetails) ? "durable" : "rebuildable";
    await writeFile({
      path,
      content,
      creatorId,
      expectedHash,
      basedOn: contentHash,
      durability,
      inTransaction: change,
    });
    indexer.add([id]);
    return { bytes: content, hasChanged: true };
  }

  async function updateWithRetries(update: UpdateDocument): Promise<UpdateResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptUpdate(update);
      } catch (error) {
        if (!(error instanceof FileChangedError)) throw error;
        if (attempt >= MAX_ATTEMPTS)
          throw new ConflictError("Another program keeps changing the file.", { cause: error });
      }
    }
  }

  return {
    /** Newest change first. A `projectId` that names nothing finds nothing. */
    async list({ limit, cursor, ...filter }: ListDocuments): Promise<Page<Document>> {
      const position = cursors.read(cursor, filter);
      if (filter.projectId !== undefined && !isUuid(filter.projectId)) return { items: [] };
      if (filter.search !== undefined && filter.search !== "") await indexer.settled();
      const rows = await selectDocuments(db.pool, filter, {
        limit: limit === undefined ? undefined : limit + 1,
        after: position === undefined ? undefined : { modifiedAt: position[0], id: position[1] },
      });
      return toPage(rows, limit, (document) => cursors.write([document.modifiedAt, document.id], filter));
    },

    /**
     * The document at a path, read from the disk; made where the file has none yet. Throws {@link NotFoundError} where there
     * is no file.
     */
    async openByPath(path: string, userId: string): Promise<OpenDocument> {
      const { document, bytes } = await reader.read(parseVaultPath(path), userId);
      return toOpenDocument(document, bytes);
    },

    /** As {@link openByPath}, by id. A deleted document is answered with what is stored of its content. */
    async open(id: string): Promise<OpenDocument> {
      const stored = await find(id);
      if (stored.deletedAt !== null) {
        const content = await selectStoredContent(db.pool, id);
        return toOpenDocument(stored, content === null ? null : Buffer.from(content));
      }
      const { document, bytes } = await reader.read(stored.path, stored.creatorId);
      return toOpenDocument(document, bytes);
    },

    /**
     * Changes what is given and nothing else, in the file and in the database. What is as given already is not written again:
     * an update that changes nothing leaves file, versions and time of change as they are, and nobody hears of it. Throws {@link NotFoundError};
     * {@link InvalidInputError} for a deleted or binary document and for a `projectId` that names no active project;
     * PreconditionFailedError where `expectedHash` does not match.
     */
    async update(update: UpdateDocument): Promise<OpenDocument> {
      const { bytes, hasChanged } = await updateWithRetries(update);
      const opened = toOpenDocument(await find(update.id), bytes);
      if (hasChanged) publishDocuments(events, "edit", [opened.document]);
      return opened;
    },

    /** Moves the file to the trash. Idempotent: deleting a deleted document changes nothing. */
    async delete(id: string, expectedHash?: string): Promise<{ id: string; deleted: true }> {
      const document = await find(id);
      if (document.deletedAt === null) await tree.removeDocument(id, expectedHash);
      return { id, deleted: true };
    },

    /** See `TreeChanges.restore`. */
    async restore(id: string): Promise<Pick<Document, "id" | "title" | "deletedAt">> {
      if (!isUuid(id)) throw noSuchDocument();
      const { title, deletedAt } = await tree.restore(id);
      return { id, title, deletedAt };
    },
  };
}

/** What of an update the database keeps: all that the file has no place for. */
function toDetails({ fileType }: StoredDocument, patch: Omit<UpdateDocument, "id" | "expectedHash">): DocumentDetails {
  const { title, tags, projectId, shared, shareType } = patch;
  const details = { projectId, shared, shareType };
  if (fileType !== "text") return details;
  return { ...details, title, tags: tags === undefined ? undefined : normalizeTags(tags) };
}

/** Those of the details that the document does not have already. */
function omitUnchanged(document: StoredDocument, details: DocumentDetails): DocumentDetails {
  const current: DocumentDetails = document;
  const isChanged = (name: keyof DocumentDetails) => !isDeepStrictEqual(details[name], current[name]);
  return {
    ...(isChanged("title") && { title: details.title }),
    ...(isChanged("tags") && { tags: details.tags }),
    ...(isChanged("projectId") && { projectId: details.projectId }),
    ...(isChanged("shared") && { shared: details.shared }),
    ...(isChanged("shareType") && { shareType: details.shareType }),
  };
}

function hasDetails(details: DocumentDetails): boolean {
  return Object.values(details).some((value) => value !== undefined);
}

async function requireActiveProject(client: PoolClient, projectId: string | null | undefined): Promise<void> {
  if (projectId === undefined || projectId === null) return;
  if (isUuid(projectId) && (await isActiveProject(client, projectId))) return;
  throw InvalidInputError.at("projectId", "expected the id of an active project");
}

function requireActive(document: StoredDocument | null): StoredDocument {
  if (document === null) throw noSuchDocument();
  if (document.deletedAt === null) return document;
  throw new InvalidInputError("The document is deleted. Restore it before changing it.");
}

function noSuchDocument(): NotFoundError {
  return new NotFoundError("There is no such document.");
}
