import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../../client/use-client.ts";
import { searchKeptTexts, type KeptHit } from "./search-texts.ts";

/** What this device finds without the server; undefined while it is not wanted, and until it is found. */
export function useKeptSearch(
  query: string,
  { limit, isWanted }: { readonly limit: number; readonly isWanted: boolean },
): readonly KeptHit[] | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["kept-texts", "search", query, limit],
    queryFn: ({ signal }) => searchKeptTexts(client, query, { limit, signal }),
    enabled: isWanted && query !== "",
    staleTime: 0,
    gcTime: 0,
  });
  return isWanted ? data : undefined;
}
