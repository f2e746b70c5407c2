/** A field of a note's frontmatter in words: lists with commas, everything else as it is written. */
export function wordFrontmatterValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(wordFrontmatterValue).join(", ");
  return JSON.stringify(value);
}
