import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { machineFacts } from "./machine-facts.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hooks-facts-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function factsOf({ projectRoot = "/home/user/project", environment = {} } = {}) {
  return machineFacts({ cwd: "/home/user", projectRoot, home: "/home/user", environment });
}

test("the start of a file is known, and nothing of a folder", () => {
  writeFileSync(join(root, "a.sql"), `DROP TABLE a;${"x".repeat(100_000)}`);
  const { contentOf } = factsOf();
  expect(contentOf(join(root, "a.sql"))).toHaveLength(64 * 1024);
  expect(contentOf(join(root, "a.sql"))).toMatch(/^DROP TABLE a;/);
  expect([root, join(root, "missing")].map((path) => contentOf(path))).toEqual([undefined, undefined]);
});

test("temporary directories are the standard ones and the one in the environment", () => {
  expect(factsOf().temporaryDirs).toEqual(["/tmp", "/var/tmp", "/private/tmp"]);
  expect(factsOf({ environment: { TMPDIR: "" } }).temporaryDirs).toEqual(["/tmp", "/var/tmp", "/private/tmp"]);
  expect(factsOf({ environment: { TMPDIR: "/scratch/" } }).temporaryDirs).toContain("/scratch");
});

test("a temporary directory that is or contains the project does not count", () => {
  expect(factsOf({ projectRoot: "/tmp/project" }).temporaryDirs).toEqual(["/var/tmp", "/private/tmp"]);
  expect(factsOf({ projectRoot: "/var/tmp" }).temporaryDirs).toEqual(["/tmp", "/private/tmp"]);
});

test("a path that no system opens is taken as it is", () => {
  const path = "/a".repeat(100_000);
  expect(factsOf().realPath(path)).toBe(path);
});

test("a file that would be overwritten is one that exists", () => {
  writeFileSync(join(root, "file"), "");
  const { isFile } = factsOf();
  expect(["file", "missing", "."].map((name) => isFile(join(root, name)))).toEqual([true, false, false]);
});

test("the home is the user's, whatever the environment says", () => {
  const { environment, home } = factsOf({ environment: { HOME: "/elsewhere", USER: "ada" } });
  expect({ environment, home }).toEqual({ environment: { HOME: "/home/user", USER: "ada" }, home: "/home/user" });
});

test("links are resolved as far as the path exists", () => {
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  const { realPath } = factsOf();
  expect(realPath(join(root, "link"))).toBe(join(root, "real"));
  expect(realPath(join(root, "link/new/deep.txt"))).toBe(join(root, "real/new/deep.txt"));
  expect(realPath("/")).toBe("/");
});

test("a path is resolved only once", () => {
  const { realPath } = factsOf();
  const path = join(root, "later");
  expect(realPath(path)).toBe(path);
  symlinkSync("/etc", path);
  expect(realPath(path)).toBe(path);
  expect(factsOf().realPath(path)).toBe("/etc");
});

test("the branch is the current one", () => {
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/topic\n");
  expect(factsOf().branchAt(root)).toBe("topic");
});
