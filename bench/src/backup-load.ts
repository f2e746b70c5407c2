/**
 * How long requests wait while a backup is made, beside without: puts a mixed load on the built server, and makes a first backup
 * and some after changes, each in turn with as long a time without. One backup after changes takes a few seconds, in which the slowest
 * of a hundred requests would decide, so all of them count as one:
 *
 *   npm run bench -- backup-load [tasks=100000] [documents=20000] [events=1000000] [requests per second=20]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb } from "@workspace/db";
import { signIn, startService } from "./processes.ts";
import { seedHookEvents, seedTasks, seedVault } from "./seed.ts";
import { createSoakClient } from "./soak-client.ts";

const [tasks = 100_000, documents = 20_000, events = 1_000_000, perSecond = 20] = process.argv.slice(2).map(Number);
const PORT = 3978;
const NEXT_BACKUPS = 12;
const GOAL = 2;
const url = `http://127.0.0.1:${PORT}`;

const dataDir = await mkdtemp(join(tmpdir(), "workspace-backup-load-"));
const service = await startService(dataDir, PORT, { BACKUP_DIR: join(dataDir, "backups") });
try {
  await seed();
  const cookie = await signIn(url);
  const client = await createSoakClient(url, cookie);
  await measure(client.next, () => sleep(5000));
  const first = await compare(client.next, cookie);
  report("first backup", [first]);
  const next: Comparison[] = [];
  while (next.length < NEXT_BACKUPS) next.push(await compare(client.next, cookie));
  report(`${NEXT_BACKUPS} next backups`, next);
  const { answered, failed } = client.counts();
  console.log(`${answered} answered, ${failed} failed`);
  client.close();
} finally {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function seed(): Promise<void> {
  const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
  const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
  try {
    await seedTasks(pool, tasks);
    await seedHookEvents(pool, events);
    await seedVault(pool, join(dataDir, "vault"), documents);
    await pool.query("VACUUM ANALYZE");
  } finally {
    await close();
  }
}

interface Comparison {
  readonly during: Measured;
  readonly without: Measured;
}

/** Makes a backup under load, and puts the same load on the server for as long without one. */
async function compare(send: () => Promise<void>, cookie: string): Promise<Comparison> {
  const during = await measure(send, () => makeBackup(cookie));
  return { during, without: await measure(send, () => sleep(during.seconds * 1000)) };
}

function report(name: string, comparisons: readonly Comparison[]): void {
  const seconds = comparisons.reduce((sum, { during }) => sum + during.seconds, 0);
  const during = sorted(comparisons.flatMap((comparison) => comparison.during.waitsMs));
  const without = sorted(comparisons.flatMap((comparison) => comparison.without.waitsMs));
  const ratio = at(during, 0.99) / at(without, 0.99);
  if (ratio > GOAL) process.exitCode = 1;
  console.log(`${name}, ${seconds.toFixed(1)} s: ${describe(during)}`);
  console.log(
    `  without: ${describe(without)}; p99 ${ratio.toFixed(1)} times (goal: ${GOAL}, ${ratio <= GOAL ? "ok" : "MISSED"})`,
  );
}

interface Measured {
  readonly seconds: number;
  /** From the moment at which each request was due. */
  readonly waitsMs: readonly number[];
}

/** Sends requests at a fixed rate, however long they take, until some work has ended. */
async function measure(send: () => Promise<void>, work: () => Promise<unknown>): Promise<Measured> {
  const done = new AbortController();
  const startedAt = performance.now();
  const working = work().finally(() => done.abort());
  // It is awaited once no more requests are due.
  void working.catch(() => undefined);
  const waitsMs: number[] = [];
  const sent: Promise<void>[] = [];
  for (let count = 0; !done.signal.aborted; count += 1) {
    const dueAt = startedAt + (count * 1000) / perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    sent.push(send().then(() => void waitsMs.push(performance.now() - dueAt)));
  }
  await working;
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(sent);
  return { seconds, waitsMs };
}

/** Makes a backup as the settings page does, and waits for its end. */
async function makeBackup(cookie: string): Promise<void> {
  const begun: { data: Run } = JSON.parse(await request("POST", "/api/backups", cookie));
  for (;;) {
    await sleep(200);
    const { data: runs }: { data: Run[] } = JSON.parse(await request("GET", "/api/backups/runs?limit=5", cookie));
    const { status, message } = runs.find(({ id }) => id === begun.data.id) ?? { status: "running", message: null };
    if (status === "done") return;
    if (status !== "running") throw new Error(`The backup ended as ${status}: ${message}`);
  }
}

interface Run {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
}

async function request(method: string, path: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { method, headers: { Cookie: cookie } });
  return response.text();
}

function sorted(waitsMs: readonly number[]): number[] {
  return waitsMs.toSorted((a, b) => a - b);
}

function describe(waitsMs: readonly number[]): string {
  return `p50 ${at(waitsMs, 0.5).toFixed(0)} ms, p99 ${at(waitsMs, 0.99).toFixed(0)} ms of ${waitsMs.length}`;
}

/** The time within which a share of the requests, in order of length, was answered. */
function at(inOrder: readonly number[], share: number): number {
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
}
