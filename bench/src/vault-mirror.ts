/**
 * How quickly documents follow a vault: `npm run bench -- vault-mirror <files> <burst> <edits>`. Prints how long the first
 * comparison of `files` files takes, until they can be found by search too, a restart without changes, how soon single edits
 * and a burst of changes are noticed, and the cost to the process.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createDocumentServices,
  createEventBus,
  createLargeReads,
  createProcessRegistry,
  silentLogger,
  systemClock,
  uuidV7,
  type DocumentServices,
} from "@workspace/core";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { notePath, writeNotes } from "./vault-notes.ts";

const files = Number(process.argv[2] ?? 20_000);
const burst = Number(process.argv[3] ?? 30_000);
const edits = Number(process.argv[4] ?? 200);

const count = async (db: Db, where: string): Promise<number> => {
  const { rows } = await db.pool.query<{ count: number }>(`SELECT count(*) FROM ${where}`);
  return rows[0]?.count ?? 0;
};
const ACTIVE = "documents WHERE deleted_at IS NULL";
const UNINDEXED = `documents d LEFT JOIN document_texts t ON t.document_id = d.id
  WHERE d.deleted_at IS NULL AND t.content_hash IS DISTINCT FROM d.content_hash`;

async function until(isReached: () => Promise<boolean>, limitMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await isReached())) {
    if (performance.now() - startedAt > limitMs) throw new Error("It took too long.");
    await sleep(20);
  }
  return Math.round(performance.now() - startedAt);
}

async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const ms = Math.round(performance.now() - startedAt);
  const used = process.cpuUsage(cpu);
  delay.disable();
  const cpuS = ((used.user + used.system) / 1e6).toFixed(1);
  const maxDelayMs = Math.round(delay.max / 1e6);
  const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
  console.log(`${name}: ${ms} ms (node ${cpuS} s of CPU, longest pause ${maxDelayMs} ms, ${rssMb} MB resident)`);
}

async function editOnce(db: Db, root: string, round: number): Promise<number> {
  const path = notePath(round % files);
  const text = `# Edited ${randomUUID()}\n`;
  if (round % 2 === 0) {
    await writeFile(join(root, path), text);
  } else {
    await writeFile(join(root, `.swap-${round}`), text);
    await rename(join(root, `.swap-${round}`), join(root, path));
  }
  return until(async () => {
    const { rows } = await db.pool.query<{ title: string }>(
      "SELECT title FROM documents WHERE path = $1 AND deleted_at IS NULL",
      [path],
    );
    return rows[0]?.title === text.slice(2).trim();
  }, 30_000);
}

async function makeBurst(root: string): Promise<void> {
  const third = Math.floor(burst / 3);
  await writeNotes(root, 0, Math.min(third, files), 7);
  await writeNotes(root, files, files + third, 8);
  for (let index = 0; index < third && index < files; index += 1) {
    await rename(join(root, notePath(files - 1 - index)), join(root, `moved-${files - 1 - index}.md`));
  }
}

await withBenchDatabase(async (db, dataDir) => {
  const root = join(dataDir, "vault");
  await mkdir(root);
  await db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Bench', 'b@x.y', now())", [
    uuidV7(),
  ]);
  const logger = { ...silentLogger, warn: console.warn, error: console.error };
  const processes = createProcessRegistry({ db, clock: systemClock, ids: uuidV7, logger, leaseMs: 30_000 });
  await processes.start();
  const start = async (): Promise<DocumentServices> => {
    const services = createDocumentServices({
      db,
      processes,
      clock: systemClock,
      ids: uuidV7,
      events: createEventBus(console.error),
      logger,
      vaultRoot: root,
      dataDir,
      maxContentBytes: 32 * 1024 * 1024,
      largeReads: createLargeReads(() => true),
    });
    await services.vaultMirror.start();
    return services;
  };
  await writeNotes(root, 0, files, 1);

  let services = await start();
  try {
    await measured(`first comparison of ${files} files`, () =>
      until(async () => (await count(db, ACTIVE)) === files, 300_000),
    );
    await measured("  then, until searches find all of them", () =>
      until(async () => (await count(db, UNINDEXED)) === 0, 300_000),
    );
    await services.vaultMirror.close();

    services = await start();
    await measured("restart with nothing changed", () =>
      until(async () => services.vaultMirror.status.files === files, 60_000),
    );

    const latencies: number[] = [];
    for (let round = 0; round < edits; round += 1) latencies.push(await editOnce(db, root, round));
    latencies.sort((one, other) => one - other);
    const at = (share: number) => latencies[Math.min(Math.floor(latencies.length * share), latencies.length - 1)];
    console.log(`a change noticed: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);

    const ids = await count(db, ACTIVE);
    const burstAt = new Date();
    await measured(`burst of ${burst} changes (edited, new, moved), made`, () => makeBurst(root));
    const third = Math.floor(burst / 3);
    const documentsMissing = async (): Promise<Record<string, number>> => ({
      documents: files + third - (await count(db, ACTIVE)),
      moved: Math.min(third, files) - (await count(db, `${ACTIVE} AND path LIKE 'moved-%'`)),
      written:
        Math.min(third, files) + third - (await count(db, `${ACTIVE} AND modified_at >= '${burstAt.toISOString()}'`)),
    });
    const textsMissing = async (): Promise<Record<string, number>> => ({ texts: await count(db, UNINDEXED) });
    const untilNone = (missing: () => Promise<Record<string, number>>) => async (): Promise<unknown> =>
      until(async () => Object.values(await missing()).every((number) => number === 0), 120_000).catch(async () =>
        console.log("  NOT CONVERGED, missing:", await missing()),
      );
    await measured("  then, until the documents reflect all of it", untilNone(documentsMissing));
    await measured("  then, until searches find all of it", untilNone(textsMissing));
    const kept = await count(db, "documents");
    console.log(`  documents that lost their id in a move: ${kept - ids - third}`);

    await rm(root, { recursive: true });
    await until(async () => services.vaultMirror.status.suspendedFor !== null, 30_000);
    console.log(`vault removed: ${files + third - (await count(db, ACTIVE))} documents deleted`);
  } finally {
    await services.vaultMirror.close();
    await processes.close();
  }
});
