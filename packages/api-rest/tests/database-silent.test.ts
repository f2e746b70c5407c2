import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Cable } from "./cable.ts";
import { connectRealtime } from "./realtime-client.ts";
import { createRequest, startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

let database: TestDatabase;
let cable: Cable;
let server: TestServer;
/** Another process on the database, whose connection is never interrupted. */
let reaching: TestServer;
let api: Request;

beforeAll(async () => {
  database = await createTestDatabase();
  const { host = "", port = 0, user = "", database: name = "" } = database.poolConfig;
  cable = new Cable(`${host}/.s.PGSQL.${port}`);
  const options = { LOG_LEVEL: "fatal", PROCESS_LEASE_S: "2" };
  const address = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  reaching = await startTestServer({ ...options, DATABASE_URL: address });
  server = await startTestServer({
    ...options,
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${await cable.listen()}/${name}`,
  });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await reaching.close();
  cable.close();
  await database.close();
});

test("a silent database is 503 within ten seconds everywhere, and everything recovers by itself, including events", async () => {
  const client = await connectRealtime(server.url);
  const addTask = async (at: TestServer, title: string): Promise<ApiResponse> =>
    at.withToken("POST", "/api/tasks", { body: { title } });
  const task = (await addTask(server, "before")).body.data;
  await client.waitFor(({ type, resourceId }) => type === "resource_change" && resourceId === task.id);

  const { key } = (await api("POST", "/api/api-keys", { body: { name: "k", scopes: ["tasks:read"] } })).body.data;
  const asProgram = createRequest(server.url, { Authorization: `Bearer ${key}` });

  cable.silence();
  const asks: readonly (() => Promise<ApiResponse>)[] = [
    () => api("GET", "/api/tasks"),
    () => api("GET", `/api/tasks/${task.id}`),
    () => api("PUT", `/api/tasks/${task.id}`, { body: { title: "lost" } }),
    () => api("POST", "/api/tasks", { body: { title: "Lost" } }),
    () => api("POST", "/api/fs/write", { body: { path: "/lost.md", content: "lost" } }),
    () =>
      server.anonymous("POST", "/api/auth/sign-in/email", { body: { email: "a@example.com", password: "password" } }),
    () => server.withToken("GET", "/api/hooks/events"),
    () => asProgram("GET", "/api/v1/tasks"),
    () => server.anonymous("GET", "/api/health"),
    () => server.anonymous("GET", "/readyz"),
  ];
  const responses = await Promise.all(
    asks.map(async (ask) => {
      const askedAt = performance.now();
      const { status } = await ask();
      return { status, isInTime: performance.now() - askedAt < 10_000 };
    }),
  );
  expect(responses).toEqual(asks.map(() => ({ status: 503, isInTime: true })));
  expect((await server.anonymous("GET", "/livez")).status).toBe(200);

  cable.plugIn();
  await vi.waitFor(async () => expect((await api("GET", "/api/tasks")).status).toBe(200), {
    timeout: 15_000,
    interval: 50,
  });
  // The connection for notifications of other processes has to be restored as well.
  await vi.waitFor(() => expect(client.frames).toContainEqual(expect.objectContaining({ type: "resync" })), {
    timeout: 20_000,
    interval: 50,
  });
  const other = (await addTask(reaching, "after")).body.data;
  await client.waitFor(({ type, resourceId }) => type === "resource_change" && resourceId === other.id);
  await client.close();
}, 60_000);
