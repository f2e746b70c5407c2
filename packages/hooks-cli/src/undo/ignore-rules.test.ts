import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.ts";

let repository: string;

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "ignore-rules-"));
  execFileSync("git", ["init", "-q", repository]);
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

const PATHS =
  "a b.log a/b.log a/b/c build build/x src/build foo/bar/baz.ts x/foo/bar .env a{1}.txt #x !x data/1 [a] abc";

test.each([
  "*.log",
  "/build",
  "build/",
  "a/*",
  "foo/**/baz.ts",
  "**/bar",
  "a/**",
  "*\n!b.log",
  "a{1}.txt",
  "\\#x\n\\!x",
  "# build",
  "[ab]*",
  "\\[a\\]",
  "?b",
  "data/[0-9]",
  "build/ \n",
])("%j ignores what git ignores", (rules) => {
  writeFileSync(join(repository, ".gitignore"), rules);
  const own = IgnoreRules.none.with("", rules);
  const paths = PATHS.split(" ");
  const ignored = paths.filter((path) =>
    path.split("/").some((_, at, names) => own.ignores(names.slice(0, at + 1).join("/"), at < names.length - 1)),
  );
  let byGit = "";
  try {
    byGit = execFileSync("git", ["check-ignore", "--stdin", "-z", "--no-index"], {
      cwd: repository,
      input: paths.join("\0"),
      encoding: "utf8",
    });
  } catch {
    // It fails if it ignores nothing.
  }
  expect(ignored.toSorted()).toEqual(byGit.split("\0").filter(Boolean).toSorted());
});
