import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDirectoryOpener } from "./directory.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "./file-system-calls.ts";
import { parseVaultPath } from "./vault-path.ts";

const DIRECTORY = parseVaultPath("/a");
const LONGER_THAN_SHARED_MS = 60;

let root: string;
let opened: number;
let released: number;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "shared-directories-"));
  await mkdir(join(root, "a"));
  [opened, released] = [0, 0];
});

afterEach(() => rm(root, { recursive: true, force: true }));

function createOpener() {
  const calls: FileSystemCalls = {
    ...nodeFileSystemCalls,
    open(place, flags, mode) {
      if (place.endsWith("/a")) opened += 1;
      return nodeFileSystemCalls.open(place, flags, mode);
    },
    release(fd) {
      released += 1;
      nodeFileSystemCalls.release(fd);
    },
  };
  return createDirectoryOpener(calls, root, () => undefined);
}

it.runIf(process.platform === "linux")("is opened once for those who use it at the same time", async () => {
  const opener = createOpener();
  const first = await opener.open(DIRECTORY);
  const second = await opener.open(DIRECTORY);
  expect({ opened, isSame: first.entry("x") === second.entry("x") }).toEqual({ opened: 1, isSame: true });
  const before = released;
  first.release();
  expect(released).toBe(before);
  expect((await second.stat()).kind).toBe("directory");
  second.release();
  expect(released).toBe(before + 1);
});

it("is opened anew where nobody uses it any more", async () => {
  const opener = createOpener();
  (await opener.open(DIRECTORY)).release();
  (await opener.open(DIRECTORY)).release();
  expect(opened).toBe(process.platform === "linux" ? 2 : 0);
});

it("is not given to others when it was moved, or has been open for long", async () => {
  const opener = createOpener();
  const moved = await opener.open(DIRECTORY);
  await rename(join(root, "a"), join(root, "b"));
  await mkdir(join(root, "a"));
  const current = await opener.open(DIRECTORY);
  expect(current.key()).not.toBe(moved.key());
  expect([await moved.isInPlace(), await current.isInPlace()]).toEqual([false, true]);
  const before = opened;
  await sleep(LONGER_THAN_SHARED_MS);
  (await opener.open(DIRECTORY)).release();
  expect(opened).toBe(process.platform === "linux" ? before + 1 : before);
  moved.release();
  current.release();
});
