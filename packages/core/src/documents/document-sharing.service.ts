import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid } from "../platform/ids.ts";
import type { Principal } from "../platform/principal.ts";
import type { StreamedFile, VaultService } from "../vault/vault.service.ts";
import { updateDetails } from "./document-details.queries.ts";
import { publishDocuments } from "./document-events.ts";
import { selectByLinkNames } from "./document-link.queries.ts";
import type { DocumentReader, ReadDocument } from "./document-reader.ts";
import { selectDocument, selectDocumentForUpdate, type StoredDocument } from "./document.queries.ts";
import type { Document, PublicDocument, ShareDocument } from "./document.schema.ts";
import { toOpenDocument, toPublicFields } from "./open-document.ts";
import { findLinks, linkNameOf, pickTarget } from "./wiki-links.ts";

/** A page shows no more of a text than this with its images; longer texts are shown as they are. */
const MAX_SHOWN_CHARACTERS = 512 * 1024;

export interface DocumentSharingServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly reader: DocumentReader;
  readonly vault: Pick<VaultService, "openStream">;
}

export type DocumentSharingService = ReturnType<typeof createDocumentSharingService>;

/** Documents that are shown to people who are not signed in. Whether one is shared is looked up for every request. */
export function createDocumentSharingService({ db, clock, events, reader, vault }: DocumentSharingServiceDeps) {
  /**
   * Throws {@link InvalidInputError} for what is no id, {@link NotFoundError} for a missing or deleted document, and
   * {@link ForbiddenError} for one that is not shared.
   */
  async function readShared(id: string): Promise<ReadDocument> {
    if (!isUuid(id)) throw InvalidInputError.at("id", "expected a UUID");
    const stored = requireShared(await selectDocument(db.pool, id));
    const read = await reader.read(stored.path, stored.creatorId);
    // Between the two look-ups it can have been unshared, or another document can have come to its path.
    if (read.document.id !== stored.id) throw new NotFoundError("There is no such document.");
    requireShared(read.document);
    return read;
  }

  return {
    /** Of any file type. Throws {@link NotFoundError}, and {@link InvalidInputError} for a deleted document. */
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

    /** A shared document, for anyone. */
    async open(id: string, principal: Principal | null): Promise<PublicDocument> {
      const { document, bytes } = await readShared(id);
      return {
        document: toSharedFields(document),
        content: document.fileType === "binary" ? null : toOpenDocument(document, bytes).body,
        isOwner: principal?.kind === "user" && principal.userId === document.creatorId,
      };
    },

    /** The file of a shared binary document; of others, the frontmatter is nobody's business. The caller releases it. */
    async openFile(id: string): Promise<StreamedFile> {
      const { document } = await readShared(id);
      if (document.fileType !== "binary") throw new NotFoundError("This document is read on its page.");
      return vault.openStream(document.path);
    },

    /**
     * A file that a shared Markdown document embeds or links to, as its text names it: whoever shares a text shares what it
     * shows. The caller decides by the path whether it may be shown, and releases it.
     */
    async openLinked(id: string, target: string): Promise<StreamedFile> {
      const { document, bytes } = await readShared(id);
      const isLinked =
        document.fileType === "markdown" &&
        findLinks(toOpenDocument(document, bytes).body.slice(0, MAX_SHOWN_CHARACTERS)).includes(target);
      const candidates = isLinked ? await selectByLinkNames(db.pool, [linkNameOf(target)]) : [];
      const linked = pickTarget(target, document.path, candidates);
      if (linked === null) throw new NotFoundError("The document shows no such file.");
      return vault.openStream(linked.path);
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
