import { describe, expect, it } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { foundTasks } from "./palette-search.ts";

describe("foundTasks", () => {
  it("puts open tasks whose title starts with the query first, and adds tasks that only the server knows", () => {
    const known = [
      sampleTask({ title: "Old backup", status: "done" }),
      sampleTask({ title: "Test it", description: "with a fallback" }),
      sampleTask({ title: "Restore the backup" }),
      sampleTask({ title: "Backup disk" }),
      sampleTask({ title: "Unrelated" }),
      sampleTask({ title: "Backup, deleted", deletedAt: "2026-11-19T12:00:00.000Z" }),
    ];
    const found = foundTasks(known, "back", [...known.slice(0, 2), sampleTask({ title: "Ancient back door" })]);
    expect(found.map((task) => task.title)).toEqual([
      "Backup disk",
      "Restore the backup",
      "Ancient back door",
      "Test it",
      "Old backup",
    ]);
  });
});
