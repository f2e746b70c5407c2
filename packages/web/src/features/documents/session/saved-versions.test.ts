import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recordSavedVersion, savedVersionOf } from "./saved-versions.ts";

const items = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("StorageEvent", Event);
});

afterEach(() => {
  items.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("which edits a saved text includes", () => {
  it("is known of the text of a document that was saved last, for ten minutes", () => {
    recordSavedVersion("one", "h1", { a: 1 });
    recordSavedVersion("two", "h1", { b: 1 });
    recordSavedVersion("one", "h2", { a: 2 });
    expect([savedVersionOf("one", "h2"), savedVersionOf("two", "h1")]).toEqual([{ a: 2 }, { b: 1 }]);
    expect(savedVersionOf("one", "h1")).toEqual({});
    vi.advanceTimersByTime(11 * 60_000);
    expect(savedVersionOf("one", "h2")).toEqual({});
  });

  it("is known of twenty documents", () => {
    for (let id = 0; id < 30; id += 1) recordSavedVersion(String(id), "h", { a: id });
    expect([savedVersionOf("9", "h"), savedVersionOf("10", "h")]).toEqual([{}, { a: 10 }]);
  });

  it("is not read from what something else has stored", () => {
    for (const value of ["{", "[null, 1, {}]", '[{"id":"one","hash":"h","version":"x","savedAt":1}]']) {
      items.set("workspace.documents.saved-versions", value);
      expect(savedVersionOf("one", "h")).toEqual({});
    }
  });
});
