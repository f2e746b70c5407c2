import { readStored, storedKeys, useStored, writeStored } from "../browser/stored-value.ts";

const PREFIX = "draft.";

/**
 * What is being typed, kept in this browser until it is saved: it survives a reload, a crash and the end of the session.
 * Null where nothing is typed. Keys name the thing that is written: `task.<id>.title`.
 */
export function useDraft(key: string): [string | null, (text: string | null) => void] {
  return useStored(PREFIX + key);
}

export function readDraft(key: string): string | null {
  return readStored(PREFIX + key);
}

export function writeDraft(key: string, text: string | null): void {
  writeStored(PREFIX + key, text);
}

/** The keys of all drafts whose keys begin so. */
export function draftKeys(prefix: string): string[] {
  return storedKeys(PREFIX + prefix).map((key) => key.slice(PREFIX.length));
}
