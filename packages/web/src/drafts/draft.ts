import { readStored, storedKeys, useStored, writeStored } from "../browser/stored-value.ts";

const PREFIX = "draft.";

/**
 * Text being typed, kept in this browser until it is saved: it survives a reload, a crash and the end of the session. Null
 * if there is none. Keys name what is being edited: `task.<id>.title`.
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

/** The keys of all drafts with this prefix. */
export function draftKeys(prefix: string): string[] {
  return storedKeys(PREFIX + prefix).map((key) => key.slice(PREFIX.length));
}
