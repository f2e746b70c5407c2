import * as fs from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Switches, readSwitches } from "../files/config.ts";
import { readQuietly, statIfExists } from "../files/atomic-file.ts";
import { parseRecord } from "../json/json-value.ts";
import { findRemoteUrl, normalizeRemote } from "./git-remote.ts";

/** The project that a session works in. */
export interface Project {
  /** Its top folder, links resolved. */
  readonly root: string;
  /** What its memories are kept under: its git remote, so that two clones share them, else its folder. */
  readonly identity: string;
}

/** A file in a project that switches things off in it, for everyone who works there. It cannot switch anything on. */
export const PROJECT_FILE = ".workspace-hooks.json";

export function findProject(directory: string): Project {
  const start = realPathOf(directory);
  const repository = findRepository(start);
  const root = repository?.root ?? start;
  const remote = repository && readRemote(repository.gitDir);
  return { root, identity: remote ?? root };
}

/** What the project's own file leaves on. A file that cannot be read switches everything off: it is there for that. */
export function readProjectSwitches({ root }: Project): Switches {
  const text = readQuietly(join(root, PROJECT_FILE));
  if (text === undefined) return { memory: true, events: true };
  const record = parseRecord(text);
  return record === undefined ? { memory: false, events: false } : readSwitches(record, { memory: true, events: true });
}

/** The branch that is checked out in a directory; undefined outside of a repository, and where there is no branch. */
export function findBranch(directory: string): string | undefined {
  const repository = findRepository(realPathOf(directory));
  const head = repository && readQuietly(join(repository.gitDir, "HEAD"));
  return head === undefined ? undefined : /^ref:\s*refs\/heads\/(.+)/.exec(head)?.[1]?.trim();
}

interface Repository {
  readonly root: string;
  readonly gitDir: string;
}

function findRepository(start: string): Repository | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    const gitDir = gitDirAt(directory);
    if (gitDir !== undefined) return { root: directory, gitDir };
    if (dirname(directory) === directory) return undefined;
  }
}

/** `.git` is a folder, or a file that names one: in worktrees and submodules. */
function gitDirAt(directory: string): string | undefined {
  const path = join(directory, ".git");
  const status = statIfExists(path);
  if (status === undefined) return undefined;
  if (status.isDirectory()) return path;
  const named = /^gitdir:(.+)/m.exec(readQuietly(path) ?? "")?.[1]?.trim();
  return named === undefined ? undefined : resolve(directory, named);
}

/** A worktree's configuration is that of the repository it belongs to. */
function readRemote(gitDir: string): string | undefined {
  const common = readQuietly(join(gitDir, "commondir"))?.trim();
  const commonDir = common === undefined ? gitDir : isAbsolute(common) ? common : resolve(gitDir, common);
  const url = findRemoteUrl(readQuietly(join(commonDir, "config")) ?? "");
  return url === undefined ? undefined : normalizeRemote(url);
}

function realPathOf(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return resolve(path);
  }
}
