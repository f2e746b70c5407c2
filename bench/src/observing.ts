/**
 * Measures what the access log and the metrics cost, with a task by its id: `npm run bench -- observing`. Two servers on one database
 * take turns, so that a slowdown of the machine affects both.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withBenchDatabase } from "./bench-database.ts";
import { load } from "./load.ts";
import { cpuMs, signIn, startService } from "./processes.ts";
import { seedTasks } from "./seed.ts";

const GOAL = 0.97;
const TASKS = 10_000;
const ROUNDS = 15;
const SECONDS = 2;
const OFF_PORT = 3992;
const ON_PORT = 3993;
const ON = { ACCESS_LOG: "on", METRICS_TOKEN: "a token that nobody asks with" };

await withBenchDatabase(async (db, dataDir) => {
  const start = async (name: string, port: number, env: Readonly<Record<string, string>>) => {
    const home = join(dataDir, name);
    await mkdir(home);
    return startService(home, port, {
      DATABASE_URL: `postgresql://workspace@localhost:5432/workspace?host=${encodeURIComponent(join(dataDir, "postgres"))}`,
      SERVICE_SECRET: "one secret for all services of the bench",
      SERVICE_ENCRYPTION_KEY: "one key for all services of the bench 0123456789",
      VAULT_PATH: join(dataDir, "shared-vault"),
      ...env,
    });
  };
  const off = await start("off", OFF_PORT, {});
  const on = await start("on", ON_PORT, ON);
  try {
    const { taskId } = await seedTasks(db.pool, TASKS);
    await db.pool.query("VACUUM ANALYZE");
    const requestTo = async (port: number) => {
      const url = `http://127.0.0.1:${port}`;
      return { url: `${url}/api/tasks/${taskId}`, method: "GET" as const, headers: { Cookie: await signIn(url) } };
    };
    const [plain, observed] = [await requestTo(OFF_PORT), await requestTo(ON_PORT)];
    for (const request of [plain, observed]) await load(request, 2);
    const shares: number[] = [];
    const sharesOfCpu: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const without = await measure(plain, off.pid);
      const withBoth = await measure(observed, on.pid);
      shares.push(withBoth.perSecond / without.perSecond);
      sharesOfCpu.push(without.cpuUs / withBoth.cpuUs);
    }
    const share = median(shares);
    console.log(
      `a task by its id with access log and metrics: ${share.toFixed(3)} of without (goal ${GOAL}) ${share >= GOAL ? "ok" : "LOW"}, ` +
        `by processor time ${median(sharesOfCpu).toFixed(3)}`,
    );
  } finally {
    await Promise.all([off.close(), on.close()]);
  }
});

async function measure(request: Parameters<typeof load>[0], pid: number) {
  const before = await cpuMs(pid);
  const { requestsPerSecond: perSecond, failures } = await load(request, SECONDS);
  if (failures > 0) throw new Error("Some requests failed.");
  return { perSecond, cpuUs: (((await cpuMs(pid)) - before) * 1000) / (perSecond * SECONDS) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
