import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFailingCalls, type FailingCalls, type FailureCode } from "../../../testing/failing-calls.ts";
import { writeVaultFile } from "../../../testing/write-vault-file.ts";
import { InsufficientStorageError } from "../../platform/errors.ts";
import { pathDirectory } from "./directory.ts";
import { nodeFileSystemCalls } from "./file-system-calls.ts";
import { moveEntry } from "./move-entry.ts";
import { createServiceFolder } from "./service-folder.ts";
import { createTrash, type Trash } from "./trash.ts";
import { createFolderFiles, type FolderFiles } from "./folder-files.ts";
import { parseVaultPath } from "./vault-path.ts";

const CODES: FailureCode[] = ["EIO", "ENOSPC", "EROFS", "EMFILE", "EDQUOT"];
const WRITER_ID = "0196f3a0-0000-7000-8000-000000000000";
const path = (text: string) => parseVaultPath(text);

describe("a failing disk", () => {
  let base: string;
  let root: string;
  let failing: FailingCalls;
  let files: FolderFiles;
  let trash: Trash;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "vault-faults-"));
    root = join(base, "vault");
    await mkdir(root);
    await mkdir(join(base, "store"));
    failing = createFailingCalls();
    const { calls } = failing;
    files = createFolderFiles({ rootPath: root, calls, writerId: WRITER_ID });
    trash = createTrash({ files, folder: createServiceFolder({ files }) });
  });

  afterEach(() => rm(base, { recursive: true, force: true }));

  /**
   * Runs `work` once for each of its system calls and each code, with that call failing, always from the same initial state.
   * `isSafe` checks the state of the disk afterwards; the unsafe cases are returned.
   */
  async function failEachCall({ prepare, work, isSafe }: FaultCase): Promise<{ unsafe: string[]; count: number }> {
    // Once to get past what is done only the first time, and once to record the calls.
    await prepare();
    await work();
    await prepare();
    failing.reset();
    await work();
    const calls = [...failing.log];
    const unsafe: string[] = [];
    for (const [index, call] of calls.entries()) {
      for (const code of CODES) {
        await prepare();
        failing.reset();
        failing.failAt(index, code);
        const hasFailed = await work().then(
          () => false,
          () => true,
        );
        failing.reset();
        // Removing a file's second name after everything is safe may fail without consequences. Nothing else may.
        const isSuccessRight = hasFailed || call === "unlink";
        if (!isSuccessRight || !(await isSafe(hasFailed))) unsafe.push(`${index}:${call}:${code}`);
      }
    }
    return { unsafe, count: calls.length * CODES.length };
  }

  const clear = async () => {
    await rm(root, { recursive: true, force: true });
    await rm(join(base, "store"), { recursive: true, force: true });
    await mkdir(join(base, "store"));
    await mkdir(root);
  };
  const names = async () =>
    (await readdir(root, { recursive: true })).filter((name) => !name.endsWith(".tmp")).toSorted();
  const textOf = (place: string) => readFile(place, "utf8").catch(() => "");

  it.each([["kept", true] as const, ["not kept", false] as const])(
    "preserves the old content, whichever call of an overwrite fails (old file %s)",
    async (_name, isKept) => {
      const { unsafe, count } = await failEachCall({
        prepare: async () => {
          await clear();
          await writeFile(join(root, "a.md"), "old bytes");
        },
        work: async () =>
          writeVaultFile(files, path("a.md"), Buffer.from("new"), {
            expected: await files.stat(path("a.md")),
            keepAt: isKept ? join(base, "store/v1") : null,
          }),
        isSafe: async (hasFailed) =>
          (await names()).join() === "a.md" && (await textOf(join(root, "a.md"))) === (hasFailed ? "old bytes" : "new"),
      });
      expect(unsafe).toEqual([]);
      expect(count).toBeGreaterThan(60);
    },
  );

  it("leaves nothing behind, whichever call of a write of a new file fails", async () => {
    const { unsafe } = await failEachCall({
      prepare: clear,
      work: () => writeVaultFile(files, path("new/dir/a.md"), Buffer.from("new"), { expected: null }),
      isSafe: async (hasFailed) => (await names()).includes("new/dir/a.md") !== hasFailed,
    });
    expect(unsafe).toEqual([]);
  });

  it.each([
    ["file", "a.md", "dir/b.md"],
    ["directory", "dir", "moved"],
  ])("leaves a %s in place, whichever call of a move fails", async (_kind, from, to) => {
    const { unsafe } = await failEachCall({
      prepare: async () => {
        await clear();
        await mkdir(join(root, "dir"));
        await writeFile(join(root, "dir/x.md"), "x");
        await writeFile(join(root, "a.md"), "a");
      },
      work: () => files.move(path(from), path(to)),
      isSafe: async (hasFailed) =>
        hasFailed && (await names()).join() === "a.md,dir,dir/x.md" && (await stat(join(root, "a.md"))).nlink === 1,
    });
    expect(unsafe).toEqual([]);
  });

  it("leaves the file in the vault, whichever call of a move to the trash fails", async () => {
    const { unsafe } = await failEachCall({
      prepare: async () => {
        await clear();
        await writeFile(join(root, "a.md"), "a");
      },
      work: () => trash.put(path("a.md"), { id: "1", deletedAt: new Date(0) }),
      isSafe: async (hasFailed) =>
        hasFailed && (await readFile(join(root, "a.md"), "utf8")) === "a" && (await trash.stat("1/content")) === null,
    });
    expect(unsafe).toEqual([]);
  });

  it("has one complete copy, whichever call of a move to another file system fails", async () => {
    const other = await mkdtemp("/dev/shm/vault-faults-");
    const isWhole = async (place: string) =>
      (await textOf(join(place, "a.md"))) + (await textOf(join(place, "sub/b.md"))) === "ab";
    try {
      const { unsafe } = await failEachCall({
        prepare: async () => {
          await clear();
          await rm(join(other, "dir"), { recursive: true, force: true });
          await mkdir(join(root, "dir/sub"), { recursive: true });
          await writeFile(join(root, "dir/a.md"), "a");
          await writeFile(join(root, "dir/sub/b.md"), "b");
        },
        work: () =>
          moveEntry({
            calls: failing.calls,
            from: { directory: pathDirectory(failing.calls, root), name: "dir" },
            to: { directory: pathDirectory(failing.calls, other), name: "dir" },
            temporaryName: ".copy.tmp",
          }),
        isSafe: async () => (await isWhole(join(root, "dir"))) || (await isWhole(join(other, "dir"))),
      });
      expect(unsafe).toEqual([]);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

interface FaultCase {
  readonly prepare: () => Promise<void>;
  readonly work: () => Promise<unknown>;
  readonly isSafe: (hasFailed: boolean) => Promise<boolean>;
}

describe("a full disk", () => {
  it("preserves the old content and reports that the disk is full", async ({ skip }) => {
    const root = await mkdtemp(join(tmpdir(), "vault-full-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root], { stdio: "ignore" });
    } catch {
      await rm(root, { recursive: true, force: true });
      skip("mounting needs root");
    }
    try {
      const files = createFolderFiles({ rootPath: root, calls: nodeFileSystemCalls, writerId: WRITER_ID });
      await writeVaultFile(files, path("a.md"), Buffer.alloc(20_000, "o"), { expected: null });
      const attempts = [
        async () =>
          writeVaultFile(files, path("a.md"), Buffer.alloc(60_000), { expected: await files.stat(path("a.md")) }),
        () => writeVaultFile(files, path("b.md"), Buffer.alloc(100_000), { expected: null }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(InsufficientStorageError);
      expect(await readdir(root)).toEqual(["a.md"]);
      expect(await readFile(join(root, "a.md"), "utf8")).toBe("o".repeat(20_000));
    } finally {
      execFileSync("umount", [root]);
      await rm(root, { recursive: true, force: true });
    }
  });
});
