import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PreconditionFailedError,
  TooLargeError,
} from "../../platform/errors.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault();
});
afterAll(() => vault.close());

const write = (path: string, content: string, options: { expectedHash?: string; createOnly?: boolean } = {}) =>
  vault.vault.write({ path, content, ...options }, vault.author);
const open = (path: string) => vault.documents.openByPath(path, vault.userId);
const idOf = async (path: string) => (await open(path)).document.id;

describe.each(["foo: &a [*a]", "foo: &a {b: *a}", "title: &a [*a]"])("a note with the frontmatter %j", (yaml) => {
  const text = `---\n${yaml}\n---\nOld\n`;

  it("is opened as text, and can be edited and repaired", async () => {
    await write("/cycle.md", text);
    const opened = await open("/cycle.md");
    expect(JSON.parse(JSON.stringify(opened))).toMatchObject({
      metadata: {},
      body: text,
      document: { title: "cycle" },
    });
    const { id } = opened.document;
    const titled = await vault.documents.update({ id, title: "Titled" }, vault.author);
    expect(JSON.parse(JSON.stringify(titled))).toMatchObject({ metadata: { title: "Titled" }, body: text });
    const changed = await vault.documents.update({ id, body: "New\n" }, vault.author);
    expect(JSON.parse(JSON.stringify(changed))).toMatchObject({ metadata: { title: "Titled" }, body: "New\n" });
    expect(await readFile(vault.at("cycle.md"), "utf8")).toBe("---\ntitle: Titled\n---\nNew\n");
  });
});

describe("opening by path", () => {
  it("creates the document of a file that has none yet, and finds it again", async () => {
    await writeFile(vault.at("by-path.md"), "---\ntitle: Mine\ntags: [a, b]\nextra: 1\n---\n# Other\n");
    const first = await open("/by-path.md");
    expect(first).toMatchObject({
      document: {
        title: "Mine",
        path: "by-path.md",
        fileType: "markdown",
        tags: ["a", "b"],
        shared: false,
        shareType: null,
      },
      metadata: { title: "Mine", tags: ["a", "b"], extra: 1 },
      body: "# Other\n",
    });
    expect((await open("by-path.md")).document.id).toBe(first.document.id);
  });

  it("notices an edit on disk and keeps the id", async () => {
    await writeFile(vault.at("edited.md"), "# One\n");
    const before = await open("edited.md");
    await writeFile(vault.at("edited.md"), "# Two\n");
    const after = await open("edited.md");
    expect(after.document).toMatchObject({ id: before.document.id, title: "Two" });
    expect(after.document.contentHash).not.toBe(before.document.contentHash);
  });

  it("keeps id and sharing of a file that has just been moved on disk", async () => {
    await writeFile(vault.at("before.md"), "moving");
    const { document } = await open("before.md");
    await vault.documentSharing.setSharing({ id: document.id, shared: true, shareType: "public" });
    await rename(vault.at("before.md"), vault.at("after.md"));
    expect((await open("after.md")).document).toMatchObject({ id: document.id, shared: true, path: "after.md" });
  });

  it("returns text and binary files according to their type", async () => {
    await writeFile(vault.at("plain.txt"), "just text");
    await writeFile(vault.at("image.png"), Buffer.from([0x89, 0x50, 0, 1]));
    expect(await open("plain.txt")).toMatchObject({
      document: { fileType: "text", title: "plain" },
      metadata: { title: "plain", tags: [] },
      body: "just text",
    });
    expect(await open("image.png")).toMatchObject({
      document: { fileType: "binary", title: "image" },
      metadata: { title: "image" },
      body: "",
    });
  });

  it("treats a broken frontmatter block as text", async () => {
    await writeFile(vault.at("broken.md"), "---\ntitle: [oops\n---\n# Still here\n");
    expect(await open("broken.md")).toMatchObject({
      document: { title: "Still here" },
      metadata: {},
      body: "---\ntitle: [oops\n---\n# Still here\n",
    });
  });

  it("throws for a missing file, a directory, and a path outside the vault", async () => {
    await mkdir(vault.at("folder"), { recursive: true });
    await expect(open("nothing.md")).rejects.toThrow(NotFoundError);
    await expect(open("folder")).rejects.toThrow(InvalidInputError);
    await expect(open("../x.md")).rejects.toThrow(ForbiddenError);
  });
});

describe("updating", () => {
  it("changes the given fields in the file and no other byte", async () => {
    await writeFile(vault.at("fields.md"), "---\r\n# about\r\ntitle: Old # t\r\ndate: 2026-01-31\r\n---\r\nbody\r\n");
    const updated = await vault.documents.update(
      { id: await idOf("fields.md"), title: "New", tags: ["x", " x ", ""] },
      vault.author,
    );
    expect(updated).toMatchObject({
      document: { title: "New", tags: ["x"] },
      metadata: { title: "New", date: "2026-01-31" },
    });
    expect(await vault.read("fields.md")).toBe(
      "---\r\n# about\r\ntitle: New # t\r\ndate: 2026-01-31\r\ntags: [x]\r\n---\r\nbody\r\n",
    );
  });

  it("sets and removes other fields of Markdown frontmatter", async () => {
    await writeFile(vault.at("fields.md"), "---\nstatus: open # now\nrating: 1\n---\nbody");
    const id = await idOf("fields.md");
    const { metadata } = await vault.documents.update(
      { id, fields: { status: "done", rating: null, stars: 5 } },
      vault.author,
    );
    expect(metadata).toEqual({ status: "done", stars: 5 });
    expect(await vault.read("fields.md")).toBe("---\nstatus: done # now\nstars: 5\n---\nbody");
    await writeFile(vault.at("fields.txt"), "text");
    await expect(
      vault.documents.update({ id: await idOf("fields.txt"), fields: { a: "b" } }, vault.author),
    ).rejects.toThrow(InvalidInputError);
  });

  it("replaces only the body", async () => {
    await writeFile(vault.at("body.md"), "\ufeff---\ntitle: T\n---\nold");
    const { body } = await vault.documents.update({ id: await idOf("body.md"), body: "new\n" }, vault.author);
    expect(body).toBe("new\n");
    expect(await vault.read("body.md")).toBe("\ufeff---\ntitle: T\n---\nnew\n");
  });

  it("accepts an id in either case, and returns the file's own modification time", async () => {
    await writeFile(vault.at("case.md"), "old");
    const id = await idOf("case.md");
    await vault.documents.update({ id: id.toUpperCase(), body: "new" }, vault.author);
    expect(await vault.read("case.md")).toBe("new");
    await vault.documentSharing.setSharing({ id, shared: true });
    expect((await vault.documentSharing.open(id.toUpperCase(), null)).content).toBe("new");
    const { modifiedAt } = await vault.vault.write({ path: "case.md", content: "newer" }, vault.author);
    expect(modifiedAt).toBe((await vault.vault.read("case.md")).modifiedAt);
    expect((await vault.documents.open(id)).document.modifiedAt).toBe(modifiedAt);
  });

  it("rejects a body that would make the file too large to be opened again", async () => {
    await writeFile(vault.at("large.md"), "---\ntitle: T\n---\nold");
    const id = await idOf("large.md");
    await expect(vault.documents.update({ id, body: "x".repeat(32 * 1024 * 1024) }, vault.author)).rejects.toThrow(
      TooLargeError,
    );
    expect((await open("large.md")).body).toBe("old");
  });

  it("does not take the title from a comment", async () => {
    await writeFile(vault.at("comment.md"), "<!--\n# one\n-->\n<!-- # two -->\n# Three\n");
    expect((await open("comment.md")).document.title).toBe("Three");
  });

  it("keeps title and tags of a text file in the database", async () => {
    await writeFile(vault.at("notes.txt"), "text");
    const id = await idOf("notes.txt");
    await vault.documents.update({ id, title: "Named", tags: ["t"] }, vault.author);
    await writeFile(vault.at("notes.txt"), "changed outside");
    expect(await open("notes.txt")).toMatchObject({
      metadata: { title: "Named", tags: ["t"] },
      body: "changed outside",
    });
    await vault.documents.update({ id, body: "changed here" }, vault.author);
    expect(await vault.read("notes.txt")).toBe("changed here");
    expect((await open("notes.txt")).document.title).toBe("Named");
  });

  it("changes sharing and project without touching the file", async () => {
    await writeFile(vault.at("shared.md"), "content");
    const before = await stat(vault.at("shared.md"));
    const id = await idOf("shared.md");
    expect((await vault.documents.update({ id, shared: true }, vault.author)).document).toMatchObject({
      shared: true,
      shareType: null,
    });
    expect((await vault.documents.update({ id, shareType: "public" }, vault.author)).document).toMatchObject({
      shareType: "public",
    });
    await expect(vault.documents.update({ id, projectId: "nope" }, vault.author)).rejects.toThrow(InvalidInputError);
    expect((await stat(vault.at("shared.md"))).mtimeMs).toBe(before.mtimeMs);
  });

  it("rejects binary, deleted and unknown documents, and invalid text", async () => {
    await writeFile(vault.at("data.bin"), Buffer.from([0, 1, 2]));
    await expect(vault.documents.update({ id: await idOf("data.bin"), title: "x" }, vault.author)).rejects.toThrow(
      InvalidInputError,
    );
    await writeFile(vault.at("latin1.md"), Buffer.from([0x23, 0x20, 0xe9]));
    await expect(vault.documents.update({ id: await idOf("latin1.md"), body: "x" }, vault.author)).rejects.toThrow(
      InvalidInputError,
    );
    expect(await readFile(vault.at("latin1.md"))).toEqual(Buffer.from([0x23, 0x20, 0xe9]));
    await expect(vault.documents.update({ id: "nope", title: "x" }, vault.author)).rejects.toThrow(NotFoundError);
    await writeFile(vault.at("gone.md"), "x");
    const id = await idOf("gone.md");
    await vault.documents.delete(id);
    await expect(vault.documents.update({ id, title: "x" }, vault.author)).rejects.toThrow(InvalidInputError);
  });

  it("writes nothing if the file is not the one that was read", async () => {
    await writeFile(vault.at("conflict.md"), "one");
    const { document } = await open("conflict.md");
    await writeFile(vault.at("conflict.md"), "outside");
    const update = { id: document.id, body: "mine", expectedHash: document.contentHash };
    await expect(vault.documents.update(update, vault.author)).rejects.toThrow(PreconditionFailedError);
    expect(await vault.read("conflict.md")).toBe("outside");
  });
});

describe("conditional writes", () => {
  it("let exactly one of a hundred succeed", async () => {
    const { contentHash } = await write("race.md", "start");
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => write("race.md", `writer ${index}`, { expectedHash: contentHash })),
    );
    const failures = results.filter((result) => result.status === "rejected");
    expect(failures).toHaveLength(99);
    for (const { reason } of failures) expect(reason).toBeInstanceOf(PreconditionFailedError);
    expect(await vault.read("race.md")).toMatch(/^writer \d+$/);
  });

  it("let exactly one of many succeed across processes, also by document", async () => {
    const other = await vault.another();
    await write("race2.md", "start");
    const { document } = await open("race2.md");
    const expectedHash = document.contentHash;
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? vault : other).documents.update(
          { id: document.id, body: `writer ${index}`, expectedHash },
          vault.author,
        ),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("accept a list, any version, or only a new file", async () => {
    const { contentHash } = await write("any.md", "one");
    await write("any.md", "two", { expectedHash: `other, ${contentHash}` });
    await write("any.md", "three", { expectedHash: "*" });
    await expect(write("missing.md", "x", { expectedHash: "*" })).rejects.toThrow(PreconditionFailedError);
    await expect(write("any.md", "x", { createOnly: true })).rejects.toThrow(ConflictError);
    await expect(write("any.md", "x", { expectedHash: contentHash })).rejects.toThrow(PreconditionFailedError);
    expect(await vault.read("any.md")).toBe("three");
  });
});

describe("deleting and restoring", () => {
  const ORIGINAL = "---\n# comment\nunknown: {a: 1}\ntitle: 'T'\n---\r\nbody";

  it("restores the exact bytes of any type of file, its id and its sharing", async () => {
    const binary = Buffer.from([0, 255, 128, 10, 13]);
    await writeFile(vault.at("trash.bin"), binary);
    await writeFile(vault.at("trash.md"), ORIGINAL);
    for (const name of ["trash.bin", "trash.md"]) {
      const { document } = await open(name);
      await vault.documentSharing.setSharing({ id: document.id, shared: true, shareType: "private" });
      expect(await vault.documents.delete(document.id)).toEqual({ id: document.id, deleted: true });
      expect(await vault.names()).not.toContain(name);
      expect(await vault.documents.delete(document.id)).toEqual({ id: document.id, deleted: true });
      const deleted = (await vault.documents.list({ onlyDeleted: true })).items;
      expect(deleted.map(({ path }) => path)).toContain(name);
      expect(deleted.filter(({ deletedAt }) => deletedAt === null)).toEqual([]);
      expect(await vault.documents.restore(document.id)).toEqual({
        id: document.id,
        title: document.title,
        deletedAt: null,
      });
      expect((await open(name)).document).toMatchObject({ id: document.id, shared: true });
    }
    expect(await readFile(vault.at("trash.bin"))).toEqual(binary);
    expect(await vault.read("trash.md")).toBe(ORIGINAL);
  });

  it("restores a file of a deleted directory, and the directory", async () => {
    await write("tree/deep/a.md", "a");
    await write("tree/b.md", "b");
    const id = await idOf("tree/deep/a.md");
    await vault.vault.delete("/tree");
    expect(await vault.names()).not.toContain("tree");
    await vault.documents.restore(id);
    expect(await vault.read("tree/deep/a.md")).toBe("a");
    expect(await vault.names()).not.toContain("tree/b.md");
  });

  it("restores Markdown from its stored text when the trash is gone", async () => {
    await write("stored.md", ORIGINAL);
    const id = await idOf("stored.md");
    await vault.documents.list({ search: "nothing" });
    await vault.documents.delete(id);
    await rm(`${vault.root}/.workspace/trash`, { recursive: true });
    expect((await vault.documents.open(id)).body).toBe("body");
    await vault.documents.restore(id);
    expect(await vault.read("stored.md")).toBe(ORIGINAL);
  });

  it("restores the latest version of a file deleted by another program if nothing newer is kept", async () => {
    await write("replaced.txt", "first");
    await write("replaced.txt", "second");
    const id = await idOf("replaced.txt");
    await rm(vault.at("replaced.txt"));
    await vault.documents.delete(id);
    await vault.documents.restore(id);
    expect(await vault.read("replaced.txt")).toBe("first");
    const { rows } = await vault.db.pool.query("SELECT id, content_hash FROM documents WHERE path = 'replaced.txt'");
    expect(rows).toEqual([{ id, content_hash: createHash("sha256").update("first").digest("hex") }]);
  });

  it.each(["twice.md", "twice.bin"])("restores %s under another name if its path is taken", async (name) => {
    await writeFile(vault.at(name), name);
    const id = await idOf(name);
    const other = name.replace("twice", "sub/twice 2");
    await vault.documents.delete(id);
    await write(name, "another");
    await vault.documents.restore(id, other);
    expect([await vault.read(other), await vault.read(name)]).toEqual([name, "another"]);
    expect((await open(other)).document).toMatchObject({ id, path: other, title: "twice 2" });
    await vault.documents.delete(id);
    await expect(vault.documents.restore(id, name)).rejects.toThrow(ConflictError);
    for (const path of [`${other}.txt`, `a\nb${name}`])
      await expect(vault.documents.restore(id, path)).rejects.toThrow(InvalidInputError);
    await vault.documents.restore(id);
    expect(await vault.read(other)).toBe(name);
  });

  it("rejects documents that are not deleted, whose path is taken, or whose content is lost", async () => {
    await write("kept.md", "x");
    const id = await idOf("kept.md");
    await expect(vault.documents.restore(id)).rejects.toThrow(InvalidInputError);
    await vault.documents.delete(id);
    await write("kept.md", "another");
    await expect(vault.documents.restore(id)).rejects.toThrow(ConflictError);
    expect(await vault.read("kept.md")).toBe("another");
    await writeFile(vault.at("lost.bin"), Buffer.from([0, 9]));
    const lost = await idOf("lost.bin");
    await vault.documents.delete(lost);
    await rm(`${vault.root}/.workspace/trash`, { recursive: true });
    await expect(vault.documents.restore(lost)).rejects.toThrow(NotFoundError);
  });

  it("does not delete a file if it is not the one that was read", async () => {
    const { contentHash } = await write("conditional.md", "one");
    await write("conditional.md", "two");
    await expect(vault.vault.delete("conditional.md", contentHash)).rejects.toThrow(PreconditionFailedError);
    const id = await idOf("conditional.md");
    await expect(vault.documents.delete(id, contentHash)).rejects.toThrow(PreconditionFailedError);
    expect(await vault.read("conditional.md")).toBe("two");
  });
});
