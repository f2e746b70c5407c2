import { execFileSync } from "node:child_process";
import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { nodeFileSystemCalls } from "../vault/file-system-calls.ts";
import { MAX_DEPTH } from "../vault/vault-path.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault();
});
afterAll(() => vault.close());

const write = (path: string, content = "") => vault.vault.write({ path, content }, vault.author);
const idAt = async (path: string) => {
  const { items } = await vault.documents.list({});
  return items.find((document) => document.path === path)?.id;
};

describe("the file system", () => {
  it("writes and reads files, reports whether they are new, and returns paths as they were given", async () => {
    expect(await write("/notes/a.md", "# Ä\n")).toMatchObject({ path: "/notes/a.md", created: true });
    expect(await write("notes/a.md", "# B\n")).toMatchObject({ path: "notes/a.md", created: false });
    expect(await vault.vault.read("notes/a.md")).toMatchObject({ path: "notes/a.md", content: "# B\n" });
    expect(await idAt("notes/a.md")).toBeDefined();
  });

  it("creates nothing with control characters in its name, but works with existing files that have them", async () => {
    for (const name of ["new\nline.md", "return\r.md", "bell\u0007/in.md", "c1\u0085.md"]) {
      await expect(write(name)).rejects.toThrow(InvalidInputError);
      await expect(vault.vault.createDirectory(name)).rejects.toThrow(InvalidInputError);
      await expect(vault.vault.rename("notes/a.md", name, vault.author)).rejects.toThrow(InvalidInputError);
    }
    await mkdir(vault.at("old\ndirectory"));
    await writeFile(vault.at("old\ndirectory/old\n.md"), "old");
    expect(await vault.vault.read("old\ndirectory/old\n.md")).toMatchObject({ content: "old" });
    expect(await write("old\ndirectory/old\n.md", "changed")).toMatchObject({ created: false });
    expect(await write("old\ndirectory/plain.md")).toMatchObject({ created: true });
    await vault.vault.rename("old\ndirectory/old\n.md", "old.md", vault.author);
    expect(await vault.vault.read("old.md")).toMatchObject({ content: "changed" });
  });

  it("lists directories first, then alphabetically, without hidden names", async () => {
    for (const path of ["list/b.md", "list/A.md", "list/z/inner.md", "list/Y/x.md"]) await write(path);
    await mkdir(vault.at("list/.git"));
    await writeFile(vault.at("list/.env"), "");
    await symlink("b.md", vault.at("list/link.md"));
    const { items: entries } = await vault.vault.list("/list", { isRecursive: false });
    expect(entries.map(({ name, path, type }) => [name, path, type])).toEqual([
      ["Y", "/list/Y", "directory"],
      ["z", "/list/z", "directory"],
      ["A.md", "/list/A.md", "file"],
      ["b.md", "/list/b.md", "file"],
    ]);
    expect(entries[0]).not.toHaveProperty("children");
    const [deep] = (await vault.vault.list("list", { isRecursive: true })).items;
    expect(deep?.children?.map(({ path }) => path)).toEqual(["/list/Y/x.md"]);
    await expect(vault.vault.list("/nothing", { isRecursive: false })).rejects.toThrow(NotFoundError);
    await expect(vault.vault.list("/list/b.md", { isRecursive: false })).rejects.toThrow(NotFoundError);
  });

  it("lists directories that are unreadable or too deep without their contents", async () => {
    await mkdir(vault.at("deep/".repeat(250)), { recursive: true });
    let depth = 0;
    for (
      let [entry] = (await vault.vault.list("deep", { isRecursive: true })).items;
      entry !== undefined;
      [entry] = entry.children ?? []
    )
      depth += 1;
    expect(depth).toBe(MAX_DEPTH - 1);

    const barred = await createTestVault({
      fileSystem: {
        ...nodeFileSystemCalls,
        async readdir(path) {
          if ((await realpath(path)).endsWith("/barred")) throw Object.assign(new Error("barred"), { code: "EACCES" });
          return nodeFileSystemCalls.readdir(path);
        },
      },
    });
    try {
      await mkdir(barred.at("barred/inner"), { recursive: true });
      expect((await barred.vault.list("", { isRecursive: true })).items).toMatchObject([
        { name: "barred", children: [] },
      ]);
      await expect(barred.vault.list("barred", { isRecursive: true })).rejects.toThrow(ForbiddenError);
    } finally {
      await barred.close();
    }
  });

  it("preserves a document's id when its file or a parent directory is renamed", async () => {
    await write("old/deep/name.md", "text");
    const id = await idAt("old/deep/name.md");
    await vault.vault.rename("/old", "/new", vault.author);
    expect(await idAt("new/deep/name.md")).toBe(id);
    await vault.vault.rename("new/deep/name.md", "new/other/renamed.txt", vault.author);
    expect(await idAt("new/other/renamed.txt")).toBe(id);
    const opened = await vault.documents.open(id ?? "");
    expect(opened.document).toMatchObject({ title: "renamed", fileType: "text" });
    expect(await vault.vault.move("new/other/renamed.txt", "/new", vault.author)).toEqual({
      oldPath: "new/other/renamed.txt",
      newPath: "/new/renamed.txt",
      moved: true,
    });
    expect(await idAt("new/renamed.txt")).toBe(id);
  });

  it("rejects moves as the contract specifies", async () => {
    await write("m/a.md");
    await write("m/b.md");
    await write("m/dir/a.md");
    const { vault: fs, author } = vault;
    await expect(fs.rename("m/a.md", "m/b.md", author)).rejects.toThrow(ConflictError);
    await expect(fs.rename("m/none.md", "m/c.md", author)).rejects.toThrow(NotFoundError);
    await expect(fs.rename("m/a.md", "../c.md", author)).rejects.toThrow(ForbiddenError);
    await expect(fs.rename("/", "m/c", author)).rejects.toThrow(InvalidInputError);
    await expect(fs.rename("m", "m/inner", author)).rejects.toThrow(InvalidInputError);
    await expect(fs.move("m/a.md", "m/b.md", author)).rejects.toThrow(InvalidInputError);
    await expect(fs.move("m/a.md", "m/dir", author)).rejects.toThrow(ConflictError);
    await expect(fs.move("m/a.md", "m/none", author)).rejects.toThrow(NotFoundError);
    await expect(fs.move("m/none", "m/dir", author)).rejects.toThrow(NotFoundError);
    await expect(fs.move("m", "m/dir", author)).rejects.toThrow(InvalidInputError);
    await expect(fs.move("/", "m/dir", author)).rejects.toThrow(InvalidInputError);
    await expect(fs.delete("/")).rejects.toThrow(InvalidInputError);
    await expect(fs.delete("m/none")).rejects.toThrow(NotFoundError);
    expect(await vault.names()).toEqual(expect.arrayContaining(["m/a.md", "m/b.md", "m/dir/a.md"]));
  });

  it("creates directories, and rejects existing ones", async () => {
    expect(await vault.vault.createDirectory("/made/deep")).toEqual({ path: "/made/deep", created: true });
    await expect(vault.vault.createDirectory("made/deep")).rejects.toThrow(ConflictError);
    await expect(vault.vault.createDirectory("/")).rejects.toThrow(ConflictError);
  });

  it("refers to the raw endpoint for files that are not text", async () => {
    await writeFile(vault.at("raw.bin"), Buffer.from([0xff, 0xfe]));
    await expect(vault.vault.read("raw.bin")).rejects.toThrow("/api/fs/raw");
    await expect(vault.vault.read("made")).rejects.toThrow(InvalidInputError);
  });

  it("assigns a path to the file that is there now, even if the mirror lags behind", async () => {
    await write("stale/a.md", "a");
    await write("stale/b.md", "b");
    const id = await idAt("stale/a.md");
    execFileSync("rm", [vault.at("stale/b.md")]);
    await vault.vault.rename("stale/a.md", "stale/b.md", vault.author);
    expect(await idAt("stale/b.md")).toBe(id);
  });

  it("moves deleted directories to the trash completely, including hidden files", async () => {
    await write("whole/a.md", "a");
    await writeFile(vault.at("whole/.hidden"), "h");
    await vault.vault.delete("whole");
    expect(await vault.names()).not.toContain("whole");
    const label = execFileSync("sh", ["-c", `grep -l whole ${vault.root}/.workspace/trash/*/label.json`])
      .toString()
      .trim();
    expect(await readFile(label.replace("label.json", "content/.hidden"), "utf8")).toBe("h");
  });

  it("publishes every change after it has been made", async () => {
    vault.changes.length = 0;
    await write("events.md", "1");
    await write("events.md", "2");
    await vault.vault.rename("events.md", "events2.md", vault.author);
    await vault.vault.delete("events2.md");
    expect(vault.changes.map(({ resource, action }) => `${resource}:${action}`)).toEqual([
      "document:create",
      "document:edit",
      "document:edit",
      "document:delete",
    ]);
  });
});
