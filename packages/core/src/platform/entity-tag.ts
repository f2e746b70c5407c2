/**
 * Whether an entity tag satisfies a condition in the form of `If-Match`: one tag without quotes, several separated by
 * commas, or `*` for any. `actual` is null if the resource does not exist.
 */
export function matchesEntityTag(expected: string, actual: string | null): boolean {
  if (actual === null) return false;
  return expected === "*" || expected.split(",").some((tag) => tag.trim() === actual);
}
