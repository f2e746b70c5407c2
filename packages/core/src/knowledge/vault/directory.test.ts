import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callsWithoutDescriptors } from "../../../testing/calls-without-descriptors.ts";
import { trackDescriptors } from "../../../testing/open-descriptors.ts";
import { ConflictError, ForbiddenError, NotFoundError, UnavailableError } from "../../platform/errors.ts";
import { createDirectoryOpener, syncDirectory, VaultMissingError } from "./directory.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "./file-system-calls.ts";
import { parseVaultPath, VAULT_ROOT } from "./vault-path.ts";

const path = (text: string) => parseVaultPath(text);
const systemError = (code: string) => Object.assign(new Error(code), { code });

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "vault-directory-"));
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "file"), "");
  await symlink("a", join(root, "link"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Calls that record what is created and synced, and which descriptors are open. */
function watch(calls: FileSystemCalls) {
  const tracked = trackDescriptors(calls);
  const log: string[] = [];
  const watched: FileSystemCalls = {
    ...tracked.calls,
    async mkdir(place, mode) {
      await calls.mkdir(place, mode);
      log.push("mkdir");
    },
    async fsync(fd) {
      await calls.fsync(fd);
      log.push("fsync");
    },
  };
  return { calls: watched, opened: tracked.open, log };
}

describe.each([
  ["by open descriptors", nodeFileSystemCalls],
  ["by paths, without descriptors", callsWithoutDescriptors],
])("a directory that is opened %s", (_how, realCalls) => {
  const openerOf = (calls: FileSystemCalls, assertRoot: () => void = () => undefined) =>
    createDirectoryOpener(calls, root, assertRoot);
  const open = (text: string, options?: { create: boolean }) => openerOf(realCalls).open(path(text), options);

  it("gives access to its entries, and has a key of its own", async () => {
    const [directory, same, other] = [await open("a"), await open("a"), await open("a/b")];
    expect((await nodeFileSystemCalls.lstat(directory.entry("b"))).isDirectory()).toBe(true);
    expect((await directory.stat()).kind).toBe("directory");
    expect(directory.key()).toBe(same.key());
    expect(directory.key()).not.toBe(other.key());
    expect((await open("")).key()).not.toBe(directory.key());
    for (const each of [directory, same, other]) each.release();
  });

  it("notices that it is no longer in place", async () => {
    const directory = await open("a/b");
    expect(await directory.isInPlace()).toBe(true);
    await rename(join(root, "a/b"), join(root, "a/c"));
    await mkdir(join(root, "a/b"));
    expect(await directory.isInPlace()).toBe(false);
    directory.release();
  });

  it("is forbidden for a link, and not found for a file or a missing entry", async () => {
    await expect(open("link")).rejects.toThrow(ForbiddenError);
    await expect(open("link/b")).rejects.toThrow(ForbiddenError);
    await expect(open("file")).rejects.toThrow(new NotFoundError("There is no such directory."));
    await expect(open("new")).rejects.toThrow(new NotFoundError("There is no such directory."));
    await expect(open("link", { create: true })).rejects.toThrow(ForbiddenError);
    await expect(open("file/x", { create: true })).rejects.toThrow(
      new ConflictError("A part of the path is a file, not a directory."),
    );
  });

  it("is created durably on request, with its parents", async () => {
    const { calls, log } = watch(realCalls);
    (await openerOf(calls).open(path("new/deep"), { create: true })).release();
    expect(log).toEqual(["mkdir", "fsync", "mkdir", "fsync"]);
    (await openerOf(calls).open(path("new/deep"), { create: true })).release();
    expect(log).toHaveLength(4);
  });

  it("is created once by many concurrent calls", async () => {
    const opener = openerOf(realCalls);
    const opened = await Promise.all(Array.from({ length: 20 }, () => opener.open(path("x/y/z"), { create: true })));
    expect(new Set(opened.map((directory) => directory.key())).size).toBe(1);
    for (const directory of opened) directory.release();
  });

  it("leaves no descriptor open, on success or failure", async () => {
    const { calls, opened } = watch(realCalls);
    const opener = openerOf(calls);
    (await opener.open(path("a/b"))).release();
    (await opener.open(VAULT_ROOT)).release();
    const synced = await opener.open(path("a"));
    await synced.sync();
    synced.release();
    for (const text of ["link", "link/b", "a/new", "file", "file/x"]) {
      await expect(opener.open(path(text))).rejects.toThrow();
    }
    const refuse = () => {
      throw new UnavailableError("not this one");
    };
    await expect(openerOf(calls, refuse).open(path("a"))).rejects.toThrow("not this one");
    expect([...opened.values()]).toEqual([]);
  });

  it("is unavailable if the root is missing or a file", async () => {
    await rm(root, { recursive: true });
    await expect(open("a")).rejects.toThrow(new VaultMissingError("The vault is not available."));
    await writeFile(root, "");
    await expect(open("", { create: true })).rejects.toThrow(VaultMissingError);
  });

  it.each(["EMFILE", "ENFILE"])("is not reported as missing if descriptors have run out: %s", async (code) => {
    const fail = () => Promise.reject(systemError(code));
    const calls = { ...realCalls, open: fail, lstat: fail };
    await expect(createDirectoryOpener(calls, root, () => undefined).open(path("a"))).rejects.toMatchObject({ code });
  });

  it("passes any other error through", async () => {
    const calls: FileSystemCalls = { ...realCalls, mkdir: () => Promise.reject(systemError("EROFS")) };
    await expect(openerOf(calls).open(path("new"), { create: true })).rejects.toMatchObject({ code: "EROFS" });
    const failOpen: FileSystemCalls = {
      ...realCalls,
      open: (place, flags, mode) =>
        place.endsWith("/a") ? Promise.reject(systemError("EIO")) : realCalls.open(place, flags, mode),
      lstat: (place) => (place.endsWith("/a") ? Promise.reject(systemError("EIO")) : realCalls.lstat(place)),
    };
    await expect(openerOf(failOpen).open(path("a"))).rejects.toMatchObject({ code: "EIO" });
  });
});

it("checks only once whether descriptors are supported", async () => {
  const checks: string[] = [];
  const calls: FileSystemCalls = {
    ...nodeFileSystemCalls,
    open: (place, flags, mode) => {
      if (place === "/proc/self/fd") checks.push(place);
      return nodeFileSystemCalls.open(place, flags, mode);
    },
  };
  const opener = createDirectoryOpener(calls, root, () => undefined);
  for (const text of ["a", "a/b"]) (await opener.open(path(text))).release();
  expect(checks).toHaveLength(1);
});

describe("a sync", () => {
  it.each([
    ["EINVAL", true],
    ["ENOTSUP", true],
    ["EIO", false],
  ])("that fails with %s counts as success: %s", async (code, isFine) => {
    const { calls, opened } = watch({ ...nodeFileSystemCalls, fsync: () => Promise.reject(systemError(code)) });
    const failure = await syncDirectory(calls, root).catch((error: unknown) => error);
    expect(failure === undefined).toBe(isFine);
    expect(opened.size).toBe(0);
  });
});
