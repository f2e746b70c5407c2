import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/**
 * The part of the URL's search parameters that `parse` extracts, and a function that updates it in place; undefined removes
 * a parameter. `parse` must accept its own output.
 */
export function useSearchParams<Part>(
  parse: (search: Record<string, unknown>) => Part,
): [Part, (change: Record<string, string | undefined>) => void] {
  const navigate = useNavigate();
  // Serialised, so that changes elsewhere in the URL return the same object.
  const text = useSearch({ strict: false, select: (search) => JSON.stringify(parse(search)) });
  const part = useMemo(() => parse(JSON.parse(text)), [parse, text]);
  const change = useCallback(
    (next: Record<string, string | undefined>) =>
      void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...next }), replace: true, state: true }),
    [navigate],
  );
  return [part, change];
}
