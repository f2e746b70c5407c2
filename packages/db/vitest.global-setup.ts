import type { TestProject } from "vitest/node";
import { prepareTestFolder } from "./src/embedded/test-kit/test-folder.ts";
import { setUpTestCluster } from "./src/testing.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [stopCluster, folder] = await Promise.all([setUpTestCluster(project), prepareTestFolder()]);
  project.provide("testFolder", folder.path);
  return async () => {
    await Promise.all([stopCluster(), folder.remove()]);
  };
}
