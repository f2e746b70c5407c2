import { readFile } from "node:fs/promises";
import type { Pool } from "@workspace/db";

/** Of `/proc/<pid>/stat`, after the name. */
const PARENT_FIELD = 1;
const ENDED_FIELDS = { from: 13, to: 15 };
const TICK_MS = 10;

/** The processor time so far of the database, with the sessions and parallel workers that have ended, and of this process, in ms. */
export async function processorTimeMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number; own: number }>(
    "SELECT pid, pg_backend_pid() AS own FROM pg_stat_activity",
  );
  const postmaster = (await statOf(rows[0]?.own ?? 0))[PARENT_FIELD] ?? 0;
  const ended = (await statOf(postmaster)).slice(ENDED_FIELDS.from, ENDED_FIELDS.to);
  const own = process.cpuUsage();
  const sessions = await Promise.all(rows.map(({ pid }) => sessionMs(pid)));
  return [...sessions, ...ended.map((ticks) => ticks * TICK_MS)].reduce(
    (sum, ms) => sum + ms,
    (own.user + own.system) / 1_000,
  );
}

async function statOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

async function sessionMs(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0")).split(" ")[0]) / 1e6;
}
