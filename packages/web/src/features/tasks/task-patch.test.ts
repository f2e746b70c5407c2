import { describe, expect, it } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { applyPatch, inverseOf, isChange } from "./task-patch.ts";
import type { TaskPatch } from "./task.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const site = { id: "p1", name: "Website", color: "#2563c9" };
const findProject = (id: string) => (id === site.id ? site : undefined);

describe("applyPatch", () => {
  it("sets the completion time when a task becomes done, keeps it, and clears it when the task is reopened", () => {
    const task = sampleTask();
    const done = applyPatch(task, { status: "done" }, NOW, findProject);
    expect(done.completedAt).toBe(NOW);
    expect(applyPatch(done, { title: "x" }, "2027-01-01T00:00:00.000Z", findProject).completedAt).toBe(NOW);
    expect(applyPatch(done, { status: "todo" }, NOW, findProject).completedAt).toBeNull();
  });

  it("shows the project that a task is moved to", () => {
    const moved = applyPatch(sampleTask(), { projectId: "p1" }, NOW, findProject);
    expect(moved.project).toEqual(site);
    expect(applyPatch(moved, { projectId: null }, NOW, findProject).project).toBeNull();
  });
});

describe("inverseOf", () => {
  it("restores exactly the fields that a change touches", () => {
    const task = sampleTask({ dueDate: "2026-11-20", dueTime: "09:00", tags: ["a"], description: null });
    const patch: TaskPatch = { dueDate: null, tags: ["b"], description: "text" };
    const changed = applyPatch(task, patch, NOW, findProject);
    expect(inverseOf(patch, task)).toEqual({
      dueDate: "2026-11-20",
      dueTime: "09:00",
      tags: ["a"],
      description: null,
    });
    expect(applyPatch(changed, inverseOf(patch, task), NOW, findProject)).toEqual(task);
  });
});

describe("a due time", () => {
  it("stays when the date moves, and ends with it", () => {
    const task = sampleTask({ dueDate: "2026-11-20", dueTime: "09:00" });
    expect(applyPatch(task, { dueDate: "2026-11-27" }, NOW, findProject).dueTime).toBe("09:00");
    expect(applyPatch(task, { dueDate: null }, NOW, findProject).dueTime).toBeNull();
    expect(applyPatch(task, { dueDate: NOW }, NOW, findProject).dueTime).toBeNull();
    expect(isChange({ dueDate: "2026-11-20" }, task)).toBe(false);
    expect(isChange({ dueTime: null }, task)).toBe(true);
  });
});

describe("isChange", () => {
  it("detects only actual differences", () => {
    const task = sampleTask({ tags: ["a"] });
    expect(isChange({ status: "todo", tags: ["a"] }, task)).toBe(false);
    expect(isChange({ tags: ["a", "b"] }, task)).toBe(true);
    expect(isChange({}, task)).toBe(false);
  });
});
