import { setImmediate as nextTurn } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { foldText } from "../../platform/fold-text.ts";
import { isUuid } from "../../platform/ids.ts";
import { plainText } from "../../platform/plain-text.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { encodeText } from "../../platform/text-pieces.ts";
import { HEAD_BYTES, toText } from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import { selectDocument, type StoredDocument } from "../file-records/document.queries.ts";
import type { WriteFileWithDocument } from "../file-records/file-writer.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { withoutMarkdownExtension } from "../markdown/file-type.ts";
import { parseMarkdown } from "../markdown/frontmatter.ts";
import { findTarget } from "../markdown/link-target-form.ts";
import { findMentions, mentionableNames, type Mention } from "../markdown/mentions.ts";
import { createLinkResolver, linkNameOf, type Linkable } from "../markdown/wiki-links.ts";
import { FileChangedError } from "../vault/durable-write.ts";
import { nameOf } from "../vault/vault-path.ts";
import { selectByLinkNames } from "./document-link.queries.ts";
import { selectMentioningIds, selectStoredTexts } from "./document-mention.queries.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { DocumentMention, LinkedMentions } from "./document.schema.ts";

const MAX_SEARCHED = 100;
const MAX_FOUND = 20;
const BATCH = 10;
const BEFORE = 40;
const AFTER = 120;
const MAX_ATTEMPTS = 8;

export interface DocumentMentionDeps extends Deps<"db" | "events"> {
  readonly indexer: TextIndexer;
  readonly reader: DocumentReader;
  readonly writeFile: WriteFileWithDocument;
}

export type DocumentMentionService = ReturnType<typeof createDocumentMentionService>;

/** Finds notes that mention a document by its title or name without linking to it, and links them. */
export function createDocumentMentionService({ db, events, indexer, reader, writeFile }: DocumentMentionDeps) {
  async function findActive(id: string): Promise<StoredDocument> {
    const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
    if (document === null || document.deletedAt !== null) throw new NotFoundError("There is no such document.");
    return document;
  }

  async function attempt(document: StoredDocument, source: StoredDocument, author: Author): Promise<LinkedMentions> {
    const { document: read, bytes } = await reader.read(source.path, source.creatorId);
    if (read.id !== source.id) throw new FileChangedError("The document is at another path now.");
    const text = read.fileType === "markdown" && bytes !== null ? await toText(bytes) : null;
    if (text === null) throw new InvalidInputError("Only in a Markdown file can something be linked.");
    const mentions = mentionsIn(text.slice(0, HEAD_BYTES), document);
    if (mentions.length === 0) return { id: source.id, links: 0 };
    const candidates = await selectByLinkNames(db.pool, [linkNameOf(document.path)]);
    const resolve = createLinkResolver<Linkable>(candidates);
    const name = withoutMarkdownExtension(nameOf(document.path));
    const written = { target: name, form: "ending" } as const;
    const target = findTarget({ kind: "wiki", from: read.path, written, part: "", document, resolve });
    if (target === null) throw new ConflictError("No link can refer to this document, because of its name.");
    const content = await encodeText(linkAll(text, mentions, target));
    const { path, creatorId, contentHash: basedOn } = read;
    await writeFile({ path, content, creatorId, author, basedOn });
    return { id: source.id, links: mentions.length };
  }

  return {
    /** The notes with unlinked mentions of a document, the most recently changed first. Throws {@link NotFoundError}. */
    async list(id: string): Promise<DocumentMention[]> {
      const document = await findActive(id);
      const names = namesOf(document);
      if (names.length === 0) return [];
      await indexer.settled();
      const ids = await selectMentioningIds(db.pool, names, id, MAX_SEARCHED);
      const found: DocumentMention[] = [];
      for (let start = 0; start < ids.length && found.length < MAX_FOUND; start += BATCH) {
        for (const { content, ...source } of await selectStoredTexts(db.pool, ids.slice(start, start + BATCH))) {
          await nextTurn();
          const mentions = mentionsIn(content, document);
          const [first] = mentions;
          if (first === undefined) continue;
          found.push({ ...source, count: mentions.length, excerpt: excerptAt(content, first.start) });
        }
      }
      return found.slice(0, MAX_FOUND);
    },

    /**
     * Makes the unlinked mentions of a document in a note links to it; everything else in the note stays as it is. Throws
     * {@link NotFoundError}, {@link InvalidInputError} for a file that is no Markdown, and {@link ConflictError}.
     */
    async link(id: string, sourceId: string, author: Author): Promise<LinkedMentions> {
      const document = await findActive(id);
      for (let attempts = 1; ; attempts += 1) {
        const source = await findActive(sourceId);
        try {
          const linked = await attempt(document, source, author);
          indexer.add([source.id]);
          if (linked.links > 0) publishDocuments(events, "edit", [source]);
          return linked;
        } catch (error) {
          if (!(error instanceof FileChangedError)) throw error;
          if (attempts >= MAX_ATTEMPTS)
            throw new ConflictError("Another program keeps changing the file.", { cause: error });
        }
      }
    },
  };
}

function namesOf({ title, path }: StoredDocument): string[] {
  return mentionableNames([title, withoutMarkdownExtension(nameOf(path))]);
}

function mentionsIn(text: string, document: StoredDocument): Mention[] {
  return findMentions(text, parseMarkdown(text).head.length, namesOf(document));
}

function linkAll(text: string, mentions: readonly Mention[], target: string): string {
  const parts: string[] = [];
  let keptTo = 0;
  for (const { start, end, isInTable } of mentions) {
    const written = text.slice(start, end);
    const isSame = foldText(written) === foldText(target);
    parts.push(
      text.slice(keptTo, start),
      isSame ? `[[${written}]]` : `[[${target}${isInTable ? "\\" : ""}|${written}]]`,
    );
    keptTo = end;
  }
  return parts.join("") + text.slice(keptTo);
}

function excerptAt(text: string, at: number): string {
  const [start, end] = [Math.max(at - BEFORE, 0), Math.min(at + AFTER, text.length)];
  const line = plainText(text.slice(start, end)).toWellFormed();
  return `${start > 0 ? "… " : ""}${line}${end < text.length ? " …" : ""}`;
}
