/**
 * Which edits a text includes: how many of each writer, by its id (a version vector). A writer is a text that is open in a page; its id
 * begins with that of its tab.
 */
export type TextVersion = Readonly<Record<string, number>>;

export function isVersion(value: unknown): value is TextVersion {
  return typeof value === "object" && value !== null && Object.values(value).every(Number.isInteger);
}

export function hasEdits(version: TextVersion): boolean {
  return Object.keys(version).length > 0;
}

/** Whether a text of one version includes all that a text of another does. */
export function includesVersion(one: TextVersion, other: TextVersion): boolean {
  return Object.entries(other).every(([writer, edits]) => (one[writer] ?? 0) >= edits);
}

/** The edits that both versions include. */
export function common(one: TextVersion, other: TextVersion): TextVersion {
  return Object.fromEntries(
    Object.entries(one).map(([writer, edits]) => [writer, Math.min(edits, other[writer] ?? 0)]),
  );
}

/** The edits that either version includes. */
export function joined(one: TextVersion, other: TextVersion): TextVersion {
  const both: Record<string, number> = { ...one };
  for (const [writer, edits] of Object.entries(other)) both[writer] = Math.max(both[writer] ?? 0, edits);
  return both;
}

/** Which tabs a version includes edits of besides those of an earlier one, in an order that is the same in all pages. */
export function tabsSince(earlier: TextVersion, version: TextVersion): string[] {
  const writers = Object.keys(version).filter((writer) => (version[writer] ?? 0) > (earlier[writer] ?? 0));
  return [...new Set(writers.map(tabOf))].toSorted();
}

/** The tab of a writer, by the page that was first open in it. */
export function tabOf(writer: string): string {
  return writer.split(".")[0] ?? writer;
}
