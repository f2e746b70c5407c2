import * as fs from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { normalizeRemote } from "@workspace/core/git-remote";
import { ALL_ON, type Switches, readSwitches } from "../files/config.ts";
import { tryRead, statIfExists } from "../files/atomic-file.ts";
import { parseRecord } from "../json/json-value.ts";
import { findRemoteUrl } from "./git-remote.ts";

/** The project that a session works in. */
export interface Project {
  /** Its root folder, with links resolved. */
  readonly root: string;
  /** The key for its memories: its git remote, so that clones share them, otherwise its folder. */
  readonly identity: string;
}

/** A file in a project that switches features off for everyone who works there. It cannot switch anything on. */
export const PROJECT_FILE = ".workspace-hooks.json";

export function findProject(directory: string): Project {
  const start = realPathOf(directory);
  const repository = findRepository(start);
  const root = repository?.root ?? start;
  const remote = repository && readRemote(repository.gitDir);
  return { root, identity: remote ?? root };
}

/** The switches of the project's own file. If it cannot be read, everything is off, since that is its purpose. */
export function readProjectSwitches({ root }: Project): Switches {
  const text = tryRead(join(root, PROJECT_FILE));
  if (text === undefined) return ALL_ON;
  const record = parseRecord(text);
  return record === undefined ? { memory: false, events: false, undo: false } : readSwitches(record, ALL_ON);
}

/** The root of the repository that a directory is in, otherwise the directory; as it is named, without resolving links. */
export function findRoot(directory: string): string {
  return findRepository(directory)?.root ?? directory;
}

/** The current branch in a directory; undefined outside a repository, and with a detached HEAD. */
export function findBranch(directory: string): string | undefined {
  const repository = findRepository(realPathOf(directory));
  const head = repository && tryRead(join(repository.gitDir, "HEAD"));
  return head === undefined ? undefined : /^ref:\s*refs\/heads\/(.+)/.exec(head)?.[1]?.trim();
}

/** The commit that is checked out in a directory; undefined if there is none, or it cannot be read. */
export function findHead(directory: string): string | undefined {
  const repository = findRepository(realPathOf(directory));
  const head = repository && tryRead(join(repository.gitDir, "HEAD"))?.trim();
  if (repository === undefined || head === undefined) return undefined;
  const name = /^ref:\s*(refs\/.+)/.exec(head)?.[1];
  const commonDir = commonDirOf(repository.gitDir);
  const commit = name === undefined ? head : (tryRead(join(commonDir, name))?.trim() ?? packedRef(commonDir, name));
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

function packedRef(commonDir: string, name: string): string | undefined {
  const lines = (tryRead(join(commonDir, "packed-refs")) ?? "").split("\n");
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0];
}

interface Repository {
  readonly root: string;
  readonly gitDir: string;
}

export function findRepository(start: string): Repository | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    const gitDir = gitDirAt(directory);
    if (gitDir !== undefined) return { root: directory, gitDir };
    if (dirname(directory) === directory) return undefined;
  }
}

/** `.git` is a folder, or a file that names one, as in worktrees and submodules. */
function gitDirAt(directory: string): string | undefined {
  const path = join(directory, ".git");
  const status = statIfExists(path);
  if (status === undefined) return undefined;
  if (status.isDirectory()) return path;
  const named = /^gitdir:(.+)/m.exec(tryRead(path) ?? "")?.[1]?.trim();
  return named === undefined ? undefined : resolve(directory, named);
}

/** The folder of a repository that its worktrees share. */
function commonDirOf(gitDir: string): string {
  const common = tryRead(join(gitDir, "commondir"))?.trim();
  return common === undefined ? gitDir : isAbsolute(common) ? common : resolve(gitDir, common);
}

function readRemote(gitDir: string): string | undefined {
  const url = findRemoteUrl(tryRead(join(commonDirOf(gitDir), "config")) ?? "");
  return url === undefined ? undefined : normalizeRemote(url);
}

function realPathOf(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return resolve(path);
  }
}
