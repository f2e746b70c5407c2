import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFailingCalls } from "../../../testing/failing-calls.ts";
import type { FileSlot } from "./file-slot.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "./file-system-calls.ts";
import { createFolderFiles } from "./folder-files.ts";
import { parseVaultPath } from "./vault-path.ts";

const CHANGED = { name: "FileChangedError", message: "The file was changed by another program." };
const systemError = (code: string) => Object.assign(new Error(code), { code });

let base: string;
let file: string;
let keepAt: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "vault-slot-"));
  file = join(base, "vault/dir/a.md");
  keepAt = join(base, "kept");
  await mkdir(join(base, "vault/dir"), { recursive: true });
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** Runs work with the file's slot, in which "new" is staged. */
async function withStaged(work: (slot: FileSlot) => Promise<unknown>, calls: Partial<FileSystemCalls> = {}) {
  const slot = await openSlot({ ...nodeFileSystemCalls, ...calls });
  try {
    await slot.stage(Buffer.from("new"), null);
    await work(slot);
  } finally {
    await slot.release();
  }
}

function openSlot(calls: FileSystemCalls): Promise<FileSlot> {
  const writerId = "0196f3a0-0000-7000-8000-000000000000";
  const files = createFolderFiles({ rootPath: join(base, "vault"), calls, writerId });
  return files.openSlot(parseVaultPath("dir/a.md"), { create: false });
}

const content = () => readFile(file, "utf8");
const names = () => readdir(join(base, "vault/dir"));

describe("replacing a file", () => {
  it("keeps the old file itself if it has no other hard links", async () => {
    await writeFile(file, "old");
    const { ino } = await stat(file);
    await withStaged(async (slot) => slot.commit({ expected: await slot.stat(), keepAt }));
    expect((await stat(keepAt)).ino).toBe(ino);
    expect(await content()).toBe("new");
  });

  it("is durable before the old file is removed", async () => {
    await writeFile(file, "old");
    const { calls, log } = createFailingCalls();
    await withStaged(async (slot) => {
      const expected = await slot.stat();
      log.length = 0;
      await slot.commit({ expected, keepAt: null });
    }, calls);
    expect(log.filter((name) => ["link", "rename", "fsync", "unlink"].includes(name))).toEqual([
      "link",
      "rename",
      "fsync",
      "unlink",
    ]);
  });

  it("fails if the file was changed, removed or created meanwhile, and can be retried", async () => {
    await writeFile(file, "old");
    await withStaged(async (slot) => {
      const seen = await slot.stat();
      await writeFile(file, "outside");
      await expect(slot.place({ expected: seen, keepAt: null })).rejects.toMatchObject(CHANGED);
      await expect(slot.place({ expected: null, keepAt: null })).rejects.toMatchObject({
        name: "FileChangedError",
        message: "The file was created by another program.",
        cause: { code: "EEXIST" },
      });
      await rm(file);
      await expect(slot.place({ expected: seen, keepAt: null })).rejects.toMatchObject({
        name: "FileChangedError",
        message: "The file was removed.",
        cause: { code: "ENOENT" },
      });
      expect(await names()).toHaveLength(1);
      await slot.commit({ expected: null, keepAt: null });
    });
    expect(await content()).toBe("new");
    expect(await names()).toEqual(["a.md"]);
  });

  it("fails if another file was in its place while the old one was backed up", async () => {
    await writeFile(file, "old");
    const aside = join(base, "aside");
    const swapped: Partial<FileSystemCalls> = {
      async link(existing, created) {
        await rename(file, aside);
        await writeFile(file, "outside");
        await nodeFileSystemCalls.link(existing, created);
        await rename(aside, file);
      },
    };
    await withStaged(async (slot) => {
      await expect(slot.place({ expected: await slot.stat(), keepAt })).rejects.toMatchObject(CHANGED);
    }, swapped);
    expect(await content()).toBe("old");
    expect(await readdir(base)).toEqual(["vault"]);
  });

  it("fails if the file was changed before it was copied", async () => {
    await writeFile(file, "old");
    await link(file, join(base, "other name"));
    await withStaged(async (slot) => {
      const expected = await slot.stat();
      await writeFile(file, "outside");
      await expect(slot.place({ expected, keepAt })).rejects.toMatchObject(CHANGED);
    });
    expect(await content()).toBe("outside");
    expect((await readdir(base)).toSorted()).toEqual(["other name", "vault"]);
  });

  it("passes any other error through", async () => {
    await writeFile(file, "old");
    const blind: Partial<FileSystemCalls> = {
      lstatSync() {
        throw systemError("EIO");
      },
    };
    await withStaged(async (slot) => {
      const attempt = slot.place({ expected: await slot.stat(), keepAt: null });
      await expect(attempt).rejects.toMatchObject({ code: "EIO" });
    }, blind);
    await rm(file);
    await withStaged(
      (slot) => expect(slot.place({ expected: null, keepAt: null })).rejects.toMatchObject({ code: "EIO" }),
      { link: () => Promise.reject(systemError("EIO")) },
    );
  });
});

describe("a slot", () => {
  it("notices that its directory was moved", async () => {
    const slot = await openSlot(nodeFileSystemCalls);
    expect(await slot.isInPlace()).toBe(true);
    await rename(join(base, "vault/dir"), join(base, "vault/moved"));
    expect(await slot.isInPlace()).toBe(false);
    await slot.release();
  });

  it("is released without any further call if nothing is staged", async () => {
    const { calls, log } = createFailingCalls();
    const untouched = await openSlot(calls);
    log.length = 0;
    await untouched.release();
    await withStaged(async (slot) => {
      await slot.commit({ expected: null, keepAt: null });
      log.length = 0;
    }, calls);
    expect(log).toEqual([]);
  });

  it("fails if the sync fails", async () => {
    const calls = { fsync: () => Promise.reject(systemError("EIO")) };
    const slot = await openSlot({ ...nodeFileSystemCalls, ...calls });
    await expect(slot.sync()).rejects.toMatchObject({ code: "EIO" });
    await slot.release();
  });
});
