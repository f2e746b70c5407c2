import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFailingCalls } from "../../../testing/failing-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { nodeFileSystemCalls, O_SYNC, type FileSystemCalls } from "./file-system-calls.ts";
import { writeNewFile } from "./new-file.ts";

const systemError = (code: string) => Object.assign(new Error(code), { code });

let root: string;
let path: string;
/** The attributes of a file owned by the user running the tests. */
let own: FileStat;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "vault-new-file-"));
  path = join(root, "new.md");
  await writeNewFile({ calls: nodeFileSystemCalls, path, content: Buffer.from(""), like: null });
  own = { ...toFileStat(await nodeFileSystemCalls.lstat(path)), mode: 0o646, mtimeNs: 1_000_000_000n * 86_400n };
  await rm(path);
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Calls that only record ownership changes. */
function watchOwners(refuse?: string) {
  const { calls, log } = createFailingCalls();
  const owners: string[] = [];
  const watched: FileSystemCalls = {
    ...calls,
    fchown: (_fd, uid, gid) => {
      log.push("fchown");
      owners.push(`${uid}:${gid}`);
      return refuse === undefined ? Promise.resolve() : Promise.reject(systemError(refuse));
    },
  };
  return { calls: watched, owners, log };
}

const write = (calls: FileSystemCalls, like: FileStat | null, keepsTime?: boolean) =>
  writeNewFile({ calls, path, content: Buffer.from("new"), like, ...(keepsTime !== undefined && { keepsTime }) });

describe("a new file", () => {
  it("gets the mode of another file, and its time only on request", async () => {
    await write(nodeFileSystemCalls, own);
    const first = await stat(path);
    expect(first.mode & 0o7777).toBe(0o646);
    expect(first.mtimeMs).not.toBe(86_400_000);
    await rm(path);
    await write(nodeFileSystemCalls, own, true);
    expect((await stat(path)).mtimeMs).toBe(86_400_000);
    await rm(path);
    await write(nodeFileSystemCalls, null, true);
    expect((await stat(path)).mtimeMs).not.toBe(86_400_000);
  });

  it("gets the owner of another file, if different, before it gets the mode", async () => {
    const { calls, owners, log } = watchOwners();
    // This is the mode that the file is created with anyway.
    const like = { ...own, mode: 0o600 };
    await write(calls, { ...like, uid: own.uid + 1 });
    await rm(path);
    await write(calls, { ...like, gid: own.gid + 1 });
    expect(owners).toEqual([`${own.uid + 1}:${own.gid}`, `${own.uid}:${own.gid + 1}`]);
    // Changing the owner clears some bits of the mode.
    expect(log.filter((name) => name.startsWith("fch"))).toEqual(["fchown", "fchmod", "fchown", "fchmod"]);
  });

  it("is not changed if it has the same attributes already", async () => {
    const { calls, log } = watchOwners();
    await write(calls, { ...own, mode: 0o600 });
    expect(log.filter((name) => name.startsWith("fch"))).toEqual([]);
  });

  it("tolerates being denied a change of owner, and is removed if that fails for another reason", async () => {
    const somebody = { ...own, uid: own.uid + 1 };
    await write(watchOwners("EPERM").calls, somebody);
    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).mode & 0o7777).toBe(0o646);
    await rm(path);
    await expect(write(watchOwners("EIO").calls, somebody)).rejects.toMatchObject({ code: "EIO" });
    expect(await readdir(root)).toEqual([]);
  });

  it("is synced after its content and attributes have been written", async () => {
    const { calls, log } = watchOwners();
    await write(calls, { ...own, uid: own.uid + 1 }, true);
    expect(log).toEqual(["open", "write", "fstat", "fchown", "fchmod", "futimes", "fsync", "fstat"]);
  });

  it.each([
    ["all at once", Buffer.from("new"), process.platform !== "linux"],
    ["without content", Buffer.from(""), true],
    [
      "in chunks",
      (async function* () {
        yield Buffer.from("new");
      })(),
      true,
    ],
  ])("is synced once, %s", async (_how, content, isCalled) => {
    const { calls, log } = createFailingCalls();
    let flags = 0;
    const open = (place: string, wanted: number, mode?: number) => calls.open(place, (flags = wanted), mode);
    await writeNewFile({ calls: { ...calls, open }, path, content, like: null });
    expect([(flags & O_SYNC) !== 0, log.includes("fsync")]).toEqual([!isCalled, isCalled]);
  });
});
