import { insertFirstUser } from "@workspace/core/testing/first-user";
import { setUpTestCluster } from "@workspace/db/testing";
import type { TestProject } from "vitest/node";
import { buildHooks, buildWorkspace } from "./src/build.ts";
import { OWNER } from "./src/server-process.ts";

/** The tests run the server, the dashboard and the hooks built from the current source, each server on a database with its owner. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  buildWorkspace();
  buildHooks();
  return setUpTestCluster(project, (db) => insertFirstUser(db, OWNER));
}
