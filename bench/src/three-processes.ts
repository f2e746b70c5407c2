/**
 * Three services behind nginx on one database and one vault, under a mixed load, while one is killed, one is frozen, and the
 * database is restarted and hangs: `npm run bench -- three-processes <minutes>`. Counts acknowledged writes that were lost and
 * wrong responses, and reports the longest wait. Needs nginx.
 */
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { createTally, startCheckedClient, type Tally } from "./checked-client.ts";
import { prepareServices, tokenHeaders } from "./model-service.ts";
import { startLoadBalancer } from "./nginx.ts";
import type { StartedProcess } from "./processes.ts";

const minutes = Number(process.argv[2] ?? 30);
const SERVICES = 3;
const CLIENTS = 16;
const FIRST_PORT = 3980;
const BALANCER_PORT = 3979;
const FROZEN_MS = 60_000;
const HUNG_MS = 30_000;
const AWAY_MS = 20_000;
const SETTINGS = { max_connections: "100" };

/** Every process of the bench's database, the postmaster first. */
async function databaseProcesses(dataDir: string): Promise<number[]> {
  const postmaster = Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      return { pid, parent: Number(stat.split(") ")[1]?.split(" ")[1]) };
    }),
  );
  return [postmaster, ...parents.filter(({ parent }) => parent === postmaster).map(({ pid }) => pid)];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
}

function report(tally: Tally, losses: readonly string[]): void {
  const refusals = [...tally.refusals].map(([status, count]) => `${status} × ${count}`).join(", ");
  console.log(`${minutes} minutes, ${SERVICES} services behind nginx, ${CLIENTS} clients:`);
  console.log(`  requests ${tally.requests}, acknowledged writes ${tally.acknowledgedWrites}`);
  console.log(`  acknowledged writes lost ${losses.length}, wrong responses ${tally.wrongResponses.length}`);
  console.log(`  longest wait ${tally.longestWaitMs} ms (${tally.longestWait})`);
  console.log(`  refused or unanswered: ${refusals || "none"}`);
  for (const sentence of [...losses, ...tally.wrongResponses].slice(0, 20))
    console.log(`  ! ${sentence.slice(0, 200)}`);
}

async function findLostEvents({ pool }: Db, events: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM unnest($1::uuid[]) AS acknowledged (id) WHERE NOT EXISTS (SELECT FROM hook_events h WHERE h.id = acknowledged.id)",
    [events],
  );
  return rows.map(({ id }) => `event ${id}`);
}

await withBenchDatabase(async (db, dataDir) => {
  const vaultPath = join(dataDir, "vault");
  await mkdir(vaultPath);
  const services = await prepareServices(dataDir, {
    VAULT_PATH: vaultPath,
    PROCESS_LEASE_S: "10",
    LOG_LEVEL: "error",
  });
  const running: StartedProcess[] = [];
  for (let index = 0; index < SERVICES; index += 1) running.push(await services.start(index));
  const ports = running.map((_, index) => FIRST_PORT + index);
  const balancer = await startLoadBalancer(BALANCER_PORT, ports);
  const tally = createTally();
  const partMs = (minutes * 60_000) / 5;
  const step = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    await sleep(partMs);
    const health = await Promise.all(
      ports.map(async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/health`, {
          headers: tokenHeaders,
          signal: AbortSignal.timeout(15_000),
        }).catch(() => undefined);
        return response === undefined
          ? "no response"
          : ((await response.json()) as { data: { status: string } }).data.status;
      }),
    );
    console.log(`${tally.requests} requests, health ${health.join(" ")}; now ${title}`);
    await work();
  };
  try {
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      startCheckedClient(balancer.url, `client-${index}`, tally),
    );
    await step("one service is killed", async () => {
      await running[0]?.kill();
      await sleep(AWAY_MS);
      running[0] = await services.start(0);
    });
    await step("one service is frozen", async () => {
      const pid = running[1]?.pid ?? 0;
      process.kill(pid, "SIGSTOP");
      await sleep(FROZEN_MS);
      process.kill(pid, "SIGCONT");
    });
    await step("the database is restarted", async () => {
      signalAll((await databaseProcesses(dataDir)).slice(0, 1), "SIGINT");
    });
    await step("the database hangs", async () => {
      const pids = await databaseProcesses(dataDir);
      signalAll(pids, "SIGSTOP");
      await sleep(HUNG_MS);
      signalAll(pids, "SIGCONT");
    });
    await step("the load ends", async () => undefined);
    for (const client of clients) client.stop();
    await Promise.all(clients.map(({ finished }) => finished));
    const losses = (await Promise.all(clients.map((client) => client.findLosses()))).flat();
    losses.push(
      ...(await findLostEvents(
        db,
        clients.flatMap(({ events }) => [...events]),
      )),
    );
    report(tally, losses);
    if (losses.length + tally.wrongResponses.length > 0) process.exitCode = 1;
  } finally {
    await balancer.close();
    await services.close();
  }
}, SETTINGS);
