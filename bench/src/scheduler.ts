/**
 * Three services on one database with agents that are due every second, killed and restarted at random: `npm run
 * bench -- scheduler <agents> <seconds>`. Counts the ticks that were missed and those that ran twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { postJson, prepareServices } from "./model-service.ts";
import { countTicks } from "./tick-counts.ts";

const agents = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 120);
const SERVICES = 3;
/** The embedded database is sized for one service; each has up to 17 connections. */
const SETTINGS = { max_connections: "100" };

/** Services that have just started, or are busy, may lag a little. */
async function untilCaughtUp(db: Db, last: Date): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (performance.now() < deadline) {
    const { rows } = await db.pool.query<{ behind: number }>(
      `SELECT count(*) AS behind FROM agents a
       WHERE (SELECT max(tick_at) FROM agent_ticks WHERE agent_id = a.id) < $1::timestamptz + interval '5 seconds'`,
      [last],
    );
    if (rows[0]?.behind === 0) return;
    await sleep(500);
  }
}

await withBenchDatabase(async (db, dataDir) => {
  const services = await prepareServices(dataDir, { PROCESS_LEASE_S: "6", LOG_LEVEL: "error" });
  // A model takes its time; a run lasts about three ticks.
  services.model.replyAlways({ text: "Done.", delayMs: 1000 });
  const running = await Promise.all(Array.from({ length: SERVICES }, (_, index) => services.start(index)));
  try {
    for (let index = 0; index < agents; index += 1) {
      await postJson(`${services.url(0)}/api/agents`, {
        name: `Agent ${index}`,
        schedule: "* * * * * *",
        prompt: "Go",
      });
    }
    const end = performance.now() + seconds * 1000;
    let kills = 0;
    while (performance.now() < end) {
      await sleep(4000 + Math.random() * 6000);
      const victim = Math.floor(Math.random() * SERVICES);
      await running[victim]?.kill();
      kills += 1;
      await sleep(Math.random() * 3000);
      running[victim] = await services.start(victim);
    }
    const last = new Date();
    await untilCaughtUp(db, last);
    await db.pool.query("UPDATE agents SET enabled = false");
    const { due, taken, started, overlapping, late, duplicated, medianLagS, worstLagS } = await countTicks(db, last);
    console.log(`${agents} agents every second for ${seconds} s, ${SERVICES} services, ${kills} kills:`);
    console.log(`  due ${due}, missed ${due - taken}, run twice ${duplicated}`);
    console.log(`  taken after ${medianLagS} s (median), ${worstLagS} s at worst`);
    console.log(`  run ${started}, skipped because the agent was still running ${overlapping}, too late ${late}`);
    await sleep(10_000);
    const { rows } = await db.pool.query<{ status: string; runs: number }>(
      "SELECT status, count(*) AS runs FROM agent_runs GROUP BY status ORDER BY runs DESC",
    );
    console.log(`  runs by outcome: ${rows.map(({ status, runs }) => `${status} ${runs}`).join(", ")}`);
  } finally {
    await services.close();
  }
}, SETTINGS);
