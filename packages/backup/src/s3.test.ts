import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createS3Client, type S3Access } from "@workspace/object-store";
import { BUCKET, startS3Server, type TestStore } from "@workspace/object-store/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { prune } from "./prune.ts";
import { ensureRepository, openRepository, type Repository } from "./repository/repository.ts";
import { createS3Storage } from "./storage/s3-storage.ts";
import { holdLease } from "./storage/storage-lease.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import { createTestWorkspace, describeDatabase, makeBackup, readTree } from "./test-kit/test-workspace.ts";
import { verifyBackup } from "./verify.ts";

const PASSPHRASE = "correct horse";

let store: TestStore;
beforeAll(async () => {
  store = await startS3Server();
});
afterAll(() => store.close());

async function withStore<T>(dir: string, use: (repository: Repository) => Promise<T>): Promise<T> {
  const repository = await openRepository({ dir, s3: store.access, passphrase: PASSPHRASE, access: "write" });
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

describe("backups in an S3-compatible store", () => {
  it("are made, read back, removed and restored like those in a folder", async () => {
    const dir = `s3://${BUCKET}/of/ada`;
    const workspace = await createTestWorkspace();
    await workspace.addTasks(200);
    await workspace.writeNote("größe.md", "# Plan\n");
    await writeFile(join(workspace.vault, "photo.jpg"), randomBytes(9_000_000));
    const options = { dir, s3: store.access, passphrase: PASSPHRASE };
    const first = await makeBackup(workspace, { ...options, now: new Date("2026-11-24T03:00:00Z") });
    await workspace.addTasks(10);
    const second = await makeBackup(workspace, { ...options, now: new Date("2026-11-25T03:00:00Z") });
    expect(second.writtenBytes).toBeLessThan(first.writtenBytes / 2);

    await withStore(dir, async (repository) => {
      expect(await repository.listBackups()).toEqual([first.id, second.id]);
      const retention = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };
      const { removed } = await prune(repository, retention, { isDryRun: false, now: new Date(), made: null });
      expect(removed).toEqual([first.id]);
      expect((await verifyBackup(repository, second.id)).problems).toEqual([]);
      const target = await createTarget();
      const dataDir = join(workspace.folder, "restored");
      await restoreInto(target, { repository, backupId: second.id, dataDir });
      expect(await readTree(join(dataDir, "vault"))).toEqual(await readTree(workspace.vault));
      expect(await describeDatabase(target.poolConfig)).toEqual(await describeDatabase(workspace.database.poolConfig));
    });
  });

  it("are used by one process at a time, and by the next one once it has ended", async () => {
    const dir = `s3://${BUCKET}/locked`;
    await ensureRepository({ dir, s3: store.access, passphrase: PASSPHRASE });
    await withStore(dir, async () => {
      await expect(withStore(dir, () => Promise.resolve())).rejects.toThrow("Another backup, restore or check");
    });
    await withStore(dir, () => Promise.resolve());
  });

  it("are not begun in a place that holds anything else", async () => {
    const client = createS3Client(store.access, BUCKET, { attempts: 1, deadlineMs: 10_000 });
    await client.put("used/something", Buffer.from("else"));
    const place = { dir: `s3://${BUCKET}/used`, s3: store.access, passphrase: null };
    await expect(ensureRepository(place)).rejects.toThrow("neither empty nor");
  });

  it.each([
    ["a wrong key", (access: S3Access) => ({ ...access, accessKeyId: "other" }), `s3://${BUCKET}/x`, "403"],
    ["a missing bucket", (access: S3Access) => access, "s3://missing-bucket/x", "NoSuchBucket"],
    [
      "another server",
      () => ({ ...store.access, endpoint: "http://127.0.0.1:9" }),
      `s3://${BUCKET}`,
      "cannot be reached",
    ],
    ["a wrong URL", () => ({ ...store.access, endpoint: "ftp://example.org" }), `s3://${BUCKET}`, "is not the http"],
    ["a path that leads elsewhere", () => store.access, "s3://b/a?b", "is not s3://bucket/path"],
  ])("report %s in a sentence", async (_, toAccess, dir, message) => {
    const place = { dir, s3: toAccess(store.access), passphrase: null };
    await expect(ensureRepository(place)).rejects.toThrow(message);
  });
});

describe("a store that fails for a moment", () => {
  it("is asked again", async () => {
    let failures = 3;
    const server = createServer((_req, res) => {
      failures -= 1;
      if (failures === 2) res.destroy();
      else if (failures >= 0) res.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      else res.end("content");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const storage = createS3Storage("s3://bucket", { ...store.access, endpoint: `http://127.0.0.1:${port}` });
    expect((await storage.read("name"))?.toString()).toBe("content");
  });
});

it("a lock that cannot be given back, and expires by itself, does not make what was done a failure", async () => {
  const objects = new Map<string, Buffer>();
  const lease = await holdLease("lock.json", {
    name: "s3://bucket",
    read: async (name) => objects.get(name) ?? null,
    write: async (name, content) => void objects.set(name, content),
    writeNew: async (name, content) => objects.set(name, content).has(name),
    remove: () => Promise.reject(new Error("403 AccessDenied")),
  });
  await lease.release();
  expect(objects.size).toBe(1);
});
