import { readFile, writeFile } from "node:fs/promises";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { NotFoundError, PreconditionFailedError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault();
});
afterAll(() => vault.close());

const write = (path: string, content: string) => vault.vault.write({ path, content }, vault.author);
const open = (path: string) => vault.documents.openByPath(path, vault.userId);
const idOf = async (path: string) => (await open(path)).document.id;

describe("versions", () => {
  it("keep content overwritten by any program, and restore it", async () => {
    await write("versions.md", "one");
    await write("versions.md", "two");
    await writeFile(vault.at("versions.md"), "outside");
    await write("versions.md", "three");
    await write("versions.md", "three");
    const id = await idOf("versions.md");
    const versions = await vault.documentVersions.list(id);
    const contents = await Promise.all(
      versions.map(async (version) => (await vault.documentVersions.open(id, version.id)).content),
    );
    // "two" was overwritten by another program, and "three" with the same content.
    expect(contents).toEqual(["outside", "one"]);
    const one = versions.find((_, index) => contents[index] === "one");
    await vault.documentVersions.restore({ id, versionId: one?.id ?? "" }, vault.author);
    expect(await vault.read("versions.md")).toBe("one");
    expect((await vault.documentVersions.list(id)).length).toBe(3);
  });

  it("say who wrote each content, unless another program did", async () => {
    const agent: Author = { kind: "agent", name: "Gardener", userId: vault.userId, agentId: v7(), runId: v7() };
    const laptop: Author = { kind: "assistant", name: "Laptop", userId: vault.userId, keyId: v7(), sessionId: "s" };
    const path = "authors.md";
    await vault.vault.write({ path, content: "one" }, agent);
    await vault.vault.write({ path, content: "one" }, laptop);
    const id = await idOf(path);
    await vault.documents.update({ id, body: "two" }, laptop);
    await write(path, "three");
    await writeFile(vault.at(path), "outside");
    await write(path, "four");
    await vault.vault.rename(path, "renamed.md", agent);
    const authors = async () => (await vault.documentVersions.list(id)).map(({ author }) => author);
    // What another program has overwritten is not kept.
    expect(await authors()).toEqual([null, laptop, agent]);
    const oldest = (await vault.documentVersions.list(id)).at(-1)?.id ?? "";
    await vault.documentVersions.restore({ id, versionId: oldest }, laptop);
    expect(await authors()).toEqual([vault.author, null, laptop, agent]);
    expect((await vault.documents.open(id)).author).toEqual(laptop);
  });

  it("keep binary files too, and reject a stale precondition", async () => {
    await vault.vault.writeStream("v.bin", {
      content: Buffer.from([0, 1]),
      creatorId: vault.userId,
      author: vault.author,
    });
    const first = await open("v.bin");
    await vault.vault.writeStream("v.bin", {
      content: Buffer.from([0, 2]),
      creatorId: vault.userId,
      author: vault.author,
    });
    const { id } = first.document;
    const [version] = await vault.documentVersions.list(id);
    expect(version).toMatchObject({ size: 2, contentHash: first.document.contentHash });
    const versionId = version?.id ?? "";
    expect((await vault.documentVersions.open(id, versionId)).content).toBe(null);
    await expect(
      vault.documentVersions.restore({ id, versionId, expectedHash: first.document.contentHash }, vault.author),
    ).rejects.toThrow(PreconditionFailedError);
    await vault.documentVersions.restore({ id, versionId }, vault.author);
    expect(await readFile(vault.at("v.bin"))).toEqual(Buffer.from([0, 1]));
    await expect(vault.documentVersions.open(id, "nope")).rejects.toThrow(NotFoundError);
  });
});
