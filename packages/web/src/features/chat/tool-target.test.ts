import { expect, test } from "vitest";
import { targetOf } from "./tool-target.ts";

const ID = "0190f000-0000-7000-8000-000000000000";
const of = (name: string, input: Record<string, unknown>, content = "{}") =>
  targetOf(
    { type: "tool_use", id: "t", name, input },
    { type: "tool_result", tool_use_id: "t", content, is_error: false },
  );

test("what a call has changed is read from its arguments, or from the beginning of its result", () => {
  expect(of("tasks_update", { id: "x", title: "New" })).toEqual({ kind: "task", id: "x" });
  expect(of("tasks_create", { title: "New" }, `{"id":"${ID}","title":"Ne`)).toEqual({ kind: "task", id: ID });
  expect(of("memory_store", {}, `{"data":{"id":"${ID}"}}`)).toEqual({ kind: "new-memory", id: ID });
  expect(of("notes_edit", { path: "/a.md" })).toEqual({ kind: "note", path: "a.md" });
  expect(of("notes_today", { text: "Hi" }, '{"path":"daily/\\"1\\".md","contentHash":"')).toEqual({
    kind: "note",
    path: 'daily/"1".md',
  });
  expect(of("fs_rename", { oldPath: "a.md", newPath: "b.md" })).toEqual({
    kind: "moved-file",
    path: "a.md",
    newPath: "b.md",
  });
});

test("a call that only reads, or whose arguments are odd, has changed nothing that is shown", () => {
  for (const name of ["tasks_list", "tasks_get", "notes_read", "search", "http_request"]) {
    expect(of(name, { id: ID, path: "a.md" })).toBe(null);
  }
  expect(of("tasks_create", {}, "[]")).toBe(null);
  expect(of("tasks_update", { id: 1 })).toBe(null);
  expect(of("notes_edit", { path: ["a"] })).toBe(null);
});
