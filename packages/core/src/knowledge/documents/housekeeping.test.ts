import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVaultLocks } from "../file-records/vault-locks.ts";
import { parseVaultPath } from "../vault/vault-path.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";

const DAY_MS = 24 * 60 * 60_000;

let vault: TestVault;

beforeEach(async () => {
  vault = await createTestVault();
});
afterEach(() => vault.close());

const write = (path: string, content: string) => vault.vault.write({ path, content }, vault.author);
const idOf = async (path: string) => (await vault.documents.openByPath(path, vault.userId)).document.id;
const trashed = () => readdir(join(vault.root, ".workspace/trash")).catch((): string[] => []);
const later = (days: number) => vault.clock.set(new Date(vault.clock.now().getTime() + days * DAY_MS));

describe("housekeeping", () => {
  it("leaves deleted files alone; once they are removed as old, the text of Markdown can still be restored", async () => {
    await write("old.md", "# Old");
    await writeFile(vault.at("old.bin"), Buffer.from([0]));
    const [text, binary] = [await idOf("old.md"), await idOf("old.bin")];
    await vault.documents.list({ search: "x" });
    await vault.documents.delete(text);
    await vault.documents.delete(binary);
    later(400);
    await vault.housekeep();
    await vault.oldTrash.removeBefore(
      new Date(vault.clock.now().getTime() - 401 * DAY_MS),
      new AbortController().signal,
    );
    expect(await trashed()).toHaveLength(2);
    await vault.oldTrash.removeBefore(
      new Date(vault.clock.now().getTime() - 399 * DAY_MS),
      new AbortController().signal,
    );
    expect(await trashed()).toEqual([]);
    await expect(vault.documents.restore(binary)).rejects.toThrow("No content of the file was kept");
    await vault.documents.restore(text);
    expect(await vault.read("old.md")).toBe("# Old");
  });

  it.each([["before the mirror has seen it"], ["after the mirror has seen it"]])(
    "finishes a deletion that a crash has interrupted, %s",
    async (when) => {
      await write("dir/a.bin", "a");
      await write("dir/deep/b.md", "b");
      const [a, b] = [await idOf("dir/a.bin"), await idOf("dir/deep/b.md")];
      // The state of the disk after a crash between the move to the trash and the commit.
      const folder = join(vault.root, ".workspace/trash", "0196f3a0-0000-7000-8000-000000000001");
      await mkdir(folder, { recursive: true });
      const label = { path: "dir", deletedAt: vault.clock.now().toISOString() };
      await writeFile(join(folder, "label.json"), JSON.stringify(label));
      await rename(vault.at("dir"), join(folder, "content"));
      if (when.startsWith("after")) {
        await vault.db.pool.query("UPDATE documents SET deleted_at = $1 WHERE deleted_at IS NULL", [vault.clock.now()]);
      }
      await vault.housekeep();
      for (const id of [a, b]) expect((await vault.documents.open(id)).document.deletedAt).not.toBe(null);
      await vault.documents.restore(a);
      await vault.documents.restore(b);
      expect([await vault.read("dir/a.bin"), await vault.read("dir/deep/b.md")]).toEqual(["a", "b"]);
    },
  );

  it("runs in one process at a time, and completes removals that a crash interrupted", async () => {
    for (const name of ["a.bin", "b.bin", "c.bin"]) {
      await writeFile(vault.at(name), Buffer.from([0]));
      await vault.documents.delete(await idOf(name));
    }
    const given = join(vault.root, ".workspace/trash/.given-up-0196f3a0-0000-7000-8000-000000000001");
    await mkdir(join(given, "content/deep"), { recursive: true });
    later(31);
    const others = [await vault.another(), await vault.another()];
    await Promise.all([vault.housekeep(), ...others.map(({ vaultMirror }) => vaultMirror.housekeep())]);
    expect(await trashed()).toHaveLength(3);
    await vault.oldTrash.removeBefore(vault.clock.now(), new AbortController().signal);
    expect(await trashed()).toEqual([]);
    const { rows } = await vault.db.pool.query("SELECT FROM documents WHERE trash_key IS NOT NULL");
    expect(rows).toEqual([]);
  });

  it("ignores a folder in the trash that a crash left without a label", async () => {
    await mkdir(join(vault.root, ".workspace/trash", "half"), { recursive: true });
    await writeFile(join(vault.root, ".workspace/trash", "half", "label.json"), '{"path":');
    await expect(vault.housekeep()).resolves.toBeUndefined();
  });

  it("thins out versions, and later removes content that none of them refers to", async () => {
    for (let save = 0; save < 40; save += 1) await write("v.md", `save ${save}`);
    const id = await idOf("v.md");
    const blobs = async () =>
      (await readdir(join(vault.root, ".workspace/versions"), { recursive: true })).filter((name) => name.length > 60);
    expect(await vault.documentVersions.list(id)).toHaveLength(39);
    await vault.housekeep();
    expect((await vault.documentVersions.list(id)).length).toBeLessThan(25);
    expect(await blobs()).toHaveLength(39);
    later(8);
    await vault.housekeep();
    expect((await blobs()).length).toBeLessThan(25);
    for (const { id: versionId } of await vault.documentVersions.list(id)) {
      expect((await vault.documentVersions.open(id, versionId)).content).toMatch(/^save/);
    }
  });

  it("waits for no write while there is nothing to remove", async () => {
    await write("v.md", "one");
    await write("v.md", "two");
    const isDone = await createVaultLocks(vault.db).withFiles({ paths: [parseVaultPath("other.md")] }, "durable", () =>
      Promise.race([vault.housekeep().then(() => true), sleep(5_000, false)]),
    );
    expect(isDone).toBe(true);
  });

  it("ends soon when the process stops, and leaves the rest to the next time", async () => {
    for (let save = 0; save < 40; save += 1) await write("v.md", `save ${save}`);
    const housekeeping = vault.housekeep();
    await vault.vaultMirror.close();
    await housekeeping;
    expect(await vault.documentVersions.list(await idOf("v.md"))).toHaveLength(39);
  });

  it("reports that the content of a version is lost", async () => {
    await write("w.md", "one");
    await write("w.md", "two");
    const id = await idOf("w.md");
    const [version] = await vault.documentVersions.list(id);
    await rm(join(vault.root, ".workspace/versions"), { recursive: true });
    await expect(vault.documentVersions.open(id, version?.id ?? "")).rejects.toThrow("no longer kept");
    await expect(write("w.md", "three")).resolves.toMatchObject({ created: false });
    expect(await vault.read("w.md")).toBe("three");
  });
});
