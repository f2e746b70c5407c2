import { NotFoundError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import type { Document } from "../file-records/document-record.schema.ts";
import {
  selectDocument,
  selectDocuments,
  selectStoredContent,
  type StoredDocument,
} from "../file-records/document.queries.ts";
import { selectTagCounts } from "../file-records/document-tag.queries.ts";
import type { TreeChanges } from "../file-records/tree-changes.ts";
import { parseVaultPath, type VaultPath } from "../vault/vault-path.ts";
import { createDocumentUpdater, type DocumentUpdaterDeps } from "./document-updater.ts";
import type { ListDocuments, OpenDocument, TagCount, UpdateDocument } from "./document.schema.ts";
import { toOpenDocument } from "./open-document.ts";

const MAX_TAGS = 5_000;

const readPage = createPager("documents", timeAndId, ({ modifiedAt, id }: Document) => [modifiedAt, id]);

export interface DocumentServiceDeps extends DocumentUpdaterDeps {
  readonly events: EventBus;
  readonly tree: TreeChanges;
}

export type DocumentService = ReturnType<typeof createDocumentService>;

/** Documents: the files of the vault together with their records. */
export function createDocumentService(deps: DocumentServiceDeps) {
  const { db, events, indexer, reader, tree } = deps;
  const updateFile = createDocumentUpdater(deps);

  async function find(id: string): Promise<StoredDocument> {
    const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
    if (document === null) throw noSuchDocument();
    return document;
  }

  return {
    /** Lists documents, most recently changed first, or those below a folder. An unknown `projectId` matches nothing. */
    async list({ limit, cursor, ...filter }: ListDocuments & { folder?: VaultPath }): Promise<Page<Document>> {
      const matchesNothing = filter.projectId !== undefined && !isUuid(filter.projectId);
      return readPage({ limit, cursor, filter }, async (range) => {
        if (matchesNothing) return [];
        if (filter.search !== undefined && filter.search !== "") await indexer.settled();
        return selectDocuments(db.pool, filter, range);
      });
    },

    /** All tags, those in texts, too. */
    tags: (): Promise<TagCount[]> => selectTagCounts(db.pool, MAX_TAGS),

    /**
     * Reads the document at a path from disk, creating it if the file has none yet. Throws {@link NotFoundError} if there is no
     * file.
     */
    async openByPath(path: string, userId: string): Promise<OpenDocument> {
      const { document, bytes } = await reader.read(parseVaultPath(path), userId);
      return toOpenDocument(document, bytes);
    },

    /** Like {@link openByPath}, by id. A deleted document is returned with its stored text, if any. */
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
     * Changes only the given fields, in the file and in the database. Values that are already as given are not written again: an
     * update that changes nothing leaves the file, its versions and its modification time alone and publishes no change. Throws
     * {@link NotFoundError}; InvalidInputError for a deleted or binary document and for a `projectId` that is not an active
     * project; PreconditionFailedError if `expectedHash` does not match.
     */
    async update(update: UpdateDocument, author: Author): Promise<OpenDocument> {
      const { bytes, contentHash, hasChanged } = await updateFile(update, author);
      const opened = await toOpenDocument({ ...(await find(update.id)), contentHash }, bytes);
      if (hasChanged) publishDocuments(events, "edit", [opened.document]);
      return opened;
    },

    /** Moves the file to the trash. Idempotent. */
    async delete(id: string, expectedHash?: string): Promise<{ id: string; deleted: true }> {
      const document = await find(id);
      if (document.deletedAt === null) await tree.removeDocument(id, expectedHash);
      return { id, deleted: true };
    },

    /** See `TreeChanges.restore`. */
    async restore(id: string, path?: string): Promise<Pick<Document, "id" | "title" | "deletedAt">> {
      if (!isUuid(id)) throw noSuchDocument();
      const { title, deletedAt } = await tree.restore(id, path === undefined ? undefined : parseVaultPath(path));
      return { id, title, deletedAt };
    },
  };
}

function noSuchDocument(): NotFoundError {
  return new NotFoundError("There is no such document.");
}
