import type { TestProject } from "vitest/node";
import { startTestCluster } from "./test-cluster.ts";

/**
 * Global set-up of a vitest project whose tests call `createTestDatabase`: starts the server for their databases, and returns a
 * function that stops it. A project's `globalSetup` is a file that exports this function as `setup`.
 */
export async function setUpTestCluster(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide("testCluster", cluster.address);
  return () => cluster.close();
}
