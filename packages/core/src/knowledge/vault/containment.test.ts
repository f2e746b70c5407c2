import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callsWithoutDescriptors } from "../../../testing/calls-without-descriptors.ts";
import { writeVaultFile } from "../../../testing/write-vault-file.ts";
import { DomainError, ForbiddenError, InvalidInputError, TooLargeError } from "../../platform/errors.ts";
import { FileChangedError } from "./durable-write.ts";
import { nodeFileSystemCalls } from "./file-system-calls.ts";
import { createFolderFiles, type FolderFiles } from "./folder-files.ts";
import { childOf, parseVaultPath, SERVICE_DIRECTORY } from "./vault-path.ts";

const WRITER_ID = "0196f3a0-0000-7000-8000-000000000000";
const SWAP_MS = Number(process.env["VAULT_SWAP_MS"] ?? 800);
/** Distinguishable from content inside the vault by its bytes and its length. */
const SECRET = "SECRET";
const INSIDE = "inside the vault";
const path = (text: string) => parseVaultPath(text);

describe("containment", () => {
  let base: string;
  let root: string;
  let outside: string;
  let files: FolderFiles;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "vault-containment-"));
    root = join(base, "vault");
    outside = join(base, "outside");
    await mkdir(join(root, "dir"), { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, "a.md"), SECRET);
    await writeFile(join(root, "dir/a.md"), INSIDE);
    files = createFolderFiles({ rootPath: root, calls: nodeFileSystemCalls, writerId: WRITER_ID });
  });

  afterEach(() => rm(base, { recursive: true, force: true }));

  const read = async (name: string): Promise<string> => {
    const file = await files.openFile(path(name));
    try {
      return (await file.readAll(1_000)).toString();
    } finally {
      file.release();
    }
  };
  const write = async (name: string): Promise<unknown> =>
    writeVaultFile(files, path(name), Buffer.from("written"), { expected: await files.stat(path(name)) });

  it.each([
    ["out of the vault", () => join(base, "outside"), nodeFileSystemCalls],
    ["to a place inside it", () => join(base, "vault", "dir"), nodeFileSystemCalls],
    ["out of the vault, without descriptors", () => join(base, "outside"), callsWithoutDescriptors],
  ])("rejects every operation through a link that leads %s", async (_where, target, calls) => {
    files = createFolderFiles({ rootPath: root, calls, writerId: WRITER_ID });
    await symlink(target(), join(root, "link"));
    await symlink(join(target(), "a.md"), join(root, "link.md"));
    const attempts = [
      read("link/a.md"),
      read("link.md"),
      write("link/new.md"),
      write("link/a.md"),
      write("link.md"),
      files.createDirectory(path("link/new")),
      files.readDirectory(path("link")),
      files.move(path("link/a.md"), path("stolen.md")),
      files.move(path("dir/a.md"), path("link/put.md")),
      files.move(path("link.md"), path("moved.md")),
      files.move(path("link"), path("moved")),
      files.move(path("link/a.md"), childOf(SERVICE_DIRECTORY, "stolen.md")),
      files.move(path("link"), childOf(SERVICE_DIRECTORY, "stolen")),
      files.move(path("dir/a.md"), path("link/b.md")),
      files.stat(path("link/a.md")),
    ];
    for (const result of await Promise.allSettled(attempts)) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(ForbiddenError) as ForbiddenError });
    }
    expect(await readdir(outside)).toEqual(["a.md"]);
    expect(await readFile(join(outside, "a.md"), "utf8")).toBe(SECRET);
    expect(await readFile(join(root, "dir/a.md"), "utf8")).toBe(INSIDE);
  });

  it("moves a link inside a directory without following it", async () => {
    await symlink(outside, join(root, "dir/link"));
    await files.move(path("dir"), childOf(SERVICE_DIRECTORY, "taken"));
    expect(await readdir(outside)).toEqual(["a.md"]);
  });

  it(
    `never gets outside while a directory is swapped for a link for ${SWAP_MS} ms`,
    async () => {
      const swapper = spawn(process.execPath, [
        join(import.meta.dirname, "../../../testing/swap-link.mjs"),
        join(root, "dir"),
        join(root, "aside"),
        outside,
      ]);
      await once(swapper.stdout, "data");
      const counts = { done: 0, refused: 0 };
      const attempt = async (work: () => Promise<unknown>): Promise<void> => {
        try {
          expect(await work()).not.toBe(SECRET);
          counts.done += 1;
        } catch (error) {
          if (!(error instanceof DomainError) && !(error instanceof FileChangedError)) throw error;
          counts.refused += 1;
        }
      };
      const end = performance.now() + SWAP_MS;
      for (let round = 0; performance.now() < end; round += 1) {
        await Promise.all([
          attempt(() => read("dir/a.md")),
          attempt(() => write(`dir/w${round}.md`)),
          attempt(() => files.createDirectory(path(`dir/d${round}`))),
          attempt(async () => {
            const { entries } = await files.readDirectory(path("dir"));
            return entries.some(({ name, stat }) => name === "a.md" && stat.sizeBytes === SECRET.length)
              ? SECRET
              : null;
          }),
          attempt(() => files.move(path(`dir/w${round - 1}.md`), path(`dir/m${round}.md`))),
        ]);
      }
      swapper.stdin.end();
      const [swaps] = (await once(swapper.stdout, "data")) as [Buffer];
      expect(Number(swaps.toString())).toBeGreaterThan(100);
      expect(counts.done).toBeGreaterThan(0);
      expect(counts.refused).toBeGreaterThan(0);
      expect(await readdir(outside)).toEqual(["a.md"]);
      expect(await readFile(join(outside, "a.md"), "utf8")).toBe(SECRET);
    },
    SWAP_MS + 10_000,
  );

  it("rejects FIFOs, sockets and devices immediately, without opening them", async () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    const server = createServer().listen(join(root, "socket"));
    await once(server, "listening");
    const devices = tryCreateDevice(join(root, "device"));
    const started = performance.now();
    for (const name of ["fifo", "socket", ...devices]) {
      await expect(read(name)).rejects.toThrow(InvalidInputError);
      await expect(write(name)).rejects.toThrow(InvalidInputError);
      await expect(files.move(path(name), path("moved"))).rejects.toThrow(InvalidInputError);
      const hidden = childOf(SERVICE_DIRECTORY, "moved");
      await expect(files.move(path(name), hidden)).rejects.toThrow(InvalidInputError);
    }
    // Many at once must not exhaust the thread pool that other file operations need.
    const flood = Array.from({ length: 64 }, () => read("fifo").catch((error: unknown) => error));
    expect(await read("dir/a.md")).toBe(INSIDE);
    await Promise.all(flood);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await files.readDirectory(path(""))).entries.map(({ name }) => name)).toEqual(["dir"]);
    server.close();
  });

  it("rejects a file of 5 GB immediately", async () => {
    closeSync(openSync(join(root, "huge.bin"), "w"));
    await truncate(join(root, "huge.bin"), 5 * 1024 ** 3);
    const started = performance.now();
    await expect(read("huge.bin")).rejects.toThrow(TooLargeError);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("keeps composed and decomposed names apart on disk", async () => {
    await writeVaultFile(files, path("\u00e9.md"), Buffer.from("composed"), { expected: null });
    await writeVaultFile(files, path("e\u0301.md"), Buffer.from("decomposed"), { expected: null });
    expect(await read("\u00e9.md")).toBe("composed");
    expect(await read("e\u0301.md")).toBe("decomposed");
  });
});

/** Only root may create devices. */
function tryCreateDevice(devicePath: string): string[] {
  try {
    execFileSync("mknod", [devicePath, "c", "1", "5"], { stdio: "ignore" });
    return ["device"];
  } catch {
    return [];
  }
}
