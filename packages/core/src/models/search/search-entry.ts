import { createHash } from "node:crypto";
import type { SearchSource } from "@workspace/db";
import { foldText } from "../../platform/fold-text.ts";
import { inField } from "../../platform/search/search-vector.ts";
import { searchWords, searchWordsInSlices } from "../../platform/search/search-words.ts";
import { MAX_SEARCHED_CHARACTERS, type SearchedRow } from "../../platform/search/searched-row.ts";
import type { SearchEntry } from "./search-entry.queries.ts";

/** So much of a title is compared with a whole query. */
export const MAX_TITLE_CHARACTERS = 200;
/** Keywords are paths and tags. */
const MAX_KEYWORD_CHARACTERS = 4_000;

/**
 * What a row is found by: its title, unless that is the title of what it is a part of; its text and keywords; and its scopes.
 * Pauses for other work.
 */
export async function toSearchEntry(
  source: SearchSource,
  row: SearchedRow,
  { isTitled }: { isTitled: boolean },
): Promise<SearchEntry> {
  const { id, shownId, occurredAt, keywords = "", path } = row;
  const title = isTitled ? row.title.slice(0, MAX_TITLE_CHARACTERS * 2) : "";
  const text = row.text.slice(0, MAX_SEARCHED_CHARACTERS);
  return {
    source,
    sourceId: id,
    shownId,
    title: foldText(title.trim()).slice(0, MAX_TITLE_CHARACTERS).toWellFormed(),
    occurredAt,
    words: [
      ...inField(0, searchWords(title)),
      ...inField(1, await searchWordsInSlices(text)),
      ...inField(1, searchWords(keywords.slice(0, MAX_KEYWORD_CHARACTERS))),
    ],
    scopes: [sourceLexeme(source), ...foldersAbove(path ?? "").map(folderLexeme)],
  };
}

/** The lexeme of the entries of a source. No word begins with this character. */
export function sourceLexeme(source: SearchSource): string {
  return `#${source}`;
}

/** The lexeme of the documents below a folder of the vault. No word begins with this character. */
export function folderLexeme(folder: string): string {
  return `<${createHash("sha256").update(folder).digest("base64url").slice(0, 22)}`;
}

function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
