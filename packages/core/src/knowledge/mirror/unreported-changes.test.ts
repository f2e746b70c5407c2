import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { createTextIndexer } from "../file-records/text-indexer.ts";
import { createVaultLocks } from "../file-records/vault-locks.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "../vault/file-system-calls.ts";
import { createFolderFiles } from "../vault/folder-files.ts";
import { parseVaultPath, type VaultPath } from "../vault/vault-path.ts";
import { createDirtyPaths } from "./dirty-paths.ts";
import type { Term } from "./mirror-leadership.ts";
import { createMirrorPasses } from "./mirror-passes.ts";
import { createMirrorWriter } from "./mirror-writer.ts";
import { createVaultWatcher } from "./vault-watcher.ts";

let vault: TestVault;

beforeEach(async () => {
  vault = await createTestVault();
});
afterEach(() => vault.close());

const paths = async () => (await vault.documents.list({})).items.map(({ path }) => path).toSorted();

/** A mirror that receives no events, as if all of them had been lost. */
function createDeafMirror(calls: FileSystemCalls = nodeFileSystemCalls) {
  const { db, logger } = vault;
  const files = createFolderFiles({ rootPath: vault.root, calls, writerId: vault.ids() });
  const watcher = createVaultWatcher({ onChange: () => undefined, onError: () => undefined });
  const indexer = createTextIndexer({ db, files, logger });
  const { linkUpdates } = vault;
  const writer = createMirrorWriter({ ...vault, files, locks: createVaultLocks(db), indexer });
  const processes = { findLivingWriters: () => Promise.resolve(new Set<string>()) };
  const passes = createMirrorPasses({
    db,
    processes,
    logger,
    files,
    anyRoot: files,
    writer,
    watcher,
    indexer,
    linkUpdates,
  });
  const { signal } = new AbortController();
  // There is no other process that could take over.
  const term: Term = { signal, hold: () => Promise.resolve(), noteLook: () => undefined };
  const options = { creatorId: vault.userId, term };
  return {
    compareAll: () => passes.full({ ...options, isAccepted: false, onProgress: () => undefined }),
    findUnreported: () => passes.findUnreported(),
    async compareDirectories() {
      const dirty = createDirtyPaths();
      for (const { directory, name } of await passes.findUnreported()) dirty.add(directory, name);
      await passes.partial(dirty.take(), options);
    },
    examine: (path: VaultPath) => passes.partial({ directories: [], paths: [path] }, options),
    settle: () =>
      expect
        .poll(passes.nextDeletionInMs, { timeout: 3_000 })
        .toBeLessThanOrEqual(0)
        .then(() => passes.deleteMissing(false, term)),
    async close() {
      watcher.close();
      await indexer.close();
    },
  };
}

it("finds new, removed and renamed files and directories by comparing directories alone", async () => {
  await mkdir(vault.at("dir/deep"), { recursive: true });
  for (const path of ["root.md", "dir/a.md", "dir/deep/b.md", "dir/deep/c.md"]) await writeFile(vault.at(path), path);
  const mirror = createDeafMirror();
  try {
    await mirror.compareAll();
    expect(await mirror.findUnreported()).toEqual([]);

    await writeFile(vault.at("dir/deep/new.md"), "new");
    await rename(vault.at("dir/deep/c.md"), vault.at("dir/moved.md"));
    await rm(vault.at("root.md"));
    await mkdir(vault.at("tree/below"), { recursive: true });
    await writeFile(vault.at("tree/below/x.md"), "x");
    await mirror.compareDirectories();
    await mirror.settle();
    expect(await paths()).toEqual(["dir/a.md", "dir/deep/b.md", "dir/deep/new.md", "dir/moved.md", "tree/below/x.md"]);
    expect(await mirror.findUnreported()).toEqual([]);

    await rename(vault.at("tree"), `${vault.root}-tree`);
    await rename(vault.at("dir"), vault.at("tree"));
    await rename(`${vault.root}-tree`, vault.at("dir"));
    await mirror.compareDirectories();
    expect(await paths()).toEqual([
      "dir/below/x.md",
      "tree/a.md",
      "tree/deep/b.md",
      "tree/deep/new.md",
      "tree/moved.md",
    ]);
    expect(await mirror.findUnreported()).toEqual([]);
  } finally {
    await mirror.close();
  }
});

it("finds a file system mounted over a directory, for which there is no event", async ({ skip }) => {
  await mkdir(vault.at("disk"));
  await writeFile(vault.at("disk/under.md"), "under");
  await writeFile(vault.at("beside.md"), "beside");
  const mirror = createDeafMirror();
  await mirror.compareAll();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", vault.at("disk")], { stdio: "ignore" });
  } catch {
    await mirror.close();
    skip("mounting needs root");
  }
  try {
    await writeFile(vault.at("disk/over.md"), "over");
    await mirror.compareDirectories();
    await mirror.settle();
    expect(await paths()).toEqual(["beside.md", "disk/over.md"]);
  } finally {
    execFileSync("umount", ["-l", vault.at("disk")]);
  }
  await mirror.compareDirectories();
  await mirror.settle();
  expect(await paths()).toEqual(["beside.md", "disk/under.md"]);
  await mirror.close();
});

describe("files that are created or deleted during a comparison", () => {
  const write = (path: string) => vault.vault.write({ path, content: path }, vault.author);

  it("do not make the vault look emptied if they are its first files", async () => {
    let afterRead: (() => Promise<unknown>) | null = () => Promise.all([write("one.md"), write("two.md")]);
    const mirror = createDeafMirror({
      ...nodeFileSystemCalls,
      async readdir(path) {
        const names = await nodeFileSystemCalls.readdir(path);
        const work = afterRead;
        afterRead = null;
        await work?.();
        return names;
      },
    });
    try {
      await mirror.compareAll();
      await mirror.settle();
      expect(await paths()).toEqual(["one.md", "two.md"]);
    } finally {
      await mirror.close();
    }
  });

  it("do not make the vault look emptied if as many documents were deleted as are left", async () => {
    for (const path of ["gone.md", "left.md"]) await write(path);
    const mirror = createDeafMirror();
    try {
      await mirror.compareAll();
      const [gone] = (await vault.documents.list({ search: "gone" })).items;
      await rm(vault.at("gone.md"));
      await mirror.compareDirectories();
      await vault.documents.delete(gone?.id ?? "");
      await mirror.settle();
      expect(await paths()).toEqual(["left.md"]);
    } finally {
      await mirror.close();
    }
  });
});

it("finds everything in a directory again that was away once more when its missing files were looked for", async () => {
  await mkdir(vault.at("dir/deep"), { recursive: true });
  for (const path of ["root.md", "dir/a.md", "dir/deep/b.md"]) await writeFile(vault.at(path), path);
  const mirror = createDeafMirror();
  await mirror.compareAll();
  const all = await paths();
  const dir = parseVaultPath("dir");
  await rename(vault.at("dir"), vault.at("../away"));
  await mirror.examine(dir);
  await rename(vault.at("../away"), vault.at("dir"));
  await mirror.examine(dir);
  await rename(vault.at("dir"), vault.at("../away"));
  await mirror.settle();
  expect(await paths()).toEqual(["root.md"]);
  await rename(vault.at("../away"), vault.at("dir"));
  await mirror.examine(dir);
  expect(await paths()).toEqual(all);
  await mirror.close();
});
