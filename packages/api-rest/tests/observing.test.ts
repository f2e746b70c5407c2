import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const TOKEN = "a token for the metrics";
const BEARER = { Authorization: `Bearer ${TOKEN}` };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ METRICS_TOKEN: TOKEN, ACCESS_LOG: "on" });
});
afterAll(() => server.close());

async function scrape(from = server): Promise<string> {
  const { status, headers, body } = await from.anonymous("GET", "/metrics", { headers: BEARER });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return String(body);
}

/** The value of a series; NaN without it. */
function valueOf(text: string, series: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}

const count = (method: string, surface: string, status: number): string =>
  `workspace_http_request_duration_seconds_count{method="${method}",surface="${surface}",status="${status}"}`;

/** The lines of the access log with this id. */
const linesOf = (id: string): any[] =>
  server.output
    .filter((line) => line.startsWith("{") && line.includes(`"${id}"`))
    .map((line) => JSON.parse(line))
    .filter(({ log }) => log === "access");

describe("the metrics", () => {
  test("are for who has the token, and for nobody without one", async () => {
    for (const headers of [{}, { Authorization: "Bearer another token" }, { Authorization: `Basic ${TOKEN}` }]) {
      expect((await server.anonymous("GET", "/metrics", { headers })).status).toBe(401);
    }
    expect((await server.withToken("GET", "/metrics")).status).toBe(401);
    const plain = await startTestServer();
    try {
      const { status, body } = await plain.anonymous("GET", "/metrics", { headers: BEARER });
      expect([status, JSON.stringify(body)]).not.toEqual([200, expect.stringContaining("workspace_")]);
    } finally {
      await plain.close();
    }
  });

  test("count requests by what they asked for and how they ended", async () => {
    const before = await scrape();
    await server.withToken("GET", "/api/tasks");
    await server.withToken("GET", "/api/tasks?limit=1");
    await server.anonymous("GET", "/api/tasks");
    await server.withToken("GET", "/api/tasks/nothing");
    await expect
      .poll(async () => {
        const after = await scrape();
        return [200, 401, 404].map(
          (status) =>
            (valueOf(after, count("GET", "api", status)) || 0) - (valueOf(before, count("GET", "api", status)) || 0),
        );
      })
      .toEqual([2, 1, 1]);
    const text = await scrape();
    expect(text).not.toContain("/api/tasks");
    expect(valueOf(text, "workspace_http_requests_in_flight")).toBeGreaterThanOrEqual(1);
  });

  test("have few series, whatever is asked for", async () => {
    for (let index = 0; index < 50; index += 1) await server.anonymous("GET", `/nothing-${index}/at/all?${index}`);
    const text = await scrape();
    const series = text.split("\n").filter((line) => line.startsWith("workspace_http_request_duration_seconds_count"));
    expect(series.length).toBeLessThan(20);
  });

  test("tell of the database, the mirror, runs, spending, hooks, sockets and memory", async () => {
    const { rows } = await server.db.pool.query<{ id: string }>("SELECT id FROM users LIMIT 1");
    await server.db.pool.query(
      `WITH agent AS (
         INSERT INTO agents (id, name, prompt, schedule, scheduled_since, creator_id, created_at, updated_at)
         VALUES (gen_random_uuid(), 'Observed', 'Look', '0 0 1 1 *', now(), $1, now(), now()) RETURNING id)
       INSERT INTO agent_runs (id, agent_id, status, trigger, started_at, completed_at)
       SELECT gen_random_uuid(), id, 'success', 'manual', now(), now() FROM agent`,
      [rows[0]?.id],
    );
    const client = await connectRealtime(server.url);
    const text = await scrape();
    await client.close();
    expect(valueOf(text, "workspace_database_up")).toBe(1);
    expect(valueOf(text, 'workspace_agent_runs_last_hour{status="success"}')).toBe(1);
    expect(valueOf(text, "workspace_agent_runs_running")).toBe(0);
    expect(valueOf(text, "workspace_mirror_leader")).toBe(1);
    expect(valueOf(text, "workspace_scheduler_running")).toBe(1);
    expect(valueOf(text, "workspace_spend_today_usd")).toBe(0);
    expect(text).not.toContain("workspace_spend_limit_usd 0");
    expect(valueOf(text, 'workspace_hook_events_last_day{outcome="blocked"}')).toBe(0);
    expect(valueOf(text, "workspace_sockets")).toBe(1);
    expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    for (const state of ["idle", "active"]) {
      expect(valueOf(text, `workspace_database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("the metrics of backups and webhooks", () => {
  test("tell when the last backup began and was made, and whether checks have found it whole", async () => {
    expect(await scrape()).not.toMatch(/^workspace_backup_\w+ /m);
    const insert = `INSERT INTO backup_runs (id, kind, status, is_scheduled, process_id, vault_bytes, stored_bytes, started_at)
      VALUES (gen_random_uuid(), $1, $2, true, gen_random_uuid(), $3, $4, $5)`;
    const runs: (string | number | null)[][] = [
      ["backup", "done", 3_000, 700, "2026-01-02T03:00:00Z"],
      ["backup", "failed", null, null, "2026-01-03T03:00:00Z"],
      ["verify", "failed", null, null, "2026-01-02T04:00:00Z"],
      ["drill", "failed", null, null, "2026-01-02T05:00:00Z"],
      ["drill", "done", null, null, "2026-01-02T06:00:00Z"],
    ];
    for (const run of runs) await server.db.pool.query(insert, run);
    const text = await scrape();
    const seconds = (time: string) => Date.parse(time) / 1000;
    expect(valueOf(text, "workspace_backup_last_success_timestamp_seconds")).toBe(seconds("2026-01-02T03:00:00Z"));
    expect(valueOf(text, "workspace_backup_last_attempt_timestamp_seconds")).toBe(seconds("2026-01-03T03:00:00Z"));
    expect(valueOf(text, "workspace_backup_last_attempt_success")).toBe(0);
    expect(valueOf(text, "workspace_backup_last_success_vault_bytes")).toBe(3_000);
    expect(valueOf(text, "workspace_backup_last_success_stored_bytes")).toBe(700);
    expect(valueOf(text, 'workspace_backup_check_success{check="verify"}')).toBe(0);
    expect(valueOf(text, 'workspace_backup_check_success{check="drill"}')).toBe(1);
    await server.db.pool.query("DELETE FROM backup_runs");
    expect(await scrape()).not.toMatch(/^workspace_backup_\w+ /m);
  });

  test("count deliveries by result, and those that wait", async () => {
    await server.db.pool.query(
      `WITH hook AS (
         INSERT INTO webhooks (id, name, url, events, is_enabled, creator_id, last_seq, created_at)
         SELECT gen_random_uuid(), 'Observed', 'https://example.org', '{task.*}', false, id, 0, now() FROM users LIMIT 1
         RETURNING id)
       INSERT INTO webhook_deliveries (id, webhook_id, type, resource_id, occurred_at, status, last_attempt_at)
       SELECT gen_random_uuid(), id, 'task.create', 'x', now(), status::webhook_delivery_status, at
       FROM hook, (VALUES ('pending', now()), ('pending', NULL), ('delivered', now()), ('failed', now()), ('failed', now()),
         ('failed', now() - interval '2 hours')) AS d (status, at)`,
    );
    const text = await scrape();
    expect(valueOf(text, "workspace_webhook_deliveries_pending")).toBe(2);
    expect(valueOf(text, 'workspace_webhook_deliveries_last_hour{result="delivered"}')).toBe(1);
    expect(valueOf(text, 'workspace_webhook_deliveries_last_hour{result="failed"}')).toBe(2);
  });
});

describe("the access log", () => {
  test("has one line for each request, with the id that was sent, and without what is in the query", async () => {
    const headers = { "X-Request-Id": "trace-42/of.a:proxy" };
    const { headers: sent } = await server.withToken("GET", "/api/tasks?search=private", { headers });
    expect(sent.get("x-request-id")).toBe("trace-42/of.a:proxy");
    await expect
      .poll(() => linesOf("trace-42/of.a:proxy"), { timeout: 10_000 })
      .toMatchObject([
        { method: "GET", path: "/api/tasks", status: 200, ms: expect.any(Number), address: "127.0.0.1" },
      ]);
    expect(server.output.join("\n")).not.toContain("private");
  });

  test("names a request anew whose id could be mistaken for something else", async () => {
    for (const id of ["a b", "x".repeat(129), '"}', "a,b"]) {
      const { headers } = await server.withToken("GET", "/api/tasks", { headers: { "X-Request-Id": id } });
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
  });

  test("hides the secret of a calendar feed", async () => {
    const { headers } = await server.anonymous("GET", "/feeds/very-secret.ics");
    const id = headers.get("x-request-id") ?? "";
    await expect.poll(() => linesOf(id).map(({ path }) => path), { timeout: 10_000 }).toEqual(["/feeds/…"]);
    expect(server.output.join("\n")).not.toContain("very-secret");
  });

  test("is complete after a normal stop", async () => {
    const stopped = await startTestServer({ ACCESS_LOG: "on" });
    const ids = Array.from({ length: 200 }, (_, index) => `last-${index}`);
    await Promise.all(ids.map((id) => stopped.anonymous("GET", "/livez", { headers: { "X-Request-Id": id } })));
    await stopped.close();
    const isLogged = (id: string): boolean => stopped.output.some((line) => line.includes(`"${id}"`));
    await expect.poll(() => ids.filter((id) => !isLogged(id))).toEqual([]);
  });
});
