/** The words of a search or filter text, in lower case. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether every word of the query occurs in the text. */
export function matchesAll(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  return wordsOf(query).every((word) => lower.includes(word));
}
