import type { TestProject } from "vitest/node";
import { prepareUsedDataDir } from "./src/embedded/test-kit/used-data-dir.ts";
import { setUpTestCluster } from "./src/testing.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [stopCluster, usedDataDir] = await Promise.all([setUpTestCluster(project), prepareUsedDataDir()]);
  project.provide("usedDataDir", usedDataDir.path);
  return async () => {
    await Promise.all([stopCluster(), usedDataDir.remove()]);
  };
}
