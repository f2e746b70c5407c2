import { execFileSync } from "node:child_process";

/** The names of all files in a git directory, at its newest commit. */
export function fileNames(repository: string): readonly string[] {
  return git(repository, ["ls-tree", "-r", "--name-only", "HEAD"]).toString().split("\n").filter(Boolean);
}

/** The contents of files, read by a single process; a snapshot may lack some, which are empty then. */
export function fileContents(repository: string, names: readonly string[]): readonly string[] {
  const output = git(repository, ["cat-file", "--batch"], names.map((name) => `HEAD:${name}\n`).join(""));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf("\n", at);
    const [, size] = / blob (\d+)$/.exec(output.toString("utf8", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return "";
    const text = output.toString("utf8", at, at + Number(size));
    at += Number(size) + 1;
    return text;
  });
}

function git(repository: string, args: readonly string[], input = ""): Buffer {
  return execFileSync("git", ["-C", repository, "-c", "core.quotePath=false", ...args], { input, maxBuffer: 1 << 30 });
}
