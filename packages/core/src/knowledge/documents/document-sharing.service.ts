import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import type { Document } from "../file-records/document-record.schema.ts";
import { selectDocument, selectDocumentForUpdate, type StoredDocument } from "../file-records/document.queries.ts";
import type { StreamedFile, VaultService } from "../file-system/vault.service.ts";
import { createLinkResolver, findLinks, linkNameOf, readingsOf } from "../markdown/wiki-links.ts";
import { updateDetails } from "./document-details.queries.ts";
import { selectByLinkNames } from "./document-link.queries.ts";
import type { DocumentReader, ReadDocument } from "./document-reader.ts";
import type { PublicDocument, ShareDocument } from "./document.schema.ts";
import { toOpenDocument, toPublicFields } from "./open-document.ts";

/** How much of a text a page renders; files linked further on are not shared. */
const MAX_RENDERED_CHARACTERS = 512 * 1024;

export interface DocumentSharingServiceDeps extends Deps<"db" | "clock" | "events"> {
  readonly reader: DocumentReader;
  readonly vault: Pick<VaultService, "openStream">;
}

export type DocumentSharingService = ReturnType<typeof createDocumentSharingService>;

/** Documents shared with people who are not signed in. Whether a document is shared is checked on every request. */
export function createDocumentSharingService({ db, clock, events, reader, vault }: DocumentSharingServiceDeps) {
  /**
   * Throws {@link InvalidInputError} for an invalid id, {@link NotFoundError} for a missing or deleted document, and
   * {@link ForbiddenError} for a document that is not shared.
   */
  async function readShared(id: string): Promise<ReadDocument> {
    if (!isUuid(id)) throw InvalidInputError.at("id", "expected a UUID");
    const stored = requireShared(await selectDocument(db.pool, id));
    const read = await reader.read(stored.path, stored.creatorId);
    // Between the two lookups, it may have been unshared, or another document may have taken its path.
    if (read.document.id !== stored.id) throw new NotFoundError("There is no such document.");
    requireShared(read.document);
    return read;
  }

  return {
    /** For any file type. Throws {@link NotFoundError}, and {@link InvalidInputError} for a deleted document. */
    async setSharing({ id, shared, shareType }: ShareDocument): Promise<Document> {
      const document = await transaction(db.pool, async (client) => {
        const current = isUuid(id) ? await selectDocumentForUpdate(client, id) : null;
        if (current === null) throw new NotFoundError("There is no such document.");
        if (current.deletedAt !== null) throw new InvalidInputError("The document is deleted. Restore it first.");
        await updateDetails(client, current, { shared, shareType }, clock.now());
        const updated = await selectDocument(client, id);
        return toPublicFields(updated ?? current);
      });
      publishDocuments(events, "edit", [document]);
      return document;
    },

    /** Opens a shared document for anyone. */
    async open(id: string, principal: Principal | null): Promise<PublicDocument> {
      const { document, bytes } = await readShared(id);
      return {
        document: toSharedFields(document),
        content: document.fileType === "binary" ? null : (await toOpenDocument(document, bytes)).body,
        isOwner: principal?.kind === "user" && principal.userId === document.creatorId,
      };
    },

    /** Opens the file of a shared binary document. Other files contain frontmatter, which is private. The caller releases it. */
    async openFile(id: string): Promise<StreamedFile> {
      const { document } = await readShared(id);
      if (document.fileType !== "binary") throw new NotFoundError("This document can only be read on its page.");
      return vault.openStream(document.path);
    },

    /**
     * Opens a file that a shared Markdown document embeds or links to, by the target of the link: sharing a text also shares
     * what it shows. The caller decides by the path whether the file may be shown, and releases it.
     */
    async openLinked(id: string, target: string): Promise<StreamedFile> {
      const { document, bytes } = await readShared(id);
      const isLinked =
        document.fileType === "markdown" &&
        findLinks((await toOpenDocument(document, bytes)).body.slice(0, MAX_RENDERED_CHARACTERS)).some((link) =>
          readingsOf(link).includes(target),
        );
      const candidates = isLinked ? await selectByLinkNames(db.pool, [linkNameOf(target)]) : [];
      const linked = createLinkResolver(candidates)({ target, part: "" }, document.path);
      if (linked === null) throw new NotFoundError("The document does not show this file.");
      return vault.openStream(linked.document.path);
    },
  };
}

function requireShared(document: StoredDocument | null): StoredDocument {
  if (document === null || document.deletedAt !== null) throw new NotFoundError("There is no such document.");
  if (!document.shared) throw new ForbiddenError("This document is not shared.");
  return document;
}

function toSharedFields(document: StoredDocument): PublicDocument["document"] {
  const { id, title, path, fileType, shared, shareType, tags, createdAt, modifiedAt, creatorName } = document;
  return { id, title, path, fileType, shared, shareType, tags, createdAt, modifiedAt, creatorName };
}
