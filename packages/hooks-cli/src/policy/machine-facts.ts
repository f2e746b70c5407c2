import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { statIfExists, tryStat } from "../files/atomic-file.ts";
import { findBranch } from "../project/project.ts";
import { isBelow } from "./file-location.ts";
import type { PolicyFacts } from "./policy-facts.ts";

export interface MachineOptions {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly unrecorded?: readonly string[] | undefined;
}

/** The machine as seen by rules, inspected only when one of them needs it. */
export function machineFacts({ cwd, projectRoot, home, environment, unrecorded = [] }: MachineOptions): PolicyFacts {
  const resolved = new Map<string, string>();
  const named = environment["TMPDIR"];
  const temporary = [
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    ...(named === undefined || named === "" ? [] : [resolve(named)]),
  ];
  return {
    cwd,
    projectRoot,
    home,
    environment: { ...environment, HOME: home },
    // A directory that contains projects does not count as temporary.
    temporaryDirs: temporary.filter((directory) => !isBelow(projectRoot, directory) && projectRoot !== directory),
    realPath: (path) => realPathOf(path, resolved),
    unrecorded,
    isFile: (path) => tryStat(path)?.isFile() === true,
    exists: isThere,
    contentOf: startOf,
    branchAt: findBranch,
  };
}

/** Also a link that leads nowhere; what cannot be looked at may be there. */
function isThere(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Of a file that a command would run, so much is read. */
const MAX_CONTENT = 64 * 1024;

function startOf(path: string): string | undefined {
  try {
    const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      if (!fs.fstatSync(file).isFile()) return undefined;
      const start = Buffer.alloc(MAX_CONTENT);
      return start.toString("utf8", 0, fs.readSync(file, start));
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** No system opens a file by a longer name. */
const MAX_PATH = 6_000;

/** Resolves the links of a path as far as it exists; the rest is appended unchanged. Caches its results in `known`. */
function realPathOf(path: string, known: Map<string, string>): string {
  if (path.length > MAX_PATH) return path;
  const rest: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    const real = known.get(current) ?? existingPath(current);
    if (real !== undefined) {
      const whole = join(real, ...rest);
      known.set(current, real).set(path, whole);
      return whole;
    }
    if (dirname(current) === current) return path;
    rest.unshift(basename(current));
  }
}

/** The path with links resolved; undefined if it does not exist. Checking first is faster than an exception. */
function existingPath(path: string): string | undefined {
  try {
    return statIfExists(path) && fs.realpathSync(path);
  } catch {
    return undefined;
  }
}
