import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ADMIN, API_TOKEN } from "./credentials.ts";

const MAIN = join(import.meta.dirname, "../dist/main.js");
const WRITERS = 50;

export type Victim = "service" | "database";

export interface KillReport {
  readonly kills: number;
  /** Writes that were acknowledged before a kill. */
  readonly acknowledged: number;
  /** Those of them that were missing afterwards. */
  readonly lost: number;
  /** The time from each kill until the service accepted a write again. */
  readonly recoveriesMs: readonly number[];
}

/**
 * Kills the service or its embedded database with SIGKILL, again and again, while many writers create tasks; after each kill
 * every task that was acknowledged must be there.
 */
export async function runKillRounds(victim: Victim, kills: number): Promise<KillReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-kill-"));
  const acknowledged = new Set<string>();
  const recoveriesMs: number[] = [];
  let service = await startService(dataDir, 0);
  let lost = 0;
  try {
    for (let round = 0; round < kills; round += 1) {
      const stop = startWriters(service.url, acknowledged);
      await untilGrown(acknowledged, 100);
      const killedAt = performance.now();
      if (victim === "service") {
        service.child.kill("SIGKILL");
        await once(service.child, "exit");
        await stop();
        service = await startService(dataDir, service.port);
      } else {
        process.kill(await readPostmasterPid(dataDir), "SIGKILL");
        await stop();
      }
      await untilWritable(service.url, acknowledged);
      recoveriesMs.push(Math.round(performance.now() - killedAt));
      lost += await countMissing(service.url, acknowledged);
    }
    return { kills, acknowledged: acknowledged.size, lost, recoveriesMs };
  } finally {
    if (service.child.exitCode === null) {
      service.child.kill("SIGTERM");
      await once(service.child, "exit");
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
}

async function startService(dataDir: string, port: number): Promise<Service> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SERVICE_API_TOKEN: API_TOKEN,
      LOG_LEVEL: "fatal",
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Workspace is ready at (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { child, url, port: Number(new URL(url).port) };
  }
  throw new Error("The service ended before it was ready.");
}

/** Starts writers that continue until a write fails or they are stopped. */
function startWriters(url: string, acknowledged: Set<string>): () => Promise<void> {
  let isStopped = false;
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const id = await createTask(url).catch(() => null);
      if (id === null) return;
      acknowledged.add(id);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  return async () => {
    isStopped = true;
    await Promise.all(writers);
  };
}

async function createTask(url: string): Promise<string | null> {
  const response = await fetch(`${url}/api/tasks`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Token": API_TOKEN },
    body: JSON.stringify({ title: "kept" }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.status !== 200) return null;
  const body: any = await response.json();
  return body.data.id;
}

async function untilGrown(set: ReadonlySet<string>, by: number): Promise<void> {
  const target = set.size + by;
  while (set.size < target) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function untilWritable(url: string, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const id = await createTask(url).catch(() => null);
    if (id !== null) {
      acknowledged.add(id);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function countMissing(url: string, acknowledged: ReadonlySet<string>): Promise<number> {
  for (;;) {
    const response = await fetch(`${url}/api/tasks`, { headers: { "X-API-Token": API_TOKEN } });
    const text = await response.text();
    if (response.ok) {
      const stored = new Set(JSON.parse(text).data.map((task: any) => task.id));
      return [...acknowledged].filter((id) => !stored.has(id)).length;
    }
    // A connection of the pool may still be one to the database that was killed.
    if (response.status !== 503) throw new Error(`The tasks could not be read: ${response.status} ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function readPostmasterPid(dataDir: string): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}
