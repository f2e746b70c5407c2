import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** When each file below a folder was created, by its path from there, a character for each byte. */
export type Births = ReadonlyMap<string, number>;

export function birthsIn(root: string): Births {
  const births = new Map<string, number>();
  const bytes = (path: string): Buffer => Buffer.from(`${root}/${path}`, "latin1");
  const visit = (folder: string): void => {
    for (const entry of readdirSync(bytes(folder), { withFileTypes: true, encoding: "buffer" })) {
      const path = `${folder}${entry.name.toString("latin1")}`;
      if (entry.isDirectory()) visit(`${path}/`);
      else births.set(path, lstatSync(bytes(path), { throwIfNoEntry: false })?.birthtimeMs ?? 0);
    }
  };
  visit("");
  return births;
}

/** The files that have been created since, or in the place of others. */
export function createdSince(before: Births, after: Births): readonly string[] {
  return [...after].filter(([path, bornAtMs]) => before.get(path) !== bornAtMs).map(([path]) => path);
}

/**
 * How long `cp -a` takes for some files of a project into an empty folder beside it, in milliseconds: the least that any undo takes
 * that writes them again, without finding out which they are. It is done on the same disk right after the same deletion.
 */
export function copyMs(project: string, paths: readonly string[]): number {
  if (paths.length === 0) return 0;
  const copy = join(project, "../copy");
  mkdirSync(copy);
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1");
  const startMs = performance.now();
  const { status } = spawnSync("xargs", ["-0", "cp", "-a", "--parents", "-t", copy], {
    cwd: project,
    input,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const endMs = performance.now();
  rmSync(copy, { recursive: true, force: true });
  if (status !== 0) throw new Error("the files could not be copied");
  return endMs - startMs;
}

/** The kind of the file system that a folder is on, and whether it has a journal: without one, ext4 passes over freed inodes. */
export function fileSystemOf(folder: string): string {
  const line = execFileSync("df", ["--output=fstype,source", folder], { encoding: "utf8" }).trim().split("\n").at(-1);
  const [kind = "", source = ""] = line?.split(/\s+/) ?? [];
  if (!/^ext[34]$/.test(kind)) return kind;
  const journals = existsSync("/proc/fs/jbd2") ? readdirSync("/proc/fs/jbd2") : [];
  return `${kind}, ${journals.some((name) => name.startsWith(`${basename(source)}-`)) ? "with a" : "no"} journal`;
}
