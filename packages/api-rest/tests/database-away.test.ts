import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Cable } from "./cable.ts";
import { ADMIN, startTestServer, type Request, type TestServer } from "./test-server.ts";

let database: TestDatabase;
let cable: Cable;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  database = await createTestDatabase();
  const { host = "", port = 0, user = "", database: name = "" } = database.poolConfig;
  cable = new Cable(`${host}/.s.PGSQL.${port}`);
  server = await startTestServer({
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${await cable.listen()}/${name}`,
    LOG_LEVEL: "fatal",
  });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  cable.close();
  await database.close();
});

test("without the database everything is 503, and works again by itself once it is back", async () => {
  await api("POST", "/api/tasks", { body: { title: "before" } });
  cable.pull();
  const away = { status: 503, body: { statusCode: 503, statusMessage: "Service Unavailable" } };
  expect(await api("GET", "/api/tasks")).toMatchObject(away);
  expect(await api("POST", "/api/tasks", { body: { title: "lost" } })).toMatchObject(away);
  expect(await api("GET", "/api/projects")).toMatchObject(away);
  expect(await server.withToken("GET", "/api/tasks")).toMatchObject(away);
  expect(
    await server.anonymous("POST", "/api/auth/sign-in/email", {
      body: { email: "a@example.com", password: "password" },
    }),
  ).toMatchObject(away);
  expect(await api("GET", "/api/auth/get-session")).toMatchObject(away);
  const signedOut = await api("POST", "/api/auth/sign-out");
  expect(signedOut).toMatchObject(away);
  expect(signedOut.headers.getSetCookie()).toEqual([]);
  const passwords = { currentPassword: ADMIN.password, newPassword: "another password" };
  expect(await api("POST", "/api/auth/change-password", { body: passwords })).toMatchObject(away);
  expect(await api("POST", "/api/auth/update-user", { body: { name: "Lost" } })).toMatchObject(away);
  expect(await server.anonymous("GET", "/api/health")).toMatchObject({
    status: 503,
    body: { data: { status: "degraded", database: { available: false, latencyMs: null } } },
  });
  const unready = { status: 503, body: { data: { status: "unavailable", missing: ["database"] } } };
  expect(await server.anonymous("GET", "/readyz")).toMatchObject(unready);
  expect((await server.anonymous("GET", "/livez")).status).toBe(200);

  cable.plugIn();
  await vi.waitFor(async () => expect((await api("GET", "/api/tasks")).status).toBe(200), {
    timeout: 10_000,
    interval: 50,
  });
  expect((await api("GET", "/api/tasks")).body.data.map((task: any) => task.title)).toEqual(["before"]);
});
