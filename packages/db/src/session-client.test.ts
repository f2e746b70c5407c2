import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { SessionClient } from "./session-client.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const SETTINGS = ["TimeZone", "DateStyle", "idle_in_transaction_session_timeout", "work_mem", "application_name"];

async function settingsOf(parameters: Record<string, string>, name?: string): Promise<Record<string, string>> {
  const url = new URL(database.url);
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  const client = new SessionClient({
    connectionString: url.toString(),
    ...(name !== undefined && { application_name: name }),
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    expect(client.backendPid).toBe(rows[0]?.pid);
    const { rows: settings } = await client.query<{ name: string; setting: string }>(
      "SELECT name, current_setting(name) AS setting FROM unnest($1::text[]) AS name",
      [SETTINGS],
    );
    return Object.fromEntries(settings.map(({ name, setting }) => [name, setting]));
  } finally {
    await client.end();
  }
}

describe("SessionClient", () => {
  it("sets what all sessions need, and keeps the other options of the connection string", async () => {
    const settings = await settingsOf({ options: "-c TimeZone=Asia/Tokyo -c DateStyle=German -c work_mem=8MB" });
    expect(settings).toEqual({
      TimeZone: "UTC",
      DateStyle: "ISO, DMY",
      idle_in_transaction_session_timeout: "1min",
      work_mem: "8MB",
      application_name: "workspace",
    });
  });

  it("has the name that it is given rather than that of the connection string", async () => {
    expect(await settingsOf({ application_name: "theirs" })).toMatchObject({ application_name: "theirs" });
    expect(await settingsOf({ application_name: "theirs" }, "ours")).toMatchObject({ application_name: "ours" });
  });

  it("connects for a callback, too, and reports to it that it cannot", async () => {
    const client = new SessionClient(database.poolConfig);
    await new Promise<void>((resolve, reject) => {
      client.connect((error: Error | null) => (error === null ? resolve() : reject(error)));
    });
    await client.end();
    const refused = new Promise((resolve) => new SessionClient({ host: "127.0.0.1", port: 1 }).connect(resolve));
    expect(await refused).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("reports a server that accepts connections and sends nothing as unavailable", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const client = new SessionClient({ host: "127.0.0.1", port, connectionTimeoutMillis: 200 });
    client.on("error", () => {});
    const error: unknown = await client.connect().catch((reason: unknown) => reason);
    silent.close();
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});
