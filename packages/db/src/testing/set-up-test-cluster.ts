import type { TestProject } from "vitest/node";
import { startTestCluster } from "./test-cluster.ts";

/**
 * Global set-up of a vitest project whose tests call `createTestDatabase`: starts the server that their databases live
 * on, and returns how to stop it. A project names a file as its `globalSetup` that exports this function as `setup`.
 */
export async function setUpTestCluster(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide("testCluster", cluster.address);
  return () => cluster.close();
}
