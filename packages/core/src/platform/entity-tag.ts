/**
 * Whether a state satisfies what a conditional request expects, in the terms of `If-Match`: one entity tag without its
 * quotes, several separated by commas, or `*` for any state. `actual` is null where there is nothing.
 */
export function matchesEntityTag(expected: string, actual: string | null): boolean {
  if (actual === null) return false;
  return expected === "*" || expected.split(",").some((tag) => tag.trim() === actual);
}
