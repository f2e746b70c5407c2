import { useEffect } from "react";
import { useClient } from "../client/use-client.ts";

/** The beginning of the keys of which rows a page shows first. */
export const FIRST_ROWS = "first-rows";
/** What opens beside a page, and does not change what that shows. */
const PANELS = ["task", "doc", "day", "beside"];

/** The query key of the ids of those rows of a kind that the page at the present address shows first. */
export function firstRowsKey(kind: string): readonly string[] {
  const { pathname, search } = window.location;
  const shown = new URLSearchParams(search);
  for (const panel of PANELS) shown.delete(panel);
  return [FIRST_ROWS, kind, pathname, shown.toString()];
}

/**
 * Has the next visit of this address begin with these rows, as the copy has them by then, before it has read all others. Null while that
 * is not known.
 */
export function useFirstRows(kind: string, ids: readonly string[] | null): void {
  const { queries } = useClient();
  const text = ids?.join(" ");
  useEffect(() => {
    if (text !== undefined) queries.setQueryData(firstRowsKey(kind), text === "" ? [] : text.split(" "));
  }, [queries, kind, text]);
}
