import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { insertFirstUser } from "@workspace/core/testing/first-user";
import { setUpTestCluster } from "@workspace/db/testing";
import type { TestProject } from "vitest/node";
import { OWNER } from "./src/server.ts";

/** The tests run the server and dashboard built from the current source, each server on a database with its owner. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = join(import.meta.dirname, "../scripts/ensure-built.mjs");
  execFileSync(process.execPath, [program, "server", "dashboard"], { stdio: "inherit" });
  return setUpTestCluster(project, (db) => insertFirstUser(db, OWNER));
}
