import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { createS3Client } from "@workspace/object-store";
import { BUCKET, startS3Server, type TestStore } from "@workspace/object-store/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { backUp, type BackUpResult } from "./back-up.ts";
import { ensureRepository } from "./repository/repository.ts";
import { restoreNote } from "./restore-note.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import {
  createTestWorkspace,
  KEY_FILES,
  readTree,
  withRepository,
  type TestWorkspace,
} from "./test-kit/test-workspace.ts";

const NOW = new Date("2026-11-27T09:15:00Z");

let store: TestStore;
beforeAll(async () => {
  store = await startS3Server();
});
afterAll(() => store.close());

/** An empty place in the store. */
function newPlace() {
  const prefix = `${randomUUID()}/`;
  const client = createS3Client(store.access, BUCKET, { attempts: 3, deadlineMs: 10_000 });
  return {
    url: `s3://${BUCKET}/${prefix}`,
    put: (path: string, content: string | Buffer) => client.put(`${prefix}${path}`, Buffer.from(content)),
    read: async (path: string) => (await client.read(`${prefix}${path}`))?.toString(),
    async tree(): Promise<Record<string, string>> {
      const tree: Record<string, string> = {};
      for await (const { objects } of client.list(prefix)) {
        for (const { key } of objects)
          tree[key.slice(prefix.length)] = (await client.read(key))?.toString("base64") ?? "";
      }
      return tree;
    },
  };
}

async function make({ database, dataDir, backups }: TestWorkspace, vaultRoot: string): Promise<BackUpResult> {
  await ensureRepository({ dir: backups, passphrase: null });
  const source = { config: database.poolConfig, dataDir, keyFiles: KEY_FILES, version: "0.0.0-test", now: new Date() };
  return withRepository(backups, {}, (repository) =>
    backUp({ ...source, repository, vaultRoot, vaultS3: store.access }),
  );
}

async function restoreTo({ backups, folder }: TestWorkspace, backupId: string, vaultRoot: string, options = {}) {
  const target = await createTarget();
  const place = { dataDir: join(folder, randomUUID()), vaultRoot, vaultS3: store.access };
  return withRepository(backups, {}, (repository) =>
    restoreInto(target, { repository, backupId, ...place, now: NOW, ...options }),
  );
}

describe("a vault in a store", () => {
  it("is backed up, and restored into a store or a folder", async () => {
    const workspace = await createTestWorkspace();
    const vault = newPlace();
    await vault.put("a/grö ße.md", "# A\n");
    await vault.put("large.bin", randomBytes(9_000_000));
    await vault.put("empty/", "");
    await vault.put(".workspace/id", "an-id\n");
    await vault.put(".workspace/versions/ab/cd", "earlier");
    const first = await make(workspace, vault.url);
    expect(first).toMatchObject({ files: 4, disagreements: [] });

    // Only what has changed is read and stored.
    await vault.put("a/new.md", "new");
    const reads: string[] = [];
    store.onRequest = (method, path) => {
      if (method === "GET" && !path.includes("?")) reads.push(path.slice(path.lastIndexOf("/") + 1));
    };
    const second = await make(workspace, vault.url);
    store.onRequest = null;
    expect(reads).toEqual(["new.md"]);
    expect(second.files).toBe(5);

    const target = newPlace();
    expect(await restoreTo(workspace, second.id, target.url)).toMatchObject({ files: 5 });
    expect(await target.tree()).toEqual(await vault.tree());
    await expect(restoreTo(workspace, second.id, target.url)).rejects.toThrow("There is data in s3://");
    await expect(restoreTo(workspace, second.id, target.url, { replaces: true })).rejects.toThrow("There is data in");

    const folder = join(workspace.folder, "as-folder");
    await restoreTo(workspace, second.id, folder);
    expect(Object.keys(await readTree(folder))).toContain("a/grö ße.md");
    expect((await readTree(folder))["a/new.md"]).toBe("new");
  });

  it("gets one note back, and keeps another text that is there", async () => {
    const workspace = await createTestWorkspace();
    const vault = newPlace();
    await vault.put("plan.md", "# Plan");
    const { id: backupId } = await make(workspace, vault.url);
    const note = (options = {}) =>
      withRepository(workspace.backups, {}, (repository) =>
        restoreNote({
          repository,
          backupId,
          vaultRoot: vault.url,
          vaultS3: store.access,
          path: "plan.md",
          target: null,
          replaces: false,
          now: NOW,
          ...options,
        }),
      );
    expect(await note()).toMatchObject({ isChanged: false });
    expect(await note({ target: "b/other.md" })).toEqual({ path: "b/other.md", isChanged: true, movedTo: null });
    expect(await vault.read("b/other.md")).toBe("# Plan");
    await vault.put("plan.md", "newer");
    await expect(note()).rejects.toThrow("exists with other content");
    const { movedTo } = await note({ replaces: true });
    expect(await vault.read(movedTo ?? "")).toBe("newer");
    expect(await vault.read("plan.md")).toBe("# Plan");
    await expect(note({ target: "../out.md" })).rejects.toThrow("forbidden path");
  });

  it("is reported if it cannot be read, and nothing counts as a backup", async () => {
    const workspace = await createTestWorkspace();
    const place = newPlace();
    store.isAway = true;
    onTestFinished(() => void (store.isAway = false));
    await expect(make(workspace, place.url)).rejects.toThrow("cannot be reached");
    store.isAway = false;
    await withRepository(workspace.backups, {}, async (repository) =>
      expect(await repository.listBackups()).toEqual([]),
    );
  });

  it("is restored again from the beginning if that was interrupted", async () => {
    const workspace = await createTestWorkspace();
    const vault = newPlace();
    for (const name of ["a.md", "b.md", "c.md"]) await vault.put(name, name);
    const { id } = await make(workspace, vault.url);
    const target = newPlace();
    const dataDir = join(workspace.folder, "again");
    let puts = 0;
    store.onRequest = (method) => {
      if (method === "PUT" && (puts += 1) > 1) store.isAway = true;
    };
    onTestFinished(() => void (store.isAway = false));
    const database = await createTarget();
    const options = {
      dataDir,
      databaseUrl: database.url,
      openDatabase: () => Promise.resolve({ config: database.poolConfig, close: () => Promise.resolve() }),
    };
    await expect(restoreTo(workspace, id, target.url, options)).rejects.toThrow("cannot be reached");
    store.onRequest = null;
    store.isAway = false;
    await restoreTo(workspace, id, target.url, options);
    expect(await target.tree()).toEqual(await vault.tree());
  });
});
