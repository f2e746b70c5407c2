import type { RecordedFile } from "./mirrored-file.ts";

/**
 * Documents whose files are missing, until it is certain that they were deleted: a move is reported as two events, and the
 * second may arrive a moment later.
 */
export function createPendingDeletions(graceMs: number) {
  const pending = new Map<string, { readonly document: RecordedFile; readonly sinceMs: number }>();

  return {
    add(documents: readonly RecordedFile[], nowMs: number): void {
      for (const document of documents) {
        if (!pending.has(document.id)) pending.set(document.id, { document, sinceMs: nowMs });
      }
    },

    all: (): RecordedFile[] => [...pending.values()].map(({ document }) => document),

    /** Removes all but these documents, without changing since when they have been missing. */
    retain(documents: readonly RecordedFile[]): void {
      const ids = new Set(documents.map(({ id }) => id));
      for (const id of pending.keys()) if (!ids.has(id)) pending.delete(id);
    },

    /** Removes and returns the documents that have been missing for long enough. */
    takeDue(nowMs: number): RecordedFile[] {
      const due = [...pending.values()].filter(({ sinceMs }) => nowMs - sinceMs >= graceMs);
      for (const { document } of due) pending.delete(document.id);
      return due.map(({ document }) => document);
    },

    /** The time until the next document is due; null if there is none. */
    dueInMs(nowMs: number): number | null {
      const first = Math.min(...[...pending.values()].map(({ sinceMs }) => sinceMs + graceMs));
      return Number.isFinite(first) ? Math.max(first - nowMs, 0) : null;
    },

    clear: (): void => pending.clear(),
  };
}
