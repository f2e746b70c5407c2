import type { TestProject } from "vitest/node";
import { createDb, type Db } from "../db.ts";
import { SILENT_LOG, startTestCluster } from "./test-cluster.ts";

/**
 * Global set-up of a vitest project whose tests call `createTestDatabase`: starts the server for their databases, and returns a
 * function that stops it. A project's `globalSetup` is a file that exports this function as `setup`.
 *
 * @param prepare - adds to the template what all of its tests need
 */
export async function setUpTestCluster(
  project: TestProject,
  prepare?: (db: Db) => Promise<void>,
): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  if (prepare !== undefined) {
    // Nobody may be connected to the template when it is copied.
    const db = createDb(cluster.address, { log: SILENT_LOG });
    try {
      await prepare(db);
    } finally {
      await db.close();
    }
  }
  project.provide("testCluster", cluster.address);
  return () => cluster.close();
}
