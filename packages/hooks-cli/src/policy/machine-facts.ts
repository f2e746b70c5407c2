import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { findBranch } from "../project/project.ts";
import { isBelow } from "./file-place.ts";
import type { PolicyFacts } from "./policy-facts.ts";

export interface MachineOptions {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The machine as rules see it, looked at only when one of them asks. */
export function machineFacts({ cwd, projectRoot, home, environment }: MachineOptions): PolicyFacts {
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
    // Where projects themselves lie, nothing is free for the taking.
    temporaryDirs: temporary.filter((directory) => !isBelow(projectRoot, directory) && projectRoot !== directory),
    realPath(path) {
      const known = resolved.get(path) ?? realPathOf(path);
      resolved.set(path, known);
      return known;
    },
    branchAt: findBranch,
  };
}

/** Resolves the links of a path as far as it exists; the rest is appended as it is. */
function realPathOf(path: string): string {
  const rest: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    try {
      return join(fs.realpathSync(current), ...rest);
    } catch {
      if (dirname(current) === current) return path;
      rest.unshift(basename(current));
    }
  }
}
