/**
 * Parses URL search parameters as plain text: `?status=todo,blocked`, readable and easy to type, without quoted JSON.
 */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Undefined and empty values are omitted. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === true || typeof value === "number") params.set(key, String(value));
    else if (typeof value === "string" && value !== "") params.set(key, value);
  }
  // Commas are legal in a query string; encoding them would make filter URLs unreadable.
  const text = params.toString().replaceAll("%2C", ",");
  return text === "" ? "" : `?${text}`;
}
