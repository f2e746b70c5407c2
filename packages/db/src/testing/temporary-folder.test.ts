import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runsPrograms, setup } from "./set-up-temporary-folder.ts";

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

it("is not where programs cannot be started", async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "noexec-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await runsPrograms(folder)).toBe(true);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "noexec", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    skip("mounting needs root");
  }
  try {
    expect(await runsPrograms(folder)).toBe(false);
  } finally {
    execFileSync("umount", [folder]);
  }
});
