import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@workspace/db";
import { syncDisk } from "./disk.ts";
import { digestDatabase, SILENT_LOG, type Disks, type Rounds } from "./rounds.ts";
import { seedDatabase } from "./seed-workspace.ts";
import { upgrade } from "./victim.ts";

/** Upgrades of a database to the next major version. */
export async function createUpgradeRounds(folder: string, { data }: Disks): Promise<Rounds> {
  const original = join(folder, "original");
  const dataDir = join(data.path, "data");
  await mkdir(original);
  const old = await startEmbeddedPostgres({ dataDir: original, log: SILENT_LOG, programs: "previous" });
  await seedDatabase(old.poolConfig);
  const content = await digestDatabase(old.poolConfig);
  await old.close();
  let wholeMs = 0;
  let finished = 0;

  async function reset(): Promise<void> {
    await rm(dataDir, { recursive: true, force: true });
    await cp(original, dataDir, { recursive: true });
    await syncDisk(data);
  }

  return {
    prepare: reset,
    async work(run) {
      if (wholeMs === 0) {
        const startedAt = performance.now();
        await run({ work: "upgrade", dataDir }, null);
        wholeMs = performance.now() - startedAt;
        await reset();
      }
      // The last moments, in which folders are renamed, get a third of the cuts.
      const part = Math.random() < 1 / 3 ? 0.75 + Math.random() * 0.3 : Math.random();
      return run({ work: "upgrade", dataDir }, wholeMs * part);
    },
    async check(lines) {
      const isDone = lines.includes("done");
      if (isDone) finished += 1;
      const problems: string[] = [];
      if (isDone && !(await readdir(dataDir)).includes("postgres-17")) problems.push("a finished upgrade is gone");
      await upgrade(dataDir);
      const postgres = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
      try {
        if ((await digestDatabase(postgres.poolConfig)) !== content) problems.push("the rows are others");
      } finally {
        await postgres.close();
      }
      if ((await readdir(dataDir)).length !== 3) problems.push(`there are ${String(await readdir(dataDir))}`);
      return problems;
    },
    summary: () => `${finished} had finished before`,
  };
}
