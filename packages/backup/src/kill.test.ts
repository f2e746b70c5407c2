import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultMigrationsDir } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, it, onTestFinished } from "vitest";
import { emptyDatabase } from "./database/load-database.ts";
import { prune } from "./prune.ts";
import { readRestoreMarker } from "./restore-marker.ts";
import { runVictim } from "./test-kit/run-victim.ts";
import {
  createTestWorkspace,
  describeDatabase,
  KEY_FILES,
  makeBackup,
  readTree,
  type TestWorkspace,
  withRepository,
} from "./test-kit/test-workspace.ts";
import type { VictimOrders } from "./test-kit/victim.fixture.ts";
import { verifyBackup } from "./verify.ts";

/** `KILLS=500 npx vitest run packages/backup/src/kill.test.ts` is a long hunt, for a quiet machine. */
const KILLS = Number(process.env["KILLS"] ?? 5);
function ordersFor(workspace: TestWorkspace, work: VictimOrders["work"]): VictimOrders {
  const { database, backups, vault, dataDir } = workspace;
  return {
    work,
    config: database.poolConfig,
    databaseUrl: database.url,
    backups,
    vault,
    dataDir,
    migrationsDir: defaultMigrationsDir(),
    keyFiles: KEY_FILES,
  };
}

/** Everything that claims to be a backup, read back. */
async function expectAllWhole({ backups }: TestWorkspace): Promise<string[]> {
  return withRepository(backups, {}, async (repository) => {
    const ids = await repository.listBackups();
    for (const id of ids) expect((await verifyBackup(repository, id)).problems).toEqual([]);
    return ids;
  });
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((): string[] => []);
}

async function change(workspace: TestWorkspace, round: number, files = 100): Promise<void> {
  await workspace.addTasks(20 * files);
  for (let n = 0; n < files; n += 1)
    await writeFile(join(workspace.vault, `r${round}-${n}.md`), `${Math.random()}`.repeat(900));
}

async function keepNewest({ backups }: TestWorkspace): Promise<void> {
  const retention = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };
  await withRepository(backups, {}, (repository) =>
    prune(repository, retention, { isDryRun: false, now: new Date(), made: null }),
  );
}

it(
  "claims no backup that is not whole, wherever a backup is killed",
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const workspace = await createTestWorkspace();
    const orders = ordersFor(workspace, "backup");
    await change(workspace, 0);
    await makeBackup(workspace);
    await change(workspace, 1);
    const wholeMs = await runVictim(orders, null);
    for (let round = 0; round < KILLS; round += 1) {
      await change(workspace, round + 2);
      await runVictim(orders, (wholeMs * (round + Math.random())) / KILLS);
      await expectAllWhole(workspace);
      // So that a long hunt reads no more with each round.
      if (round % 10 === 9) await keepNewest(workspace);
    }
    await runVictim(orders, null);
    expect((await expectAllWhole(workspace)).length).toBeGreaterThan(1);
  },
);

it(
  "leaves whole backups, wherever the removal of others is killed",
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const workspace = await createTestWorkspace();
    const orders = ordersFor(workspace, "prune");
    for (let round = 0; round < KILLS; round += 1) {
      for (const day of ["01", "02"]) {
        await change(workspace, round, 20);
        await makeBackup(workspace, { now: new Date(`2026-11-${day}T0${round % 10}:00:00Z`) });
      }
      await runVictim(orders, 20 + Math.random() * 60);
      await expectAllWhole(workspace);
    }
    await keepNewest(workspace);
    expect(await expectAllWhole(workspace)).toHaveLength(1);
  },
);

it("restores everything, however often the restore is killed", { timeout: 120_000 + KILLS * 60_000 }, async () => {
  const workspace = await createTestWorkspace();
  await change(workspace, 0);
  await workspace.writeNote("plan.md", "# Plan\n");
  await makeBackup(workspace);
  const target = await createTestDatabase();
  onTestFinished(() => target.close());
  const dataDir = join(workspace.folder, "restored");
  const orders: VictimOrders = {
    ...ordersFor(workspace, "restore"),
    config: target.poolConfig,
    databaseUrl: target.url,
    dataDir,
    vault: join(workspace.folder, "restored-vault"),
  };
  const expectRestored = async (): Promise<void> => {
    expect(await readTree(orders.vault)).toEqual(await readTree(workspace.vault));
    expect(await describeDatabase(target.poolConfig)).toEqual(await describeDatabase(workspace.database.poolConfig));
  };
  for (let round = 0; round < KILLS; round += 1) {
    await runVictim(orders, 50 + Math.random() * 2500);
    const names = await namesIn(dataDir);
    // Finished, or not begun, or marked as unfinished.
    const isFinished = names.includes("service-secret") && (await readRestoreMarker(dataDir)) === null;
    if (isFinished) {
      await expectRestored();
      for (const folder of [dataDir, orders.vault]) await rm(folder, { recursive: true });
      await emptyDatabase(target.poolConfig);
      continue;
    }
    const hasBegun = names.some((name) => name !== "instance.lock" && !name.startsWith("."));
    expect((await readRestoreMarker(dataDir)) !== null).toBe(hasBegun);
  }
  await runVictim(orders, null);
  await expectRestored();
});
