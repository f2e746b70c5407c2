import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureRepository, backUp, openRepository, readRestoreMarker } from "@workspace/backup";
import { startEmbeddedPostgres } from "@workspace/db";
import { exists, syncDisk } from "./disk.ts";
import { digestDatabase, SILENT_LOG, type Disks, type Rounds } from "./rounds.ts";
import { seedDatabase, seedFiles } from "./seed-workspace.ts";
import { restoreNewest } from "./victim.ts";

const FORMER = "former.md";

/** Restores into a data folder on one disk and a vault on another, which has a note that is to be kept. */
export async function createRestoreRounds(folder: string, { data, other }: Disks): Promise<Rounds> {
  const source = join(folder, "source");
  const sourceVault = join(source, "vault");
  const backups = join(folder, "backups");
  const content = await makeSource(source, sourceVault, backups);
  const places = { backups, dataDir: join(data.path, "data"), vault: join(other.path, "vault") };
  let wholeMs = 0;
  let finished = 0;

  async function reset(): Promise<void> {
    for (const { path } of [data, other])
      for (const name of await readdir(path))
        if (name !== "lost+found") await rm(join(path, name), { recursive: true });
    for (const path of [places.dataDir, places.vault]) await mkdir(path);
    await writeFile(join(places.vault, FORMER), "former\n");
    await writeFile(join(places.dataDir, "service-secret"), "former\n");
    for (const disk of [data, other]) await syncDisk(disk);
  }

  /** The former note, wherever it is by now. */
  async function hasFormer(): Promise<boolean> {
    const folders = (await readdir(other.path)).filter((name) => name.startsWith("vault"));
    const texts = await Promise.all(
      folders.map((name) => readFile(join(other.path, name, FORMER), "utf8").catch(() => "")),
    );
    return texts.includes("former\n");
  }

  async function findDifferences(): Promise<string[]> {
    const problems: string[] = [];
    if ((await readTree(places.vault)) !== content.tree) problems.push("the restored vault is another");
    const postgres = await startEmbeddedPostgres({ dataDir: places.dataDir, log: SILENT_LOG });
    try {
      if ((await digestDatabase(postgres.poolConfig)) !== content.rows) problems.push("the restored rows are others");
    } finally {
      await postgres.close();
    }
    return problems;
  }

  return {
    prepare: reset,
    async work(run) {
      if (wholeMs === 0) {
        const startedAt = performance.now();
        await run({ work: "restore", ...places }, null);
        wholeMs = performance.now() - startedAt;
        await reset();
      }
      // The first moments, in which what was there is moved away, get a third of the cuts.
      const part = Math.random() < 1 / 3 ? Math.random() * 0.15 : Math.random() * 1.05;
      return run({ work: "restore", ...places }, wholeMs * part);
    },
    async check(lines) {
      const isDone = lines.includes("done");
      if (isDone) finished += 1;
      const problems: string[] = [];
      const isMarked = (await readRestoreMarker(places.dataDir)) !== null;
      const hasKeys = await exists(join(places.dataDir, "encryption-key"));
      if (isDone && (isMarked || !hasKeys)) problems.push("a finished restore is not there");
      if (!isMarked && hasKeys) problems.push(...(await findDifferences()));
      else {
        await restoreNewest(places);
        problems.push(...(await findDifferences()));
      }
      if (!(await hasFormer())) problems.push("what was there before is gone");
      return problems;
    },
    summary: () => `${finished} had finished before`,
  };
}

async function makeSource(
  dataDir: string,
  vaultRoot: string,
  backups: string,
): Promise<{ rows: string; tree: string }> {
  await seedFiles(vaultRoot, dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  try {
    const config = postgres.poolConfig;
    await seedDatabase(config);
    await ensureRepository({ dir: backups, passphrase: null });
    const repository = await openRepository({ dir: backups, passphrase: null, access: "write" });
    const keyFiles = ["encryption-key", "service-secret"];
    await backUp({ repository, config, vaultRoot, dataDir, keyFiles, version: "bench", now: new Date() });
    await repository.close();
    return { rows: await digestDatabase(config), tree: await readTree(vaultRoot) };
  } finally {
    await postgres.close();
  }
}

/** The texts of all files by their paths. */
async function readTree(root: string): Promise<string> {
  const texts: [string, string][] = [];
  for (const name of (await readdir(root, { recursive: true })).toSorted()) {
    const text = await readFile(join(root, name), "utf8").catch(() => null);
    if (text !== null) texts.push([name, text]);
  }
  return JSON.stringify(texts);
}
