/**
 * The cost of ten times the rows: sequential request times at 100,000 and at 1,000,000 tasks. `npm run bench -- growth`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb } from "@workspace/db";
import { signIn, startService } from "./processes.ts";
import { createScenarios } from "./scenarios.ts";
import { seedTasks } from "./seed.ts";

const SIZES = [100_000, 1_000_000];
const REQUESTS = 300;
const PORT = 3992;

const dataDir = await mkdtemp(join(tmpdir(), "workspace-growth-"));
const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
const service = await startService(dataDir, PORT);
const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
try {
  const headers = { Cookie: await signIn(`http://127.0.0.1:${PORT}`) };
  const first = new Map<string, number>();
  for (const size of SIZES) {
    await pool.query("TRUNCATE tasks, projects CASCADE");
    const seeded = await seedTasks(pool, size);
    for (const { name, path, method } of createScenarios(seeded)) {
      if (method !== "GET") continue;
      const ms = await medianMs(`http://127.0.0.1:${PORT}${path}`, headers);
      const before = first.get(name) ?? ms;
      first.set(name, before);
      console.log(
        `${String(size).padStart(9)} tasks  ${name.padEnd(30)} ${ms.toFixed(2)} ms, ${(ms / before).toFixed(2)} times`,
      );
    }
  }
} finally {
  await close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function medianMs(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const startedAt = performance.now();
    await (await fetch(url, { headers })).arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[REQUESTS / 2] ?? 0;
}
