/** An address's search as plain texts: `?status=todo,blocked`, readable and typeable, without quoted JSON. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Undefined and empty values are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === true || typeof value === "number") params.set(key, String(value));
    else if (typeof value === "string" && value !== "") params.set(key, value);
  }
  // Commas are legal in a query; encoded they would make a filter's address unreadable.
  const text = params.toString().replaceAll("%2C", ",");
  return text === "" ? "" : `?${text}`;
}
