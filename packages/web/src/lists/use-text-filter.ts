import { useDeferredValue, useMemo, useState } from "react";
import type { RowsState } from "../api/collection-query.ts";
import { matchesAll } from "./text-match.ts";

/** A text filter over rows that are all loaded. */
export interface TextFilterState<R> {
  /** The typed text. */
  readonly text: string;
  setText(text: string): void;
  /** The rows that contain all of the words. */
  readonly shown: RowsState<R>;
}

/** Filters rows by the typed text. `textOf` returns the text to search in a row, and must be stable. */
export function useTextFilter<R>(state: RowsState<R>, textOf: (row: R) => string): TextFilterState<R> {
  const [text, setText] = useState("");
  const query = useDeferredValue(text);
  const rows = useMemo(
    () => (query === "" ? state.rows : state.rows.filter((row) => matchesAll(textOf(row), query))),
    [state.rows, textOf, query],
  );
  return { text, setText, shown: { ...state, rows } };
}
