import type { Db } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { selectDocument } from "../file-records/document.queries.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { createLinkResolver, linkNameOf, linkNamesTo, readingsOf } from "../markdown/wiki-links.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";
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
      const sources = await selectLinksTo(db.pool, linkNamesTo(document.path));
      const all = [...targets, ...sources.map(({ link }) => link)];
      const names = new Set(all.flatMap((link) => readingsOf(link).map(linkNameOf)));
      const resolve = createLinkResolver(await selectByLinkNames(db.pool, [...names]));

      const links = new Map<string, DocumentLinks["links"][number]>();
      for (const link of targets) {
        const found = resolve(link, document.path);
        const target = found?.target ?? link.target;
        if (!links.has(target))
          links.set(target, { target, document: found === null ? null : toLinked(found.document) });
      }
      const backlinks = new Map(
        sources
          .filter(({ source, link }) => source.id !== id && resolve(link, source.path)?.document.id === id)
          .map(({ source }) => [source.id, toLinked(source)]),
      );
      return { links: [...links.values()], backlinks: [...backlinks.values()] };
    },
  };
}

function toLinked({ id, title, path }: { id: string; title: string; path: string }) {
  return { id, title, path };
}
