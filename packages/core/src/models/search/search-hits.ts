import type { Pool, SearchSource } from "@workspace/db";
import { selectFirstPrompts } from "../../assistants/hooks/searched-prompts.queries.ts";
import { keyOfTurn, readTurns } from "../../assistants/session-search/read-turns.ts";
import { VAULT_ROOT, type VaultPath } from "../../knowledge/vault/vault-path.ts";
import { inSlices } from "../../platform/in-slices.ts";
import type { SearchedRow } from "../../platform/search/searched-row.ts";
import type { WantedWord } from "./matched-words.ts";
import { markedExcerpt, markedTitle } from "./search-excerpt.ts";
import type { SearchRank } from "./search-order.ts";
import { ROW_SOURCES, type SearchKind } from "./search-sources.ts";
import { urlOf } from "./search-url.ts";
import type { SearchHit } from "./search.schema.ts";

/** Something that was found, with what its text is read by. */
export interface Found extends SearchRank {
  readonly kind: SearchKind;
  readonly shownId: string;
  readonly hasAllWords: boolean;
  readonly row?: { readonly source: SearchSource; readonly id: string };
  /** Of a session, the turn that was found. */
  readonly position?: number;
}

type Read = Pick<SearchedRow, "title" | "text" | "path" | "urlPart">;

interface HitOptions {
  readonly words: readonly WantedWord[];
  /** The folder outside of which no document may be shown. */
  readonly folder: VaultPath;
}

/** Reads what was found. What was deleted, or moved out of the folder, a moment ago is left out. */
export async function toHits(db: Pool, found: readonly Found[], { words, folder }: HitOptions): Promise<SearchHit[]> {
  const read = await readFound(db, found);
  const hits: SearchHit[] = [];
  await inSlices(found, (one) => {
    const shown = read.get(one);
    if (shown === undefined || !isBelow(folder, shown.path)) return;
    const text = markedExcerpt(shown.text, words);
    // A memory is its text.
    const title = (one.kind === "memory" ? text : null) ?? markedTitle(shown.title, words);
    const excerpt = text?.text === title.text ? null : text;
    hits.push({
      kind: one.kind,
      id: one.shownId,
      title: title.text,
      titleMatches: [...title.matches],
      excerpt: excerpt?.text ?? null,
      excerptMatches: [...(excerpt?.matches ?? [])],
      hasAllWords: one.hasAllWords,
      occurredAt: one.occurredAt,
      url: urlOf(one.kind, one.shownId, shown),
    });
  });
  return hits;
}

async function readFound(db: Pool, found: readonly Found[]): Promise<Map<Found, Read>> {
  const sources = [...new Set(found.flatMap(({ row }) => (row === undefined ? [] : [row.source])))];
  const sessionIds = found.flatMap(({ kind, shownId }) => (kind === "session" ? [shownId] : []));
  const places = found.flatMap(({ shownId, position }) =>
    position === undefined ? [] : [{ sessionId: shownId, position }],
  );
  const [prompts, turns, ...rows] = await Promise.all([
    sessionIds.length === 0 ? new Map<string, string>() : selectFirstPrompts(db, sessionIds),
    readTurns(db, places),
    ...sources.map(async (source) => {
      const ids = found.flatMap(({ row }) => (row?.source === source ? [row.id] : []));
      return (await ROW_SOURCES[source].read(db, ids)).map((row) => [`${source} ${row.id}`, row] as const);
    }),
  ]);
  const rowById = new Map(rows.flat());
  const readOf = ({ kind, shownId, row, position }: Found): Read | undefined => {
    const title = kind === "session" ? (prompts.get(shownId) ?? `Session ${shownId}`) : undefined;
    if (position !== undefined) {
      const turn = turns.get(keyOfTurn({ sessionId: shownId, position }));
      return turn && { title: title ?? "", text: turn.text, urlPart: String(position) };
    }
    const own = row && rowById.get(`${row.source} ${row.id}`);
    return own && { ...own, title: title ?? own.title };
  };
  return new Map(
    found.flatMap((one) => {
      const read = readOf(one);
      return read === undefined ? [] : [[one, read] as const];
    }),
  );
}

function isBelow(folder: VaultPath, path: string | undefined): boolean {
  return folder === VAULT_ROOT || path === undefined || path.startsWith(`${folder}/`);
}
