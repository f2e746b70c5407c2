import { describe, expect, it } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { foundTasks } from "./palette-search.ts";

describe("foundTasks", () => {
  it("puts the exact title first, then open tasks that start with the query, lately changed before others", () => {
    const known = [
      sampleTask({ title: "Old backup", status: "done" }),
      sampleTask({ title: "Back", status: "done" }),
      sampleTask({ title: "Backup tape", modifiedAt: "2025-01-01T00:00:00.000Z" }),
      sampleTask({ title: "Test it", description: "with a fallback" }),
      sampleTask({ title: "Restore the backup" }),
      sampleTask({ title: "Backup disk" }),
      sampleTask({ title: "Unrelated" }),
      sampleTask({ title: "Backup, deleted", deletedAt: "2026-11-19T12:00:00.000Z" }),
    ];
    const found = foundTasks(known, "back", [...known.slice(0, 2), sampleTask({ title: "Ancient back door" })]);
    expect(found.map((task) => task.title)).toEqual([
      "Back",
      "Backup disk",
      "Backup tape",
      "Restore the backup",
      "Ancient back door",
      "Test it",
      "Old backup",
    ]);
  });
});
