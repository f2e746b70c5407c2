import type { RecordedFile } from "./mirrored-file.ts";

export type VanishedFiles = ReturnType<typeof createVanishedFiles>;

/**
 * Documents whose files were not found, until it is sure that they are deleted and not being moved: a move shows as two
 * events, and the second may come a moment later.
 */
export function createVanishedFiles(graceMs: number) {
  const vanished = new Map<string, { readonly document: RecordedFile; readonly sinceMs: number }>();

  return {
    add(documents: readonly RecordedFile[], nowMs: number): void {
      for (const document of documents) {
        if (!vanished.has(document.id)) vanished.set(document.id, { document, sinceMs: nowMs });
      }
    },

    /** Those whose files may still turn up elsewhere. */
    all: (): RecordedFile[] => [...vanished.values()].map(({ document }) => document),

    /** Replaces the list by what is left of it, keeping since when. */
    retain(documents: readonly RecordedFile[]): void {
      const left = new Set(documents.map(({ id }) => id));
      for (const id of vanished.keys()) if (!left.has(id)) vanished.delete(id);
    },

    /** Takes out those that have been missing for long enough. */
    takeDue(nowMs: number): RecordedFile[] {
      const due = [...vanished.values()].filter(({ sinceMs }) => nowMs - sinceMs >= graceMs);
      for (const { document } of due) vanished.delete(document.id);
      return due.map(({ document }) => document);
    },

    /** How long until something is due; null while nothing is missing. */
    dueInMs(nowMs: number): number | null {
      const first = Math.min(...[...vanished.values()].map(({ sinceMs }) => sinceMs + graceMs));
      return Number.isFinite(first) ? Math.max(first - nowMs, 0) : null;
    },

    clear: (): void => vanished.clear(),
  };
}
