import { SearchSource, type Db } from "@workspace/db";
import { findSessions } from "../../assistants/session-search/found-sessions.queries.ts";
import { folderOf } from "../../knowledge/documents/key-folder.ts";
import { VAULT_ROOT, type VaultPath } from "../../knowledge/vault/vault-path.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { parseTypedQuery, type SearchQuery } from "../../platform/search/search-query.ts";
import { wantedWords } from "./matched-words.ts";
import { searchEntries } from "./search-entry-ranking.queries.ts";
import { toHits, type Found } from "./search-hits.ts";
import type { SearchIndex } from "./search-index.ts";
import { inOrder, STRENGTH_STEPS } from "./search-order.ts";
import { ROW_SOURCES, SCOPE_OF_KIND, SEARCH_KINDS, type SearchKind } from "./search-sources.ts";
import type { Search, SearchHit } from "./search.schema.ts";

/** Each turn is read from a compressed part of its session. */
const MAX_SESSIONS = 8;

export interface SearchDeps {
  readonly db: Db;
  /** Stores the texts of documents. */
  readonly textIndexer: { settled(): Promise<void> };
  readonly searchIndex: Pick<SearchIndex, "settled">;
}

export type SearchService = ReturnType<typeof createSearchService>;

/** Finds things of all kinds by one ranking. */
export function createSearchService({ db, textIndexer, searchIndex }: SearchDeps) {
  return {
    /**
     * The best hits first, of the kinds that the caller may read. Throws {@link ForbiddenError} if a key asks for a kind that its
     * scopes do not allow.
     */
    async find({ q, kinds, limit }: Search, principal: Principal): Promise<SearchHit[]> {
      const query = parseTypedQuery(q);
      const wanted = new Set(permittedKinds(principal, kinds));
      if (query === null || wanted.size === 0) return [];
      if (wanted.has("document")) await textIndexer.settled();
      await searchIndex.settled();
      const folder = folderOf(principal);
      const found = await Promise.all([
        findRows(query, wanted, folder, limit),
        wanted.has("session") ? findInSessions(query, limit) : [],
      ]);
      const best = inOrder(found.flat(), ({ kind, shownId }) => `${kind} ${shownId}`).slice(0, limit);
      return toHits(db.pool, best, { words: wantedWords(query), folder });
    },

    /** The documents below a folder that a query finds, best first, as the search over everything finds them. */
    async findDocuments(
      q: string,
      { folder, limit }: { readonly folder: VaultPath; readonly limit: number },
    ): Promise<SearchHit[]> {
      const query = parseTypedQuery(q);
      if (query === null) return [];
      await searchIndex.settled();
      const found = await findRows(query, new Set<SearchKind>(["document"]), folder, limit);
      return toHits(db.pool, found, { words: wantedWords(query), folder });
    },
  };

  async function findRows(
    query: SearchQuery,
    kinds: ReadonlySet<SearchKind>,
    folder: VaultPath,
    limit: number,
  ): Promise<Found[]> {
    const sources = Object.values(SearchSource).filter((source) => kinds.has(ROW_SOURCES[source].kind));
    if (sources.length === 0) return [];
    const rows = await searchEntries(db.pool, {
      query,
      sources,
      folder: folder === VAULT_ROOT ? null : folder,
      limit,
    });
    return rows.map(({ source, sourceId, ...rank }) => ({
      ...rank,
      kind: ROW_SOURCES[source].kind,
      row: { source, id: sourceId },
    }));
  }

  async function findInSessions(query: SearchQuery, limit: number): Promise<Found[]> {
    const steps = STRENGTH_STEPS / 2;
    const sessions = await findSessions(db.pool, { query, steps, limit: Math.min(limit, MAX_SESSIONS) });
    return sessions.map(({ sessionId, position, coverage, hasAllWords, occurredAt }) => ({
      kind: "session",
      shownId: sessionId,
      occurredAt,
      tier: 0,
      strength: coverage / 2,
      hasAllWords,
      position,
    }));
  }
}

function permittedKinds(principal: Principal, kinds: readonly SearchKind[] | undefined): readonly SearchKind[] {
  if (principal.kind === "user") return kinds ?? SEARCH_KINDS;
  const isPermitted = (kind: SearchKind): boolean => {
    const scope = SCOPE_OF_KIND[kind];
    return scope !== null && principal.scopes.has(scope);
  };
  const refused = kinds?.find((kind) => !isPermitted(kind));
  if (refused !== undefined) throw new ForbiddenError(`kinds: the scopes of the API key do not include ${refused}`);
  return (kinds ?? SEARCH_KINDS).filter(isPermitted);
}
