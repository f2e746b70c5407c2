import { describe, expect, it } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { mergeHits, type SearchHit } from "./palette-search.ts";

const hit = (over: Partial<SearchHit>): SearchHit => ({
  kind: "document",
  id: "d",
  title: "Note",
  titleMatches: [],
  excerpt: null,
  excerptMatches: [],
  hasAllWords: true,
  occurredAt: "2026-11-19T12:00:00.000Z",
  url: "/documents?doc=d",
  ...over,
});

describe("mergeHits", () => {
  const known = [
    sampleTask({ id: "old", title: "Test it", description: "with a fallback", modifiedAt: "2026-01-01T12:00:00.000Z" }),
    sampleTask({ id: "new", title: "Restore the backup", modifiedAt: "2026-01-03T12:00:00.000Z" }),
    sampleTask({ id: "begins", title: "Backup disk", modifiedAt: "2026-01-02T12:00:00.000Z" }),
    sampleTask({ id: "exact", title: "back", modifiedAt: "2026-01-01T12:00:00.000Z" }),
    sampleTask({ id: "other", title: "Unrelated" }),
    sampleTask({ id: "deleted", title: "Backup, deleted", deletedAt: "2026-11-19T12:00:00.000Z" }),
  ];
  const tasks = new Map(known.map((task) => [task.id, task]));
  const merged = (hits: SearchHit[]) => {
    const { hits: whole, partial } = mergeHits(tasks, "back", hits);
    return [whole, partial].map((list) => list.map((one) => one.task?.id ?? one.hit?.id));
  };

  it("has loaded tasks at once: the exact title first, then titles that begin alike, then the most recent", () => {
    expect(merged([])).toEqual([["exact", "begins", "new", "old"], []]);
  });

  it("follows the server's order, with the loaded tasks that it did not find last, and what has some of the words apart", () => {
    const hits = [
      hit({}),
      hit({ kind: "task", id: "new" }),
      hit({ kind: "task", id: "deleted" }),
      hit({ kind: "task", id: "unknown" }),
      hit({ kind: "memory", id: "m", hasAllWords: false }),
    ];
    expect(merged(hits)).toEqual([["d", "new", "unknown", "exact", "begins", "old"], ["m"]]);
  });
});
