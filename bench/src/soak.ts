/**
 * Checks whether the server's memory grows with the requests that it has handled: puts a mixed load on the built server for
 * an hour, and reports its memory and the database's every ten minutes. Together they have what is resident of the server and the
 * private memory of the database.
 *
 *   npm run bench -- soak [minutes=60] [requests per second=50]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb } from "@workspace/db";
import { postgresMemory, signIn, startService } from "./processes.ts";
import { seedHookEvents, seedTasks, seedVault } from "./seed.ts";
import { createSoakClient, SOAK_NOTES } from "./soak-client.ts";

const minutes = Number(process.argv[2] ?? 60);
const perSecond = Number(process.argv[3] ?? 50);
const REPORT_EACH_MS = minutes >= 30 ? 600_000 : 60_000;
const PORT = 3994;
const MAX_IN_FLIGHT = 32;

interface Sample {
  readonly atMs: number;
  readonly rss: number;
  readonly heapTotal: number;
  readonly liveBytes: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly handles: number;
}

const dataDir = await mkdtemp(join(tmpdir(), "workspace-soak-"));
const samplesPath = join(dataDir, "samples.jsonl");
const probe = pathToFileURL(join(import.meta.dirname, "memory-probe.mjs")).href;
const url = `http://127.0.0.1:${PORT}`;
const service = await startService(dataDir, PORT, { MEMORY_SAMPLES: samplesPath }, [
  `--import=${probe}`,
  "--heapsnapshot-signal=SIGUSR2",
]);
try {
  await seed();
  const client = await createSoakClient(url, await signIn(url));
  console.log(`pid ${service.pid}, ${perSecond} requests a second for ${minutes} minutes, data in ${dataDir}`);
  const startedAt = Date.now();
  const end = startedAt + minutes * 60_000;
  let nextReport = startedAt;
  let issued = 0;
  let inFlight = 0;
  while (Date.now() < end) {
    const due = Math.floor(((Date.now() - startedAt) / 1000) * perSecond);
    // Requests that could not be sent in time are skipped rather than sent in a burst.
    if (issued < due && inFlight < MAX_IN_FLIGHT) {
      inFlight += 1;
      void client.next().finally(() => (inFlight -= 1));
    }
    if (issued < due) issued += 1;
    else await sleep(5);
    if (Date.now() >= nextReport) {
      await report(Math.round((Date.now() - startedAt) / 60_000), client.counts());
      nextReport += REPORT_EACH_MS;
    }
  }
  client.close();
  await report(minutes, client.counts());
  await sleep(60_000);
  await report(minutes + 1, client.counts());
} finally {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function seed(): Promise<void> {
  const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
  const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
  try {
    await seedTasks(pool, 20_000);
    await seedHookEvents(pool, 50_000);
    await seedVault(pool, join(dataDir, "vault"), SOAK_NOTES);
    await pool.query("VACUUM ANALYZE");
  } finally {
    await close();
  }
}

async function report(minute: number, counts: { answered: number; failed: number; sockets: number }): Promise<void> {
  const lines = (await readFile(samplesPath, "utf8").catch(() => "")).trim().split("\n");
  const last: Sample = JSON.parse(lines.at(-1) || "{}");
  const database = await postgresMemory(join(dataDir, "postgres"));
  console.log(
    [
      `minute ${String(minute).padStart(3)}`,
      `${counts.answered} answered, ${counts.failed} failed, ${counts.sockets} sockets opened`,
      `resident ${mb(last.rss)}`,
      `heap ${mb(last.heapTotal)}`,
      `live ${mb(last.liveBytes)}`,
      `external ${mb(last.external)}`,
      `array buffers ${mb(last.arrayBuffers)}`,
      `${last.handles} handles`,
      `database ${mb(database.privateBytes)} private in ${database.processes} processes, ${mb(database.sharedBytes)} shared`,
      `together ${mb(last.rss + database.privateBytes)}`,
    ].join("  "),
  );
}

function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
