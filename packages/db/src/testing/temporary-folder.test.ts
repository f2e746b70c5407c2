import { existsSync, statSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { setup } from "./set-up-temporary-folder.ts";

const provided = new Map<string, unknown>();

function setUp(temporaryFolder: string | undefined): ReturnType<typeof setup> {
  vi.stubEnv("TMPDIR", temporaryFolder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    provided.clear();
  });
  return setup({ provide: (key, value) => void provided.set(key, value) });
}

it("gives a project a folder that any user may enter, and removes it", async () => {
  const remove = await setUp(undefined);
  const path = provided.get("temporaryFolder") as string;
  expect(statSync(path).mode & 0o7777).toBe(0o1777);
  await remove?.();
  expect(existsSync(path)).toBe(false);
});

it("leaves the folder that TMPDIR names", async () => {
  expect(await setUp("/elsewhere")).toBeUndefined();
  expect([...provided]).toEqual([]);
});
