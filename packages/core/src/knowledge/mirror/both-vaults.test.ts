import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { startS3Server, type TestStore } from "@workspace/object-store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PreconditionFailedError,
} from "../../platform/errors.ts";

/** What holds of a vault wherever it is. */
describe.each(["a folder", "a store"])("a vault in %s", (place) => {
  let store: TestStore | null = null;
  let vault: TestVault;

  beforeAll(async () => {
    if (place === "a store") store = await startS3Server();
    vault = await createTestVault({ store });
    await vault.vaultMirror.start();
  });
  afterAll(async () => {
    await vault.close();
    await store?.close();
  });

  const write = (path: string, content: string, how: { expectedHash?: string; createOnly?: boolean } = {}) =>
    vault.vault.write({ path, content, ...how }, vault.author);
  const find = async (path: string) => (await vault.documents.list({})).items.find((each) => each.path === path);
  const list = async (path: string) =>
    (await vault.vault.list(path, { isRecursive: false })).items.map(({ name, type }) => `${type} ${name}`);

  it("writes, reads and lists files", async () => {
    expect(await write("/notes/ä b.md", "# Ä\n")).toMatchObject({ created: true });
    const { contentHash } = await write("notes/ä b.md", "# B\n");
    expect(await vault.vault.read("notes/ä b.md")).toMatchObject({ content: "# B\n", contentHash });
    await write("notes/sub/x.md", "x");
    expect(await list("/")).toEqual(["directory notes"]);
    expect(await list("notes")).toEqual(["directory sub", "file ä b.md"]);
    expect(await vault.read("notes/ä b.md")).toBe("# B\n");
    expect(await find("notes/ä b.md")).toMatchObject({ title: "B", size: 4, contentHash });
  });

  it("refuses what cannot be done", async () => {
    await write("refused/a.md", "a");
    await expect(vault.vault.read("refused/none.md")).rejects.toThrow(NotFoundError);
    await expect(vault.vault.read("refused")).rejects.toThrow(InvalidInputError);
    await expect(write("refused", "x")).rejects.toThrow(InvalidInputError);
    await expect(write("refused/a.md/b.md", "x")).rejects.toThrow(ConflictError);
    await expect(write(".hidden", "x")).rejects.toThrow(ForbiddenError);
    await expect(vault.vault.createDirectory("refused")).rejects.toThrow(ConflictError);
    await expect(vault.vault.createDirectory("refused/a.md/b")).rejects.toThrow(ConflictError);
    await expect(vault.vault.list("refused/none", { isRecursive: false })).rejects.toThrow(NotFoundError);
    await expect(vault.vault.list("refused/a.md", { isRecursive: false })).rejects.toThrow(NotFoundError);
    await expect(vault.vault.rename("refused", "refused/in", vault.author)).rejects.toThrow(InvalidInputError);
    await expect(vault.vault.rename("refused/none", "x", vault.author)).rejects.toThrow(NotFoundError);
    await write("refused/taken.md", "t");
    await expect(vault.vault.rename("refused/a.md", "refused/taken.md", vault.author)).rejects.toThrow(ConflictError);
    expect(await vault.read("refused/a.md")).toBe("a");
  });

  it("writes only if the file is as expected", async () => {
    const { contentHash } = await write("expected.md", "one");
    await expect(write("expected.md", "x", { createOnly: true })).rejects.toThrow(ConflictError);
    await write("expected.md", "two", { expectedHash: contentHash });
    await expect(write("expected.md", "x", { expectedHash: contentHash })).rejects.toThrow(PreconditionFailedError);
    expect(await vault.read("expected.md")).toBe("two");
  });

  it("keeps earlier contents, and restores them", async () => {
    for (const content of ["one", "two", "three"]) await write("versions.md", content);
    const { id } = (await find("versions.md")) ?? { id: "" };
    const versions = await vault.documentVersions.list(id);
    const contents = await Promise.all(
      versions.map(async (each) => (await vault.documentVersions.open(id, each.id)).content),
    );
    expect(contents.toSorted()).toEqual(["one", "two"]);
    const first = versions[contents.indexOf("one")]?.id ?? "";
    await vault.documentVersions.restore({ id, versionId: first }, vault.author);
    expect(await vault.read("versions.md")).toBe("one");
  });

  it("renames files and directories with their documents", async () => {
    await write("old/a.md", "a [[b]]");
    await write("old/deep/b.md", "b");
    const before = await find("old/deep/b.md");
    await vault.vault.rename("old", "new", vault.author);
    expect(await find("new/deep/b.md")).toMatchObject({ id: before?.id });
    expect(await list("new")).toEqual(["directory deep", "file a.md"]);
    await expect(vault.vault.list("old", { isRecursive: false })).rejects.toThrow(NotFoundError);
    await vault.vault.rename("new/deep/b.md", "new/c.md", vault.author);
    expect(await find("new/c.md")).toMatchObject({ id: before?.id });
    expect(await list("new/deep")).toEqual([]);
  });

  it("has directories without files", async () => {
    await vault.vault.createDirectory("empty/inner");
    expect(await list("empty")).toEqual(["directory inner"]);
    await vault.vault.rename("empty", "renamed", vault.author);
    expect(await list("renamed")).toEqual(["directory inner"]);
    await vault.vault.delete("renamed");
    await expect(vault.vault.list("renamed", { isRecursive: false })).rejects.toThrow(NotFoundError);
  });

  it("keeps what is deleted in the trash, and restores it byte for byte", async () => {
    const bytes = randomBytes(3_000_000);
    await vault.vault.writeStream("gone/photo.jpg", {
      content: toChunks(bytes),
      creatorId: vault.userId,
      author: null,
    });
    await write("gone/note.md", "---\nodd: [1\n---\nNote\r\n");
    const [photo, note] = [await find("gone/photo.jpg"), await find("gone/note.md")];
    await vault.vault.delete("gone");
    await expect(vault.vault.read("gone/note.md")).rejects.toThrow(NotFoundError);
    await vault.documents.restore(note?.id ?? "");
    await vault.documents.restore(photo?.id ?? "");
    expect(await vault.read("gone/note.md")).toBe("---\nodd: [1\n---\nNote\r\n");
    const { file, contentHash } = await vault.vault.openStream("gone/photo.jpg");
    expect(contentHash).toBe(photo?.contentHash);
    expect((await file.readAll(bytes.length)).equals(bytes)).toBe(true);
    expect((await file.readAt(2_000_000, 5)).equals(bytes.subarray(2_000_000, 2_000_005))).toBe(true);
    const streamed = await buffer(file.stream({ start: 1_000_000, length: 1_500_000 }));
    expect(streamed.equals(bytes.subarray(1_000_000, 2_500_000))).toBe(true);

    await write("taken.md", "first");
    const taken = await find("taken.md");
    await vault.documents.delete(taken?.id ?? "");
    await write("taken.md", "second");
    await expect(vault.documents.restore(taken?.id ?? "")).rejects.toThrow(ConflictError);
  });

  it("removes what is in the trash for good", async () => {
    // Of a binary file, nothing is in the database.
    const content = Buffer.from([0, 1, 2]);
    await vault.vault.writeStream("discarded/a.bin", { content, creatorId: vault.userId, author: null });
    const document = await find("discarded/a.bin");
    await vault.vault.delete("discarded");
    const before = new Date(vault.clock.now().getTime() + 60_000);
    expect(await vault.oldTrash.removeBefore(before, new AbortController().signal)).toBeGreaterThan(0);
    expect(await vault.oldTrash.removeBefore(before, new AbortController().signal)).toBe(0);
    await expect(vault.documents.restore(document?.id ?? "")).rejects.toThrow(NotFoundError);
  });

  it("follows what other programs do", async () => {
    await vault.writeOutside("outside/a.md", "# Made elsewhere\n");
    await eventually(async () => (await find("outside/a.md"))?.title === "Made elsewhere");
    const { id } = (await find("outside/a.md")) ?? { id: "" };
    await vault.writeOutside("outside/a.md", "# Changed elsewhere\n");
    await eventually(async () => (await find("outside/a.md"))?.title === "Changed elsewhere");
    expect(await find("outside/a.md")).toMatchObject({ id });
    await vault.writeOutside("outside/moved.md", "# Changed elsewhere\n");
    await vault.removeOutside("outside/a.md");
    await eventually(async () => (await find("outside/a.md")) === undefined);
    await vault.removeOutside("outside/moved.md");
    await eventually(async () => (await find("outside/moved.md")) === undefined);
  });

  it("lets processes write at the same time without losing anything", async () => {
    const other = await vault.another();
    await write("both.md", "0\n");
    const append = async (services: Pick<TestVault, "vault">, line: string): Promise<void> => {
      for (;;) {
        const { content, contentHash } = await services.vault.read("both.md");
        try {
          await services.vault.write(
            { path: "both.md", content: `${content}${line}\n`, expectedHash: contentHash },
            vault.author,
          );
          return;
        } catch (error) {
          if (!(error instanceof PreconditionFailedError)) throw error;
        }
      }
    };
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line, index) => append(index % 2 === 0 ? vault : other, line)));
    expect((await vault.read("both.md")).trim().split("\n").toSorted()).toEqual(["0", ...lines].toSorted());
    const created = await Promise.allSettled(
      [vault, other].map(({ vault: service }, index) =>
        service.write({ path: "one.md", content: String(index), createOnly: true }, vault.author),
      ),
    );
    expect(created.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

async function* toChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 700_000) yield bytes.subarray(start, start + 700_000);
}
