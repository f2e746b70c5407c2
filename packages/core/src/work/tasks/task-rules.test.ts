import { describe, expect, test } from "vitest";
import { normalizeTags } from "./tags.ts";
import { completedAtFor } from "./task-status.ts";

const earlier = new Date("2026-01-01T00:00:00Z");
const now = new Date("2026-01-02T00:00:00Z");

describe("completedAtFor", () => {
  test("is now on entering done", () => expect(completedAtFor("done", null, now)).toEqual(now));
  test("is kept while the task stays done", () => expect(completedAtFor("done", earlier, now)).toEqual(earlier));
  test.each(["todo", "in_progress", "blocked"] as const)("is cleared by %s", (status) => {
    expect(completedAtFor(status, earlier, now)).toBeNull();
  });
});

test("tags are trimmed, empty ones and duplicates dropped, and the order kept", () => {
  expect(normalizeTags([" b", "a ", "", "  ", "b", "B"])).toEqual(["b", "a", "B"]);
});
