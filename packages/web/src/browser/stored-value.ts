import { useCallback, useSyncExternalStore } from "react";
import { nameAtBase } from "./base-path.ts";

const PREFIX = `${nameAtBase("workspace")}.`;

/** Text stored in this browser; null if there is none or storage is blocked. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Stores text in this browser; null removes it. Does nothing if storage is full or blocked. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // The page keeps working; it only loses this on reload.
  }
  // Browsers notify only the other tabs of a change.
  window.dispatchEvent(new StorageEvent("storage", { key: PREFIX + key }));
}

/** All stored keys with this prefix. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Stored text as state: changes made here, in other components and in other tabs show immediately. */
export function useStored(key: string): [string | null, (value: string | null) => void] {
  const subscribe = useCallback((listener: () => void) => subscribeToStored(key, listener), [key]);
  const value = useSyncExternalStore(subscribe, () => readStored(key));
  const setValue = useCallback((next: string | null) => writeStored(key, next), [key]);
  return [value, setValue];
}

/**
 * Parses a stored JSON value. `parse` decides what is accepted; it receives undefined if the value is missing or malformed.
 */
export function parseStored<Value>(text: string | null, parse: (value: unknown) => Value): Value {
  if (text === null) return parse(undefined);
  try {
    return parse(JSON.parse(text));
  } catch {
    return parse(undefined);
  }
}

export function subscribeToStored(key: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === PREFIX + key || event.key === null) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
