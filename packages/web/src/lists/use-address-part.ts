import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/**
 * What `parse` takes from the address's search, and how to change that in place; undefined takes a part out. `parse` must
 * understand what it has answered before.
 */
export function useAddressPart<Part>(
  parse: (search: Record<string, unknown>) => Part,
): [Part, (change: Record<string, string | undefined>) => void] {
  const navigate = useNavigate();
  // As a text, so that a change elsewhere in the address gives the same object.
  const text = useSearch({ strict: false, select: (search) => JSON.stringify(parse(search)) });
  const part = useMemo(() => parse(JSON.parse(text)), [parse, text]);
  const change = useCallback(
    (next: Record<string, string | undefined>) =>
      void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...next }), replace: true, state: true }),
    [navigate],
  );
  return [part, change];
}
