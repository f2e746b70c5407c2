import { execFile } from "node:child_process";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { SILENT_LOG } from "./test-cluster.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the tests of the project create their files; undefined if it is the usual folder. */
    temporaryFolder: string | undefined;
  }
}

/** Ample for what a project's tests create at a time, beside the clusters of all projects. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;

/**
 * Global set-up of a project whose tests create clusters, vaults or backups, in a folder that is in memory if there is room. Does nothing
 * if `TMPDIR` names a folder, or if programs cannot run there. The project's `setupFiles` contain `use-temporary-folder.ts`.
 */
export async function setup(project: Pick<TestProject, "provide">): Promise<(() => Promise<void>) | undefined> {
  if (process.env["TMPDIR"] !== undefined) return undefined;
  const folder = await createTemporaryFolder(SILENT_LOG, MIN_FREE_BYTES);
  if (!(await runsPrograms(folder.path))) {
    await folder.remove();
    return undefined;
  }
  // Like the usual one: PostgreSQL runs as another user if root has started it.
  await chmod(folder.path, 0o1777);
  project.provide("temporaryFolder", folder.path);
  return () => folder.remove();
}

/** Whether programs in a folder can be started: containers often mount memory so that none can, and some tests install programs. */
export async function runsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, "program");
  await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
  try {
    await promisify(execFile)(program);
    return true;
  } catch {
    return false;
  } finally {
    await rm(program);
  }
}
