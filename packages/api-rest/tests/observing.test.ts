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
