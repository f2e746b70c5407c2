import type { Db } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { selectDocument } from "../file-records/document.queries.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { linkNameOf, resolveLink } from "../markdown/wiki-links.ts";
import { VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { selectByLinkNames, selectLinksTo, selectLinkTargets } from "./document-link.queries.ts";
import { searchDocuments, selectRecentDocuments } from "./document-search.queries.ts";
import type { DocumentHit, DocumentLinks, SearchDocuments } from "./document.schema.ts";
import { findExcerpt } from "./excerpt.ts";

const DEFAULT_LIMIT = 20;
const MAX_WORDS = 8;

export interface DocumentSearchDeps {
  readonly db: Db;
  readonly indexer: TextIndexer;
}

export type DocumentSearchService = ReturnType<typeof createDocumentSearchService>;

/** Finds documents by words and by the links between them. */
export function createDocumentSearchService({ db, indexer }: DocumentSearchDeps) {
  return {
    /** Returns the best matches below a folder first; without words, the most recently changed documents. */
    async search({ query, limit = DEFAULT_LIMIT }: SearchDocuments, folder = VAULT_ROOT): Promise<DocumentHit[]> {
      const words = query
        .split(/\s+/)
        .filter((word) => word !== "")
        .slice(0, MAX_WORDS);
      await indexer.settled();
      const rows =
        words.length === 0
          ? await selectRecentDocuments(db.pool, folder, limit)
          : await searchDocuments(db.pool, { words, folder, limit });
      const hits: DocumentHit[] = [];
      await inSlices(rows, ({ text, ...hit }) => {
        hits.push({ ...hit, excerpt: text === null ? null : findExcerpt(text, words) });
      });
      return hits;
    },

    /** Returns the links of a document and the documents that link to it. Throws {@link NotFoundError}. */
    async links(id: string): Promise<DocumentLinks> {
      const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
      if (document === null) throw new NotFoundError("There is no such document.");
      const targets = await selectLinkTargets(db.pool, id);
      const sources = await selectLinksTo(db.pool, linkNameOf(document.path));
      const names = new Set([...targets.map(({ name }) => name), linkNameOf(document.path)]);
      const candidates = await selectByLinkNames(db.pool, [...names]);
      const resolve = (target: string, from: VaultPath) => {
        const name = linkNameOf(target);
        const sameName = candidates.filter(({ linkName }) => linkName === name);
        return resolveLink(target, from, sameName);
      };

      const links = targets.map(({ target }) => {
        const found = resolve(target, document.path);
        return { target, document: found === null ? null : toLinked(found) };
      });
      const backlinks = new Map(
        sources
          .filter(({ source, target }) => source.id !== id && resolve(target, source.path)?.id === id)
          .map(({ source }) => [source.id, toLinked(source)]),
      );
      return { links, backlinks: [...backlinks.values()] };
    },
  };
}

function toLinked({ id, title, path }: { id: string; title: string; path: string }) {
  return { id, title, path };
}
