import { useQuery } from "@tanstack/react-query";
import { useIsAway } from "../../../api/use-is-away.ts";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { localCopy } from "../../../local-copy/local-copy.ts";
import { documentCollection } from "../document-collection.ts";
import type { Document } from "../document.ts";
import { hasText } from "./chosen-texts.ts";
import { openedIdOf, openedKeys } from "./opened-documents.ts";

/** The documents whose texts are kept on this device, because they were read ahead or opened, by their ids. */
async function readKeptIds(client: Client): Promise<ReadonlySet<string>> {
  const texts = (await localCopy(client).earlier())?.texts;
  if (texts === undefined) return new Set();
  const [hashes, opened] = await Promise.all([texts.textHashes(), openedKeys(texts)]);
  return new Set([...hashes.keys(), ...opened.map(openedIdOf)]);
}

/** How many of the documents with a text are kept on this device. */
export interface KeptCount {
  readonly kept: number;
  readonly all: number;
}

/** How often what is kept is counted again. */
const COUNT_INTERVAL_MS = 5_000;

/** What is kept on this device; undefined until it is known. `isWanted`: whether it is to be read. While the server is away, nothing is added. */
function useKeptIds(isWanted: boolean): ReadonlySet<string> | undefined {
  const client = useClient();
  const isAway = useIsAway();
  const { data } = useQuery({
    queryKey: ["kept-texts"],
    queryFn: () => readKeptIds(client),
    enabled: isWanted,
    refetchInterval: isAway ? false : COUNT_INTERVAL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  return isWanted ? data : undefined;
}

/** While the server is away, whether a document cannot be read on this device. */
export function useMissingTexts(): (document: Pick<Document, "id">) => boolean {
  const client = useClient();
  const isAway = useIsAway();
  const kept = useKeptIds(isAway);
  return ({ id }) => {
    const document = documentCollection(client).stored.get(id);
    return kept !== undefined && document !== undefined && hasText(document) && !kept.has(id);
  };
}

/** How many texts are kept; undefined until that is known. */
export function useKeptCount(isWanted: boolean): KeptCount | undefined {
  const client = useClient();
  const kept = useKeptIds(isWanted);
  if (kept === undefined) return undefined;
  const documents = [...documentCollection(client).stored.values()].filter(hasText);
  return { kept: documents.filter(({ id }) => kept.has(id)).length, all: documents.length };
}
