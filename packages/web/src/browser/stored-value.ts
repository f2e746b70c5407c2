import { useCallback, useSyncExternalStore } from "react";

const PREFIX = "workspace.";
const listeners = new Map<string, Set<() => void>>();

/** Text kept in this browser; null where there is none or where storage is forbidden. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Keeps text in this browser; null removes it. Where storage is full or forbidden, nothing is kept. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // The page goes on working; it only forgets this on reload.
  }
  listeners.get(key)?.forEach((listener) => listener());
}

/** The keys of all texts kept in this browser whose keys begin so. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** A kept text as state: changes here, in other components and in other tabs show at once. */
export function useStored(key: string): [string | null, (value: string | null) => void] {
  const subscribe = useCallback((listener: () => void) => subscribeToStored(key, listener), [key]);
  const value = useSyncExternalStore(subscribe, () => readStored(key));
  const setValue = useCallback((next: string | null) => writeStored(key, next), [key]);
  return [value, setValue];
}

/** A kept JSON value. `parse` decides what is accepted; it is given undefined for a missing or broken one. */
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
  const own = listeners.get(key) ?? new Set();
  listeners.set(key, own.add(listener));
  window.addEventListener("storage", onStorage);
  return () => {
    own.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}
