import type { Db } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { inTurns } from "../../platform/in-slices.ts";
import { selectDocument } from "../file-records/document.queries.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { createLinkResolver, linkNameOf, linkNamesTo, readingsOf } from "../markdown/wiki-links.ts";
import { VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { selectByLinkNames, selectLinksTo, selectLinkTargets } from "./document-link.queries.ts";
import { searchDocuments, selectRecentDocuments, selectSimilarDocuments } from "./document-search.queries.ts";
import type { DocumentHit, DocumentLinks, SearchDocuments } from "./document.schema.ts";
import { findExcerpt } from "./excerpt.ts";

const DEFAULT_LIMIT = 20;
const MAX_WORDS = 8;

/** Finds documents below a folder by words like those of a query, best first, each with an excerpt. */
export type FindSimilar = (
  query: string,
  options: { readonly folder: VaultPath; readonly limit: number },
) => Promise<readonly Pick<DocumentHit, "id" | "excerpt">[]>;

export interface DocumentSearchDeps {
  readonly db: Db;
  readonly indexer: TextIndexer;
  /** Asked when no document has all words. By default it finds none. */
  readonly findSimilar?: FindSimilar;
}

export type DocumentSearchService = ReturnType<typeof createDocumentSearchService>;

/** Finds documents by words and by the links between them. */
export function createDocumentSearchService({ db, indexer, findSimilar }: DocumentSearchDeps) {
  return {
    /**
     * Returns the best matches below a folder first; without words, the most recently changed documents. If no document has all
     * words, those that have some, or words that are spelt like them.
     */
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
      if (rows.length === 0 && words.length > 0 && findSimilar !== undefined) {
        const similar = await findSimilar(query, { folder, limit });
        const found = new Map((await selectSimilarDocuments(db.pool, similar)).map((row) => [row.id, row]));
        return similar.flatMap(({ id, excerpt }) => {
          const row = found.get(id);
          return row === undefined ? [] : [{ ...row, excerpt }];
        });
      }
      const hits: DocumentHit[] = [];
      for await (const { text, ...hit } of inTurns(rows))
        hits.push({ ...hit, excerpt: text === null ? null : await findExcerpt(text, words) });
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
