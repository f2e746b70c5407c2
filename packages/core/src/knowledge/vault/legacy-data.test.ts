import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFailingCalls } from "../../../testing/failing-calls.ts";
import { silentLogger } from "../../platform/logger.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "./file-system-calls.ts";
import { migrateLegacyData } from "./legacy-data.ts";
import { createFolderFiles } from "./folder-files.ts";

const WRITER_ID = "0196f3a0-0000-7000-8000-000000000000";
const hashOf = (digits: string) => digits.repeat(64).slice(0, 64);
const [FIRST, SECOND, BOTH] = [hashOf("1a"), hashOf("1b"), hashOf("2c")];

/** Contains the data directories. */
let base: string;
/** On the same file system as `base`, unless a test changes it. */
let root: string;
let elsewhere: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "legacy-data-"));
  elsewhere = await mkdtemp("/dev/shm/legacy-data-");
  root = join(base, "vault");
  await mkdir(root);
});
afterEach(async () => {
  for (const directory of [base, elsewhere]) await rm(directory, { recursive: true, force: true });
});

/** What an earlier release left behind: a deleted file, a deleted directory, a version of its own and one shared by all. */
async function prepareDataDir(dataDir: string, name: string): Promise<void> {
  const folders = { [`file-${name}`]: null, [`tree-${name}`]: ["x.md", "deep/y.bin"] };
  for (const [id, paths] of Object.entries(folders)) {
    const folder = join(dataDir, "trash", id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "label.json"), JSON.stringify({ path: id, deletedAt: "2026-01-01T00:00:00.000Z" }));
    if (paths === null) await writeFile(join(folder, "content"), `content of ${id}`);
    for (const path of paths ?? []) {
      await mkdir(join(folder, "content", path, ".."), { recursive: true });
      await writeFile(join(folder, "content", path), `${path} of ${id}`);
    }
  }
  const own = name === "a" ? FIRST : SECOND;
  for (const hash of [own, BOTH]) {
    await mkdir(join(dataDir, "versions", hash.slice(0, 2)), { recursive: true });
    await writeFile(join(dataDir, "versions", hash.slice(0, 2), hash), `version ${hash}`);
  }
  await writeFile(join(dataDir, "versions", own.slice(0, 2), `${own}.0.tmp`), "half");
}

const move = (dataDir: string, calls: FileSystemCalls = nodeFileSystemCalls): Promise<void> =>
  migrateLegacyData({
    calls,
    files: createFolderFiles({ rootPath: root, calls, writerId: WRITER_ID }),
    logger: silentLogger,
    dataDir,
  });

async function contentOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.toSorted().map(async (file) => [file.slice(directory.length + 1), await readFile(file, "utf8")]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/** The contents of the vault once everything has been moved. */
function expected(...names: string[]): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of names) {
    const label = (id: string) => JSON.stringify({ path: id, deletedAt: "2026-01-01T00:00:00.000Z" });
    all[`trash/file-${name}/content`] = `content of file-${name}`;
    all[`trash/file-${name}/label.json`] = label(`file-${name}`);
    all[`trash/tree-${name}/content/deep/y.bin`] = `deep/y.bin of tree-${name}`;
    all[`trash/tree-${name}/content/x.md`] = `x.md of tree-${name}`;
    all[`trash/tree-${name}/label.json`] = label(`tree-${name}`);
    const own = name === "a" ? FIRST : SECOND;
    for (const hash of [own, BOTH]) all[`versions/${hash.slice(0, 2)}/${hash}`] = `version ${hash}`;
  }
  return all;
}

const newDataDir = (): Promise<string> => mkdtemp(join(base, "data-"));

describe.each(["the same file system", "another file system"])(
  "trash and versions in a data directory, with the vault on %s",
  (kind) => {
    // Copying takes many similar calls.
    const step = kind === "another file system" ? 4 : 1;
    beforeEach(() => {
      if (kind === "another file system") root = elsewhere;
    });

    it("are moved into the vault once", async () => {
      const dataDir = await newDataDir();
      await prepareDataDir(dataDir, "a");
      await move(dataDir);
      expect(await contentOf(join(root, ".workspace"))).toEqual(expected("a"));
      expect(await readdir(dataDir)).toEqual([]);
      const { mtimeMs } = await stat(join(root, ".workspace/trash"));
      await move(dataDir);
      expect((await stat(join(root, ".workspace/trash"))).mtimeMs).toBe(mtimeMs);
    });

    it("are complete after a crash at any call and a second run", { timeout: 60_000 }, async () => {
      const dying = createFailingCalls();
      for (let deathAt = 0; ; deathAt += step) {
        const dataDir = await newDataDir();
        await prepareDataDir(dataDir, "a");
        dying.reset();
        dying.dieAt(deathAt);
        await move(dataDir, dying.calls).catch(() => undefined);
        await move(dataDir);
        const arrived = await contentOf(join(root, ".workspace"));
        // Housekeeping removes such incomplete copies a day later.
        for (const name of Object.keys(arrived)) if (name.endsWith(".tmp")) delete arrived[name];
        expect({ deathAt, arrived }).toEqual({ deathAt, arrived: expected("a") });
        expect(await readdir(dataDir)).toEqual([]);
        await rm(join(root, ".workspace"), { recursive: true });
        if (dying.log.length <= deathAt) break;
      }
    });

    it("are complete after a disk failure at any call and a second run", { timeout: 60_000 }, async () => {
      const failing = createFailingCalls();
      for (let index = 0; ; index += step) {
        const dataDir = await newDataDir();
        await prepareDataDir(dataDir, "a");
        failing.reset();
        failing.failAt(index, index % 3 === 0 ? "ENOSPC" : "EIO");
        await move(dataDir, failing.calls).catch(() => undefined);
        const isOver = failing.log.length <= index;
        failing.reset();
        await move(dataDir, failing.calls);
        expect(await contentOf(join(root, ".workspace"))).toMatchObject(expected("a"));
        await rm(join(root, ".workspace"), { recursive: true });
        if (isOver) break;
      }
    });

    it("are merged from several processes that start at once", async () => {
      const [first, second] = [await newDataDir(), await newDataDir()];
      await prepareDataDir(first, "a");
      await prepareDataDir(second, "b");
      await Promise.all([move(first), move(second)]);
      expect(await contentOf(join(root, ".workspace"))).toEqual(expected("a", "b"));
      expect([...(await readdir(first)), ...(await readdir(second))]).toEqual([]);
    });
  },
);

it("leaves alone what does not belong to the service", async () => {
  await mkdir(join(base, "data/trash"), { recursive: true });
  await mkdir(join(base, "data/versions/notes"), { recursive: true });
  await writeFile(join(base, "data/versions/notes/mine"), "mine");
  await move(join(base, "data"));
  expect(await readFile(join(base, "data/versions/notes/mine"), "utf8")).toBe("mine");
});
