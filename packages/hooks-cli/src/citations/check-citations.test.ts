import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findHead } from "../project/project.ts";
import { citeFirst } from "./first-check.ts";
import { checkCitations, isNews } from "./check-citations.ts";
import type { Citation } from "./citation.ts";
import { ProjectFiles } from "./project-files.ts";

const SOURCE = "export const LIMIT = 100; // requests per minute\n\nexport const BURST = 20;\n";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "citations-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
  });

const citationOf = (part: Partial<Citation>): Citation => ({
  id: "c",
  memoryId: "m",
  path: "src/limits.ts",
  startLine: 1,
  endLine: 1,
  quote: undefined,
  fingerprint: undefined,
  state: "unchecked",
  ...part,
});

const check = (part: Partial<Citation>) =>
  checkCitations(new ProjectFiles(root), [citationOf(part)], () => false, citeFirst)[0];

/** A citation whose lines were found. */
function found(part: Partial<Citation> = {}): Citation {
  const cited = check(part);
  if (cited?.found === undefined) throw new Error("The lines are not there.");
  return { ...citationOf(part), ...cited.found, state: "holds" };
}

describe("a citation", () => {
  test("gets the fingerprint of its lines, of its quote, or that its file is there", () => {
    write("src/limits.ts", SOURCE);
    expect(check({})).toMatchObject({ holds: true, found: { path: "src/limits.ts", startLine: 1, endLine: 1 } });
    const quote = { quote: "export const BURST = 20", startLine: undefined, endLine: undefined };
    expect(check({ ...quote, path: join(root, "src/limits.ts") })).toMatchObject({
      found: { path: "src/limits.ts", startLine: 3, endLine: 3 },
    });
    const whole = found({ startLine: undefined, endLine: undefined });
    expect(whole).toMatchObject({ fingerprint: "exists" });
    write("src/limits.ts", "");
    expect(check(whole)).toMatchObject({ holds: true });
    rmSync(join(root, "src/limits.ts"));
    expect(check(whole)).toMatchObject({ holds: false });
  });

  test("that holds as before is no news", () => {
    write("src/limits.ts", SOURCE);
    const citation = found();
    const isKnown = () => checkCitations(new ProjectFiles(root), [citation], () => false).map(isNews);
    expect(isKnown()).toEqual([false]);
    write("src/limits.ts", `\n${SOURCE}`);
    expect(isKnown()).toEqual([true]);
    write("src/limits.ts", "");
    expect(isKnown()).toEqual([true]);
  });

  test.each([
    ["by a link that leads out of the project", "src/link.ts"],
    ["with secrets", "config/.env"],
  ])("of a file %s stays unchecked", (_which, path) => {
    writeFileSync(join(dirname(root), "limits.ts"), SOURCE);
    write("config/.env", SOURCE);
    mkdirSync(join(root, "src"));
    symlinkSync(join(dirname(root), "limits.ts"), join(root, "src/link.ts"));
    expect(check({ path })).toBeUndefined();
    rmSync(join(dirname(root), "limits.ts"));
  });

  const quoting = (quote: string, path = "src/limits.ts") =>
    check({ path, quote, startLine: undefined, endLine: undefined });

  test.each([
    ["a quote that its file does not have", { quote: "const port = 9999;" }],
    ["a quote of which the file has one line", { quote: "export const LIMIT = 100;\nconst port = 9999;" }],
    ["lines after the end of its file", { startLine: 7, endLine: 7 }],
    ["a quote of a file that is not there", { path: "src/none.ts", quote: "export const LIMIT = 100;" }],
    ["a file that is not there", { path: "src/none.ts", startLine: undefined, endLine: undefined }],
    ["a file outside the project", { path: "../limits.ts" }],
    ["a file of the system", { path: "/etc/passwd", startLine: undefined, endLine: undefined }],
  ])("of %s does not hold", (_what, part) => {
    writeFileSync(join(dirname(root), "limits.ts"), SOURCE);
    write("src/limits.ts", SOURCE);
    const missing = check({ startLine: "quote" in part ? undefined : 1, endLine: undefined, ...part });
    expect(missing).toMatchObject({ holds: false });
    expect(missing && isNews(missing)).toBe(true);
    rmSync(join(dirname(root), "limits.ts"));
  });

  test("is found where it is meant: in another clone, from another folder, with a gap in the quote", () => {
    write("packages/api/src/limits.ts", SOURCE);
    git("init", "--quiet");
    git("add", ".");
    const found = { holds: true, found: { path: "packages/api/src/limits.ts", startLine: 3 } };
    expect(quoting("export const BURST = 20;", "/home/bob/shop/packages/api/src/limits.ts")).toMatchObject(found);
    expect(quoting("export const BURST = 20;", "src/limits.ts")).toMatchObject(found);
    write("src/gap.ts", "const first = 1;\nconst between = 2;\nconst last = 3;\n");
    expect(quoting("const first = 1;\nconst last = 3;", "src/gap.ts")).toBeUndefined();
    expect(quoting("};", "src/gap.ts")).toBeUndefined();
  });

  test("that is not reached in time stays as it is", () => {
    write("src/limits.ts", SOURCE);
    const citation = found();
    write("src/limits.ts", "");
    expect(checkCitations(new ProjectFiles(root), [citation], () => true)).toEqual([]);
  });
});

describe("the lines of a renamed file", () => {
  beforeEach(() => {
    git("init", "--quiet");
    write("src/limits.ts", SOURCE);
    write("src/other.ts", "export const OTHER = 1;\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "Start");
  });

  test.each([
    ["to another folder", "lib/limits.ts"],
    ["in its folder", "src/rates.ts"],
    ["to anything", "lib/rates.ts"],
  ])("%s are found", (_where, path) => {
    const citation = found();
    mkdirSync(join(root, dirname(path)), { recursive: true });
    git("mv", "src/limits.ts", path);
    expect(check(citation)).toMatchObject({ holds: true, found: { path, startLine: 1 } });
  });

  test("that git does not know yet are found in its folder", () => {
    const citation = found();
    renameSync(join(root, "src/limits.ts"), join(root, "src/rates.ts"));
    expect(check(citation)).toMatchObject({ holds: true, found: { path: "src/rates.ts" } });
  });

  test.each([
    ["cut off", (index: Buffer) => index.subarray(0, 100)],
    ["full of what is none", (index: Buffer) => Buffer.concat([index.subarray(0, 8), Buffer.alloc(200, 255)])],
    [
      "of another version",
      (index: Buffer) => Buffer.concat([index.subarray(0, 7), Buffer.from([4]), index.subarray(8)]),
    ],
  ])("are gone if the index of git is %s", (_how, broken) => {
    const citation = found();
    mkdirSync(join(root, "lib"));
    git("mv", "src/limits.ts", "lib/limits.ts");
    const index = join(root, ".git/index");
    writeFileSync(index, broken(readFileSync(index)));
    expect(check(citation)).toMatchObject({ holds: false });
  });

  test("are gone with it if it was deleted", () => {
    const citation = found();
    git("rm", "--quiet", "src/limits.ts");
    expect(check(citation)).toMatchObject({ holds: false });
  });
});

test("the commit that is checked out is read without git", () => {
  expect(findHead(root)).toBeUndefined();
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "Start");
  const commit = git("rev-parse", "HEAD").trim();
  expect(findHead(root)).toBe(commit);
  git("pack-refs", "--all");
  expect(findHead(root)).toBe(commit);
  git("checkout", "--quiet", "--detach");
  expect(findHead(root)).toBe(commit);
});
