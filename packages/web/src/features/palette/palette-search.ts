import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { wordsOf } from "../../lists/text-match.ts";
import { foldedWordsOf } from "../documents/offline/folded-text.ts";
import { placesOf, type KeptHit } from "../documents/offline/search-texts.ts";
import { useKeptSearch } from "../documents/offline/use-kept-search.ts";
import { RESOURCES } from "../../resources/resources.ts";
import { taskCollection } from "../tasks/task-collection.ts";
import { matchesWords } from "../tasks/task-filter.ts";
import type { Task } from "../tasks/task.ts";
import { useDebounced } from "./use-debounced.ts";

export type SearchHit = Outputs["search"]["find"]["data"][number];

/** A loaded task, with what the server says about it if it has found it too, or something else that the server has found. */
export type PaletteHit =
  { readonly task: Task; readonly hit?: SearchHit } | { readonly task?: undefined; readonly hit: SearchHit };

const MAX_LOADED = 12;
const LIMIT = 20;
const DELAY_MS = 120;
const MAX_CHARACTERS = 1_000;

export interface PaletteSearch {
  /** What has all words of the query, best first: loaded tasks at once, the rest when the server responds. */
  readonly hits: readonly PaletteHit[];
  /** What has only some of the words. */
  readonly partial: readonly PaletteHit[];
  readonly isSearching: boolean;
  /** Set if the server could not be asked; what this device keeps was searched. */
  readonly error: unknown;
}

export function usePaletteSearch(query: string): PaletteSearch {
  const client = useClient();
  const searched = useDebounced(query, DELAY_MS).slice(0, MAX_CHARACTERS);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...trpc(client).search.find.queryOptions({ q: searched, limit: LIMIT }),
    enabled: searched !== "",
    placeholderData: keepPreviousData,
    // What was found before may have been deleted since.
    gcTime: 0,
  });
  const isSettled = searched === query && !isPlaceholderData;
  const kept = useKeptSearch(searched, { limit: LIMIT, isWanted: error !== null });
  const found = useMemo(() => data?.data ?? kept?.map((hit) => asSearchHit(hit, searched)), [data, kept, searched]);
  const fromServer = isSettled ? found : undefined;
  const { hits, partial } = useMemo(
    () => mergeHits(taskCollection(client).getSnapshot(), query, fromServer ?? []),
    [client, query, fromServer],
  );
  return { hits, partial, isSearching: query !== "" && !isSettled && (isFetching || searched !== query), error };
}

/** A note that was found without the server. */
function asSearchHit({ document: { id, title, modifiedAt }, excerpt }: KeptHit, query: string): SearchHit {
  const words = foldedWordsOf(query);
  return {
    kind: "document",
    id,
    title,
    titleMatches: placesOf(title, words),
    excerpt,
    excerptMatches: placesOf(excerpt ?? "", words),
    hasAllWords: true,
    occurredAt: modifiedAt,
    url: RESOURCES.document.urlOf({ resourceId: id, resourceName: title }),
  };
}

/** The server's hits in its order, then the loaded tasks that have all words of the query and that it has not found. */
export function mergeHits(
  tasks: ReadonlyMap<string, Task>,
  query: string,
  fromServer: readonly SearchHit[],
): Pick<PaletteSearch, "hits" | "partial"> {
  const ofServer = fromServer.map((hit): PaletteHit & { hit: SearchHit } => {
    const task = hit.kind === "task" ? tasks.get(hit.id) : undefined;
    return task === undefined ? { hit } : { task, hit };
  });
  const shown = ofServer.filter(({ task }) => task === undefined || task.deletedAt === null);
  const found = new Set(shown.flatMap(({ task }) => (task === undefined ? [] : [task.id])));
  const others = foundTasks(tasks.values(), query).filter(({ id }) => !found.has(id));
  return {
    hits: [...shown.filter(({ hit }) => hit.hasAllWords), ...others.map((task) => ({ task }))],
    partial: shown.filter(({ hit }) => !hit.hasAllWords),
  };
}

/** Loaded tasks: those with exactly this title first, then titles that begin with it, that have its words, and the rest. */
export function foundTasks(known: Iterable<Task>, query: string): Task[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const start = query.trim().toLowerCase();
  const rank = (task: Task) => titleRank(task.title.toLowerCase(), start, words);
  return [...known]
    .filter((task) => task.deletedAt === null && matchesWords(task, words))
    .toSorted((one, other) => rank(one) - rank(other) || other.modifiedAt.localeCompare(one.modifiedAt))
    .slice(0, MAX_LOADED);
}

function titleRank(title: string, start: string, words: readonly string[]): number {
  if (title === start) return 0;
  if (title.startsWith(start)) return 1;
  return words.every((word) => title.includes(word)) ? 2 : 3;
}
