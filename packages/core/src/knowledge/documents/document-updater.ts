import { isDeepStrictEqual } from "node:util";
import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError, TooLargeError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { isActiveProject } from "../../work/projects/project.queries.ts";
import { normalizeTags } from "../../work/tasks/tags.ts";
import { selectDocument, selectDocumentForUpdate, type StoredDocument } from "../file-records/document.queries.ts";
import type { WriteFileWithDocument } from "../file-records/file-writer.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { assertExpected } from "../file-records/write-condition.ts";
import { FileChangedError } from "../vault/durable-write.ts";
import { updateDetails, type DocumentDetails } from "./document-details.queries.ts";
import { editContent } from "./document-edit.ts";
import type { DocumentReader, ReadDocument } from "./document-reader.ts";
import type { UpdateDocument } from "./document.schema.ts";

/** How often an update is retried because the file was changed or moved in the meantime. */
const MAX_ATTEMPTS = 8;

export interface DocumentUpdaterDeps extends Deps<"db" | "clock"> {
  readonly indexer: TextIndexer;
  readonly reader: DocumentReader;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
}

export interface UpdateResult {
  /** The content of the file afterwards; null for a binary file. */
  readonly bytes: Buffer | null;
  /** The hash of that content, even if the file has another one by now. */
  readonly contentHash: string;
  readonly hasChanged: boolean;
}

/** Applies an update; see `DocumentService.update`. */
export type UpdateDocumentFile = (update: UpdateDocument, author: Author) => Promise<UpdateResult>;

/** Creates the function that updates a document in its file and in the database. */
export function createDocumentUpdater(deps: DocumentUpdaterDeps): UpdateDocumentFile {
  const { db, clock, indexer, reader, writeFile, maxContentBytes } = deps;

  /** Reads the current document and file. Throws {@link InvalidInputError} for a deleted document. */
  async function readForUpdate(id: string): Promise<ReadDocument> {
    const stored = requireActive(isUuid(id) ? await selectDocument(db.pool, id) : null);
    const read = await reader.read(stored.path, stored.creatorId);
    // Another document may have taken the path between the two lookups.
    if (read.document.id !== stored.id) throw new FileChangedError("The document is at another path now.");
    return read;
  }

  async function attempt({ id, expectedHash, ...patch }: UpdateDocument, author: Author): Promise<UpdateResult> {
    const { document, bytes } = await readForUpdate(id);
    if (document.fileType === "binary") throw new InvalidInputError("A binary document cannot be edited.");
    assertExpected(expectedHash, document.contentHash);
    const details = toDetails(document, patch);
    const changedDetails = omitUnchanged(document, details);
    const inTransaction = async (client: PoolClient): Promise<void> => {
      const current = await selectDocumentForUpdate(client, id);
      if (current?.deletedAt !== null || current.path !== document.path) {
        throw new FileChangedError("The document was moved or deleted.");
      }
      await assertActiveProject(client, details.projectId);
      if (hasDetails(changedDetails)) await updateDetails(client, document, changedDetails, clock.now());
    };
    const content = await editContent(document, bytes ?? Buffer.alloc(0), patch);
    if (content === null) {
      await transaction(db.pool, inTransaction);
      return { bytes, contentHash: document.contentHash, hasChanged: hasDetails(changedDetails) };
    }
    if (content.byteLength > maxContentBytes) {
      throw new TooLargeError(`The file would be larger than ${maxContentBytes} bytes, frontmatter included.`);
    }
    const { path, creatorId, contentHash: basedOn } = document;
    const durability = hasDetails(changedDetails) ? "durable" : "rebuildable";
    const { contentHash } = await writeFile({
      path,
      content,
      creatorId,
      author,
      expectedHash,
      basedOn,
      durability,
      inTransaction,
    });
    indexer.add([id]);
    return { bytes: content, contentHash, hasChanged: true };
  }

  return async (update, author) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(update, author);
      } catch (error) {
        if (!(error instanceof FileChangedError)) throw error;
        if (attempts < MAX_ATTEMPTS) continue;
        throw new ConflictError("Another program keeps changing the file.", { cause: error });
      }
    }
  };
}

/** The part of an update that goes into the database, because the file has no place for it. */
function toDetails({ fileType }: StoredDocument, patch: Omit<UpdateDocument, "id" | "expectedHash">): DocumentDetails {
  const { title, tags, projectId, shared, shareType } = patch;
  const details = { projectId, shared, shareType };
  if (fileType !== "text") return details;
  return { ...details, title, tags: tags === undefined ? undefined : normalizeTags(tags) };
}

/** The details that differ from the document's current ones. */
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

async function assertActiveProject(client: PoolClient, projectId: string | null | undefined): Promise<void> {
  if (projectId === undefined || projectId === null) return;
  if (isUuid(projectId) && (await isActiveProject(client, projectId))) return;
  throw InvalidInputError.at("projectId", "expected the id of an active project");
}

function requireActive(document: StoredDocument | null): StoredDocument {
  if (document === null) throw new NotFoundError("There is no such document.");
  if (document.deletedAt === null) return document;
  throw new InvalidInputError("The document is deleted. Restore it before changing it.");
}
