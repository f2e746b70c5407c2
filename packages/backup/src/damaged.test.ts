import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createS3Client } from "@workspace/object-store";
import { BUCKET, startS3Server } from "@workspace/object-store/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import { listBackups } from "./list-backups.ts";
import { prune, removeBackups } from "./prune.ts";
import { createChunkCodec } from "./repository/chunk-codec.ts";
import { openChunkStore } from "./repository/chunk-store.ts";
import { openRepository, type Repository } from "./repository/repository.ts";
import { createFolderStorage } from "./storage/folder-storage.ts";
import { createTestWorkspace, makeBackup, type TestWorkspace, withRepository } from "./test-kit/test-workspace.ts";
import { verifyBackup } from "./verify.ts";

const PASSPHRASE = "correct horse";
const CHUNK = /[0-9a-f]{64}$/;

/** The path of the chunk with the content of a file that has one of its own. */
async function chunkOf({ backups }: TestWorkspace, size: number): Promise<string> {
  const folder = join(backups, "chunks");
  for (const name of (await readdir(folder, { recursive: true })).filter((each) => CHUNK.test(each))) {
    if ((await stat(join(folder, name))).size >= size) return join(folder, name);
  }
  throw new Error("There is no such chunk.");
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[500] = (changed[500] ?? 0) ^ 0xff;
  return changed;
}

/** A workspace with a photo, which is a chunk of its own, and two backups that share it, the one damaged. */
async function withDamagedPhoto(passphrase: string | null) {
  const workspace = await createTestWorkspace();
  await workspace.addTasks(20);
  await workspace.writeNote("plan.md", "# Plan\n");
  await writeFile(join(workspace.vault, "photo.jpg"), randomBytes(4 * 1024 * 1024));
  const first = await makeBackup(workspace, { passphrase, now: new Date("2026-11-24T03:00:00Z") });
  const second = await makeBackup(workspace, { passphrase, now: new Date("2026-11-25T03:00:00Z") });
  const path = await chunkOf(workspace, 4 * 1024 * 1024);
  const intact = await readFile(path);
  await writeFile(path, flipped(intact));
  const open = <T>(use: (repository: Repository) => Promise<T>) =>
    withRepository(workspace.backups, { passphrase }, use);
  return { workspace, first, second, path, intact, open };
}

const damagedIn = (repository: Repository) =>
  listBackups(repository).then((list) => list.filter(({ isDamaged }) => isDamaged).map(({ id }) => id));

describe.each([
  ["", null],
  ["encrypted ", PASSPHRASE],
])("a damaged chunk of %sbackups", (_, passphrase) => {
  it("is set aside when it is found, and the next backup mends the earlier ones", async () => {
    const { workspace, first, second, path, intact, open } = await withDamagedPhoto(passphrase);
    expect(await open((repository) => verifyBackup(repository, second.id))).toMatchObject({
      problemCount: 1,
      problems: [expect.stringContaining("photo.jpg")],
      setAsideChunks: 1,
    });
    const kept = join(workspace.backups, "damaged", path.slice(-64));
    expect((await readFile(kept)).equals(flipped(intact))).toBe(true);
    expect(await open(damagedIn)).toEqual([first.id, second.id]);
    expect(await open((repository) => verifyBackup(repository, first.id))).toMatchObject({ problemCount: 1 });

    const third = await makeBackup(workspace, { passphrase });
    for (const { id } of [first, second, third]) {
      expect((await open((repository) => verifyBackup(repository, id))).problems).toEqual([]);
    }
    expect(await open(damagedIn)).toEqual([]);
    expect((await readFile(kept)).equals(flipped(intact))).toBe(true);
  });
});

it("small files that share a lost chunk mend earlier backups, although others have been added since", async () => {
  const workspace = await createTestWorkspace();
  for (const name of ["b", "d", "f"]) await workspace.writeNote(`${name}.md`, `text of ${name}`.repeat(500));
  const { id } = await makeBackup(workspace);
  const verify = () => withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, id));
  const path = await withRepository(workspace.backups, {}, async (repository) => {
    const { vault } = await repository.readManifest(id);
    for await (const { parts } of readFileList(vault.files, createContentReader(repository.chunks))) {
      const chunk = parts[0]?.[0] ?? "";
      return join(workspace.backups, "chunks", chunk.slice(0, 2), chunk);
    }
    throw new Error("There is no file.");
  });
  await writeFile(path, "damaged");
  expect(await verify()).toMatchObject({ setAsideChunks: 1 });
  for (const name of ["a", "c", "e"]) await workspace.writeNote(`${name}.md`, `text of ${name}`);
  await makeBackup(workspace);
  expect((await verify()).problems).toEqual([]);
});

const KEEP_ALL = { hourly: 0, daily: 9, weekly: 0, monthly: 0 };

it("a chunk that is gone is missed after the next backup, and its backups are marked until it is stored anew", async () => {
  const { workspace, first, second, path, open } = await withDamagedPhoto(null);
  await rm(path);
  const photo = join(workspace.vault, "photo.jpg");
  const content = await readFile(photo);
  await writeFile(photo, "another one");
  await makeBackup(workspace, { now: new Date("2026-11-26T03:00:00Z") });
  const { removed, damaged } = await open((repository) =>
    prune(repository, KEEP_ALL, { isDryRun: false, now: new Date(), made: null }),
  );
  expect([removed, damaged]).toEqual([[], [first.id, second.id]]);
  const list = await openRepository({ dir: workspace.backups, passphrase: null, access: "list" });
  expect(await damagedIn(list)).toEqual([first.id, second.id]);

  await writeFile(photo, content);
  await makeBackup(workspace, { now: new Date("2026-11-27T03:00:00Z") });
  expect(await damagedIn(list)).toEqual([]);
  expect(
    await open((repository) => prune(repository, KEEP_ALL, { isDryRun: false, now: new Date(), made: null })),
  ).toMatchObject({ damaged: [] });
  expect(await readdir(join(workspace.backups, "damaged"))).toEqual([]);
});

it("a backup whose list is damaged is listed as such, beside the others", async () => {
  const { workspace, first, second, open } = await withDamagedPhoto(null);
  await writeFile(join(workspace.backups, "backups", `${first.id}.manifest`), "damaged");
  expect(await open(listBackups)).toMatchObject([
    { id: first.id, createdAt: "2026-11-24T03:00:00.000Z", isDamaged: true },
    { id: second.id, files: 2 },
  ]);
});

describe("a chunk is not set aside", () => {
  it("if its place may only be read", async () => {
    const { workspace, second, path, intact } = await withDamagedPhoto(null);
    const repository = await openRepository({ dir: workspace.backups, passphrase: null, access: "list" });
    expect(await verifyBackup(repository, second.id)).toMatchObject({ problemCount: 1, setAsideChunks: 0 });
    expect((await readFile(path)).equals(flipped(intact))).toBe(true);
  });

  it("if it cannot be read", async () => {
    const { second, path, open } = await withDamagedPhoto(null);
    await rm(path);
    await mkdir(path);
    expect(await open((repository) => verifyBackup(repository, second.id))).toMatchObject({
      problems: [expect.stringContaining("EISDIR")],
      setAsideChunks: 0,
    });
  });
});

describe("a chunk that is read wrongly once", () => {
  it("is read again, and neither reported nor set aside", async () => {
    const { id, content, damageFirst, store, storage } = await storeChunk();
    damageFirst(1);
    expect((await store.get(id)).equals(content)).toBe(true);
    damageFirst(2);
    // Each time otherwise.
    await expect(store.get(id)).rejects.toThrow("is damaged");
    expect([store.setAsideChunks, (await storage.list("damaged")).size]).toEqual([0, 0]);
  });
});

async function storeChunk() {
  const { folder } = await createTestWorkspace();
  const storage = createFolderStorage(join(folder, "place"));
  let wrongReads = 0;
  const unreliable = {
    ...storage,
    async read(name: string) {
      const bytes = await storage.read(name);
      if (bytes === null || wrongReads === 0) return bytes;
      bytes[bytes.length - wrongReads] = (bytes.at(-wrongReads) ?? 0) ^ 1;
      wrongReads -= 1;
      return bytes;
    },
  };
  const store = openChunkStore(unreliable, createChunkCodec(null), { known: new Map(), isLocked: true });
  const content = randomBytes(1000);
  const id = store.idOf(content);
  await store.put(id, content);
  return { id, content, store, storage, damageFirst: (reads: number) => void (wrongReads = reads) };
}

it("a damaged chunk in a store is set aside and mended too", async () => {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  const place = { dir: `s3://${BUCKET}/damaged`, s3: server.access, passphrase: PASSPHRASE };
  const client = createS3Client(server.access, BUCKET, { attempts: 1, deadlineMs: 10_000 });
  const workspace = await createTestWorkspace();
  await writeFile(join(workspace.vault, "photo.jpg"), randomBytes(4 * 1024 * 1024));
  const { id } = await makeBackup(workspace, place);
  let key = "";
  for await (const { objects } of client.list("damaged/chunks/")) {
    key = objects.find(({ size }) => size > 4 * 1024 * 1024)?.key ?? key;
  }
  const bytes = flipped((await client.read(key)) ?? Buffer.alloc(0));
  await client.put(key, bytes);
  const verify = () => withRepository(place.dir, place, (repository) => verifyBackup(repository, id));
  expect(await verify()).toMatchObject({ problemCount: 1, setAsideChunks: 1 });
  expect(await client.read(key)).toBeNull();
  expect((await client.read(`damaged/damaged/${key.slice(-64)}`))?.equals(bytes)).toBe(true);
  await makeBackup(workspace, place);
  expect((await verify()).problems).toEqual([]);
});

it("of which two have a damaged list can be removed one by one, and with the last one what none needs", async () => {
  const workspace = await createTestWorkspace();
  await workspace.writeNote("plan.md", "# Plan");
  const ids: string[] = [];
  for (const hour of [1, 2, 3]) {
    const now = new Date(Date.UTC(2026, 10, 24, hour));
    ids.push((await makeBackup(workspace, { now })).id);
  }
  for (const id of ids.slice(0, 2)) await writeFile(join(workspace.backups, "backups", `${id}.manifest`), "damaged");
  const [first = "", second = "", third] = ids;
  await withRepository(workspace.backups, {}, async (repository) => {
    const now = new Date("2026-11-24T04:00:00Z");
    const everything = { hourly: 9, daily: 9, weekly: 9, monthly: 9 };
    await expect(prune(repository, everything, { isDryRun: false, now, made: null })).rejects.toThrow(
      `prune-backups --remove ${first}`,
    );
    expect(await removeBackups(repository, [first], { isDryRun: false })).toMatchObject({ removedChunks: 0 });
    await removeBackups(repository, [second], { isDryRun: false });
    expect(await repository.listBackups()).toEqual([third]);
    expect((await verifyBackup(repository, third ?? "")).problems).toEqual([]);
  });
});
