import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { insertFirstUser } from "@workspace/core/testing/first-user";
import { setUpTestCluster } from "@workspace/db/testing";
import type { TestProject } from "vitest/node";
import { ADMIN } from "./credentials.ts";

const ENSURE_BUILT = join(import.meta.dirname, "../../../scripts/ensure-built.mjs");

/**
 * Builds the server from the source under test, and starts the database server, on which each server gets its own database with the
 * first user.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [ENSURE_BUILT, "server", "dashboard"], { stdio: "inherit" });
  return setUpTestCluster(project, (db) => insertFirstUser(db, ADMIN));
}
