import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile, mkdir, chmod, link } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callsWithoutDescriptors } from "../../../testing/calls-without-descriptors.ts";
import { writeVaultFile } from "../../../testing/write-vault-file.ts";
import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  TooLargeError,
  UnavailableError,
} from "../../platform/errors.ts";
import { FileChangedError } from "./durable-write.ts";
import { nodeFileSystemCalls } from "./file-system-calls.ts";
import { createFolderFiles, type FolderFiles } from "./folder-files.ts";
import { childOf, parseVaultPath, SERVICE_DIRECTORY, VAULT_ROOT } from "./vault-path.ts";

const WRITER_ID = "0196f3a0-0000-7000-8000-000000000000";
const path = (text: string) => parseVaultPath(text);

describe.each([
  ["by open descriptors", nodeFileSystemCalls],
  ["by paths, without descriptors", callsWithoutDescriptors],
])("vault files, accessed %s", (_how, calls) => {
  let base: string;
  let root: string;
  let store: string;
  let files: FolderFiles;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "vault-files-"));
    root = join(base, "vault");
    store = join(base, "store");
    await mkdir(root);
    await mkdir(store);
    files = createFolderFiles({ rootPath: root, calls, writerId: WRITER_ID });
  });

  afterEach(() => rm(base, { recursive: true, force: true }));

  const write = async (name: string, text: string, keepAt: string | null = null) =>
    writeVaultFile(files, path(name), Buffer.from(text), { expected: await files.stat(path(name)), keepAt });
  const read = async (name: string) => {
    const file = await files.openFile(path(name));
    try {
      return (await file.readAll(1_000_000)).toString();
    } finally {
      file.release();
    }
  };
  const allNames = async (directory = root) => (await readdir(directory, { recursive: true })).toSorted();

  it("writes a file, creating its parents, and reads it back", async () => {
    const written = await write("notes/2026/a.md", "hello");
    expect(await read("notes/2026/a.md")).toBe("hello");
    expect(await files.stat(path("notes/2026/a.md"))).toMatchObject({
      kind: "file",
      inode: written.inode,
      sizeBytes: 5,
    });
    expect(await allNames()).toEqual(["notes", "notes/2026", "notes/2026/a.md"]);
  });

  it("overwrites a file, keeping its mode and leaving nothing behind", async () => {
    await write("a.sh", "one");
    await chmod(join(root, "a.sh"), 0o750);
    await write("a.sh", "two");
    expect(await read("a.sh")).toBe("two");
    expect((await stat(join(root, "a.sh"))).mode & 0o7777).toBe(0o750);
    expect(await allNames()).toEqual(["a.sh"]);
  });

  it("keeps the exact bytes of the replaced file on request", async () => {
    await write("a.md", "one");
    await write("a.md", "two", join(store, "v1"));
    expect(await readFile(join(store, "v1"), "utf8")).toBe("one");
    expect(await allNames()).toEqual(["a.md"]);
  });

  it("keeps a copy if the replaced file has other hard links, through which it could still be changed", async () => {
    await write("a.md", "one");
    await link(join(root, "a.md"), join(root, "b.md"));
    await write("a.md", "two", join(store, "v1"));
    await writeFile(join(root, "b.md"), "in place");
    expect(await readFile(join(store, "v1"), "utf8")).toBe("one");
  });

  it("leaves content that is kept already alone", async () => {
    await writeFile(join(store, "v1"), "one");
    const before = await stat(join(store, "v1"));
    await write("a.md", "one");
    await write("a.md", "two", join(store, "v1"));
    expect((await stat(join(store, "v1"))).ino).toBe(before.ino);
    expect(await allNames()).toEqual(["a.md"]);
  });

  it("refuses to replace a file that another program has changed, created or removed meanwhile", async () => {
    await write("a.md", "one");
    const seen = await files.stat(path("a.md"));
    await writeFile(join(root, "a.md"), "outside");
    const attempt = (name: string, expected: typeof seen) =>
      writeVaultFile(files, path(name), Buffer.from("mine"), { expected, keepAt: join(store, "v") });
    await expect(attempt("a.md", seen)).rejects.toThrow(FileChangedError);
    await expect(attempt("a.md", null)).rejects.toThrow(FileChangedError);
    expect(await read("a.md")).toBe("outside");
    await rm(join(root, "a.md"));
    await expect(attempt("a.md", seen)).rejects.toThrow(FileChangedError);
    expect(await allNames()).toEqual([]);
    expect(await readdir(store)).toEqual([]);
  });

  it("streams content to disk and a range of it back", async () => {
    async function* chunks() {
      for (let index = 0; index < 100; index += 1) yield Buffer.alloc(10_000, index);
      await Promise.resolve();
    }
    await writeVaultFile(files, path("big.bin"), chunks(), { expected: null });
    const file = await files.openFile(path("big.bin"));
    const received: Buffer[] = [];
    for await (const chunk of file.stream({ start: 19_999, length: 2 })) received.push(chunk as Buffer);
    expect(Buffer.concat(received)).toEqual(Buffer.from([1, 2]));
  });

  it("leaves nothing behind of an interrupted upload", async () => {
    await write("a.bin", "old");
    async function* broken() {
      yield Buffer.from("new");
      await Promise.resolve();
      throw new Error("the client went away");
    }
    await expect(
      writeVaultFile(files, path("a.bin"), broken(), { expected: await files.stat(path("a.bin")) }),
    ).rejects.toThrow("the client went away");
    expect(await read("a.bin")).toBe("old");
    expect(await allNames()).toEqual(["a.bin"]);
  });

  it("lists files and directories only", async () => {
    await write("b.md", "b");
    await write("dir/c.md", "c");
    await writeFile(join(root, ".hidden"), "");
    await writeFile(join(root, `.workspace-${WRITER_ID}-1.tmp`), "");
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), "");
    await symlink("b.md", join(root, "link.md"));
    const { entries, leftovers } = await files.readDirectory(VAULT_ROOT);
    expect(entries.map(({ name, stat: { kind } }) => [name, kind]).toSorted()).toEqual([
      ["b.md", "file"],
      ["dir", "directory"],
    ]);
    expect(leftovers).toEqual([{ writerId: WRITER_ID, name: `.workspace-${WRITER_ID}-1.tmp` }]);
    await files.removeLeftover(VAULT_ROOT, `.workspace-${WRITER_ID}-1.tmp`);
    expect(await readdir(root)).not.toContain(`.workspace-${WRITER_ID}-1.tmp`);
  });

  it("moves files and directories, but never replaces anything", async () => {
    await write("a.md", "a");
    await write("b.md", "b");
    await write("dir/c.md", "c");
    await mkdir(join(root, "empty"));
    await expect(files.move(path("a.md"), path("b.md"))).rejects.toThrow(ConflictError);
    await expect(files.move(path("dir"), path("empty"))).rejects.toThrow(ConflictError);
    await expect(files.move(path("dir"), path("a.md"))).rejects.toThrow(ConflictError);
    await expect(files.move(path("a.md"), path("a.md"))).rejects.toThrow(ConflictError);
    await expect(files.move(path("nothing"), path("x"))).rejects.toThrow(NotFoundError);
    await expect(files.move(path("dir"), path("dir/inner"))).rejects.toThrow(InvalidInputError);
    await expect(files.move(VAULT_ROOT, path("x"))).rejects.toThrow(InvalidInputError);
    await files.move(path("a.md"), path("new/place/a2.md"));
    await files.move(path("dir"), path("new/dir"));
    expect(await allNames()).toEqual([
      "b.md",
      "empty",
      "new",
      "new/dir",
      "new/dir/c.md",
      "new/place",
      "new/place/a2.md",
    ]);
  });

  it("creates no directories for a move whose source is missing", async () => {
    await expect(files.move(path("nothing"), path("new/place/x"))).rejects.toThrow(NotFoundError);
    expect(await allNames()).toEqual([]);
  });

  it("moves a directory into the service's folder and back, preserving bytes, modes and hidden files", async () => {
    await write("dir/a.bin", "\u0000\u0001");
    await chmod(join(root, "dir/a.bin"), 0o604);
    await writeFile(join(root, "dir/.hidden"), "h");
    const hidden = childOf(SERVICE_DIRECTORY, "dir");
    await files.move(path("dir"), hidden);
    expect((await files.readDirectory(VAULT_ROOT)).entries).toEqual([]);
    expect((await stat(join(root, SERVICE_DIRECTORY))).mode & 0o7777).toBe(0o700);
    await files.move(hidden, path("back/dir"));
    expect(await allNames()).toEqual([".workspace", "back", "back/dir", "back/dir/.hidden", "back/dir/a.bin"]);
    expect((await stat(join(root, "back/dir/a.bin"))).mode & 0o7777).toBe(0o604);
    await write("taken", "");
    await expect(files.move(path("back/dir/a.bin"), path("taken"))).rejects.toThrow(ConflictError);
  });

  it("rejects directories in place of files, and vice versa, as the contract specifies", async () => {
    await write("dir/a.md", "a");
    await expect(files.openFile(path("dir"))).rejects.toThrow(InvalidInputError);
    await expect(files.openFile(VAULT_ROOT)).rejects.toThrow(InvalidInputError);
    await expect(files.openFile(path("nothing.md"))).rejects.toThrow(NotFoundError);
    await expect(files.openFile(path("dir/a.md/b"))).rejects.toThrow(NotFoundError);
    await expect(files.readDirectory(path("dir/a.md"))).rejects.toThrow(NotFoundError);
    await expect(write("dir", "x")).rejects.toThrow(InvalidInputError);
    await expect(write("dir/a.md/b.md", "x")).rejects.toThrow(ConflictError);
    await expect(files.createDirectory(path("dir"))).rejects.toThrow(ConflictError);
    await expect(files.createDirectory(path("dir/a.md"))).rejects.toThrow(ConflictError);
    await files.createDirectory(path("one/two/three"));
    expect((await files.stat(path("one/two/three")))?.kind).toBe("directory");
  });

  it("does not read beyond the limit", async () => {
    await write("a.md", "12345");
    const file = await files.openFile(path("a.md"));
    await expect(file.readAll(4)).rejects.toThrow(TooLargeError);
    file.release();
  });

  it("is unavailable if the root is missing", async () => {
    await rm(root, { recursive: true });
    await expect(files.stat(path("a.md"))).rejects.toThrow(UnavailableError);
    await expect(write("a.md", "x")).rejects.toThrow(UnavailableError);
    await expect(files.readDirectory(VAULT_ROOT)).rejects.toThrow(UnavailableError);
  });
});
