import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

it.runIf(process.platform === "linux")("is opened once for concurrent users", async () => {
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

it("is opened again once it is no longer in use", async () => {
  const opener = createOpener();
  (await opener.open(DIRECTORY)).release();
  (await opener.open(DIRECTORY)).release();
  expect(opened).toBe(process.platform === "linux" ? 2 : 0);
});

it("is not shared after it was moved, or if it has been open for long", async () => {
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

describe.runIf(process.platform === "linux")("a directory that has been open for long", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => vi.useRealTimers());

  it("is reopened by only one of its users", async () => {
    const opener = createOpener();
    const users = [await opener.open(DIRECTORY)];
    for (const expected of [2, 3]) {
      vi.advanceTimersByTime(LONGER_THAN_SHARED_MS);
      users.push(...(await Promise.all([1, 2, 3].map(() => opener.open(DIRECTORY)))));
      expect(opened).toBe(expected);
    }
    for (const directory of users) directory.release();
  });

  it("is not used for much longer if reopening fails", async () => {
    const opener = createOpener();
    const old = await opener.open(DIRECTORY);
    vi.advanceTimersByTime(LONGER_THAN_SHARED_MS);
    await rename(join(root, "a"), join(root, "b"));
    await expect(opener.open(DIRECTORY)).rejects.toThrow("There is no such directory.");
    await rename(join(root, "b"), join(root, "a"));
    const before = opened;
    (await opener.open(DIRECTORY)).release();
    expect(opened).toBe(before);
    vi.advanceTimersByTime(LONGER_THAN_SHARED_MS);
    (await opener.open(DIRECTORY)).release();
    expect(opened).toBe(before + 1);
    old.release();
  });
});
