import { expect, test } from "vitest";
import { assertPlainTarget } from "./plain-target.ts";

test.each([
  "/",
  "/api/tasks",
  "/api/tasks?search=a/../b\\c//d",
  "/api/fs/raw?path=..%2f..",
  "/api/v1/knowledge/notes/a%20b.md",
  "/api/v1/knowledge/%2e%2e%2fetc",
  "/api/v1/knowledge//notes/.hidden/..a/b../c...d",
  "/api/tasks/%00",
  "/api/tasks/%zz",
  "/?",
])("%j is plain", (target) => {
  expect(() => assertPlainTarget(target)).not.toThrow();
});

test.each([
  "",
  "*",
  "api/tasks",
  "?/api/tasks",
  "//evil.example/api/tasks",
  "http://localhost/api/tasks",
  "\\api",
  "/\\evil.example/api",
  "/api\\tasks",
  "/.",
  "/..",
  "/./api",
  "/api/./tasks",
  "/api/../tasks",
  "/api/%2e/tasks",
  "/api/.%2E/tasks",
  "/api/tasks/%2e%2E",
  "/api/tasks/..?a=b",
  "/api/tasks#x",
  "/api/tasks?a=b#x",
  "/api/t\u00e4sks",
  "/api/tasks?search=\u0080",
])("%j is refused", (target) => {
  expect(() => assertPlainTarget(target)).toThrow("ambiguous");
});

test("a long target is checked in linear time", () => {
  const start = performance.now();
  assertPlainTarget(`/${"%2".repeat(200_000)}${"/.a".repeat(200_000)}`);
  // Quadratic time would take minutes.
  expect(performance.now() - start).toBeLessThan(2_000);
});
