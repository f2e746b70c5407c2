import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { makeDataDir } from "./service-process.ts";

/** `KILLS=500 npx vitest run packages/api-rest/tests/prune-kill.test.ts` is a long hunt, for a quiet machine. */
const KILLS = Number(process.env["KILLS"] ?? 4);
const WORKSPACE = join(import.meta.dirname, "../dist/workspace.js");
const OLD_EVENTS = 30_000;
const KEPT_EVENTS = 1_000;
const REPORTS = 5_000;
const SESSIONS = 50;

test(
  "removes everything that is old and nothing else, however often it is killed",
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const dataDir = await makeDataDir();
    await mkdir(join(dataDir, "vault"), { recursive: true });
    const query = async (text: string, values: unknown[] = []) => (await database.db.pool.query(text, values)).rows;
    const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, DATABASE_URL: database.url };
    const prune = (): ChildProcess => spawn(process.execPath, [WORKSPACE, "prune", "--json"], { env, stdio: "ignore" });

    const fill = async (days: number, events: number, reports: number): Promise<void> => {
      await query(
        `WITH events AS (
         INSERT INTO hook_events (id, event_type, session_id, created_at)
         SELECT gen_random_uuid(), 'PreToolUse', 's' || n % $3, now() - $1 * interval '1 day' - n * interval '1 second'
         FROM generate_series(1, $2::int) AS n RETURNING id, session_id, created_at
       )
       INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
       SELECT id, 'a.ts', session_id, 'p', '/p', false, '{}', created_at FROM events`,
        [days, events, SESSIONS],
      );
      await query(
        `INSERT INTO assistant_usage (id, session_id, message_id, request_id, input_tokens, output_tokens, cost_usd, created_at)
       SELECT gen_random_uuid(), 's' || n % $3, gen_random_uuid(), 'r', n, 1, 0.001, now() - $1 * interval '2 days' - n * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
        [days, reports, SESSIONS],
      );
    };
    const usedBySession = () =>
      query(`
      SELECT session_id, sum(messages)::int AS messages, sum(input)::bigint AS input, sum(cost) AS cost FROM (
        SELECT session_id, 1::bigint AS messages, input_tokens::bigint AS input, cost_usd AS cost FROM assistant_usage
        UNION ALL SELECT session_id, messages, input_tokens, cost_usd FROM assistant_session_usage
      ) AS used GROUP BY 1 ORDER BY 1`);
    const isHeld = async () =>
      (await query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1886549358")).length > 0;

    await fill(100, KEPT_EVENTS, 500);
    const kept = (await query("SELECT id FROM hook_events ORDER BY id")).map(({ id }) => id);
    const keptNow = async () =>
      (await query("SELECT id FROM hook_events WHERE id = ANY($1) ORDER BY id", [kept])).map(({ id }) => id);

    for (let round = 0; round < KILLS; round += 1) {
      await fill(400, OLD_EVENTS / KILLS, REPORTS / KILLS);
      const before = await usedBySession();
      const victim = prune();
      const exited = once(victim, "exit");
      while (!(await isHeld()) && victim.exitCode === null) await sleep(5);
      await Promise.race([sleep(Math.random() * 150), exited]);
      victim.kill("SIGKILL");
      await exited;
      expect(await usedBySession()).toEqual(before);
      expect(await keptNow()).toEqual(kept);
      expect(await query("SELECT FROM file_touches WHERE event_id NOT IN (SELECT id FROM hook_events)")).toEqual([]);
      // The database ends what the process has begun a moment later.
      await expect.poll(isHeld, { timeout: 60_000 }).toBe(false);
    }

    const before = await usedBySession();
    const [code]: unknown[] = await once(prune(), "exit");
    expect(code).toBe(0);
    expect(await usedBySession()).toEqual(before);
    expect((await query("SELECT id FROM hook_events ORDER BY id")).map(({ id }) => id)).toEqual(kept);
    expect(await query("SELECT FROM file_touches")).toHaveLength(KEPT_EVENTS);
    expect(await query("SELECT FROM assistant_usage")).toHaveLength(500);
    const [last] = await query("SELECT value FROM settings WHERE key = 'retention.last_run'");
    expect(last.value.completedAt).not.toBeNull();
  },
);
