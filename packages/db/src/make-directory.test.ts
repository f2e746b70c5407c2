import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDirectory } from "./make-directory.ts";
import { recordSyncs } from "./testing/record-syncs.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "workspace-make-directory-"));
});
afterAll(() => rm(root, { recursive: true }));

test("a directory is created with its parents, even by several calls at once", async () => {
  const path = join(root, "a/b/c");
  await Promise.all([1, 2, 3].map(() => makeDirectory(path, { mode: 0o700 })));
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o700);
});

test.runIf(process.platform === "linux")("a directory is durable, with the parents that were created", async () => {
  const syncs = await recordSyncs();
  await makeDirectory(join(root, "d/e"));
  syncs.stop();
  expect(syncs.paths).toEqual([root, join(root, "d")]);
});

test("an existing directory keeps its contents", async () => {
  await writeFile(join(root, "note"), "text");
  await makeDirectory(root);
  expect(await readFile(join(root, "note"), "utf8")).toBe("text");
});

test("a file in its place is refused", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  await expect(makeDirectory(file)).rejects.toThrow("EEXIST");
  await expect(makeDirectory(join(file, "below"))).rejects.toThrow("EEXIST");
});

test.runIf(process.platform === "linux")("a file system where nothing can be created refuses it at once", async () => {
  await expect(makeDirectory("/proc/nowhere/data")).rejects.toThrow("ENOENT");
});
