import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const KEY = /^wsk_[A-Za-z0-9_-]{43}$/;
const NOBODY = "00000000-0000-7000-8000-000000000000";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const create = async (body: object = {}) =>
  (await api("POST", "/api/api-keys", { body: { name: "k", scopes: ["tasks:read"], ...body } })).body.data;
const asProgram = (key: string) => createRequest(server.url, { Authorization: `Bearer ${key}` });
const statusOf = async (key: string, path = "/api/v1/tasks") => (await asProgram(key)("GET", path)).status;

describe("a key", () => {
  test("is shown once, stored as a hash, and listed without it", async () => {
    const { status, body } = await api("POST", "/api/api-keys", {
      body: { name: "  CI  ", scopes: ["tasks:read", "tasks:write", "tasks:read"] },
    });
    expect(status).toBe(201);
    const { key, ...rest } = body.data;
    expect(key).toMatch(KEY);
    expect(rest).toEqual({
      id: expect.any(String),
      name: "CI",
      scopes: ["tasks:read", "tasks:write"],
      folder: null,
      hint: key.slice(-4),
      expiresAt: null,
      createdAt: expect.any(String),
    });
    const listed = await api("GET", "/api/api-keys");
    expect(listed.body.data[0]).toMatchObject({ ...rest, lastUsedAt: null, creator: { name: "Ada" } });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    const { rows } = await server.db.pool.query("SELECT row_to_json(k)::text AS text FROM api_keys k");
    expect(rows.some(({ text }) => text.includes(key) || text.includes(key.slice(4)))).toBe(false);
  });

  test.each([
    ["no name", { name: undefined }],
    ["an empty name", { name: "  " }],
    ["no scope", { scopes: [] }],
    ["an unknown scope", { scopes: ["tasks:read", "everything"] }],
    ["scopes that are no list", { scopes: "tasks:read" }],
    ["an expiry that is no time", { expiresAt: "tomorrow" }],
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00.000Z" }],
  ])("with %s is refused", async (_what, body) => {
    expect((await api("POST", "/api/api-keys", { body: { name: "k", scopes: ["tasks:read"], ...body } })).status).toBe(
      400,
    );
  });

  test("shows when it was last used", async () => {
    const { id, key } = await create();
    expect(await statusOf(key)).toBe(200);
    await expect
      .poll(async () => (await api("GET", "/api/api-keys")).body.data.find((other: any) => other.id === id).lastUsedAt)
      .toMatch(/Z$/);
  });

  test("is revoked with immediate effect, and only once", async () => {
    const { id, key } = await create();
    expect(await statusOf(key)).toBe(200);
    expect((await api("DELETE", `/api/api-keys/${id}`)).body).toEqual({ data: { id, name: "k" } });
    expect(await statusOf(key)).toBe(401);
    expect((await api("DELETE", `/api/api-keys/${id}`)).status).toBe(404);
    expect((await api("DELETE", `/api/api-keys/${NOBODY}`)).status).toBe(404);
    expect((await api("DELETE", "/api/api-keys/x")).status).toBe(404);
  });

  test("expires on time", async () => {
    const { key } = await create({ expiresAt: new Date(Date.now() + 2_000).toISOString() });
    expect(await statusOf(key)).toBe(200);
    await expect.poll(() => statusOf(key), { interval: 50 }).toBe(401);
  });

  test("is revoked in all processes with immediate effect", async () => {
    const other = await startTestServer({ DATABASE_URL: server.databaseUrl });
    try {
      const { id, key } = await create();
      const elsewhere = createRequest(other.url, { Authorization: `Bearer ${key}` });
      expect((await elsewhere("GET", "/api/v1/tasks")).status).toBe(200);
      await api("DELETE", `/api/api-keys/${id}`);
      await expect.poll(async () => (await elsewhere("GET", "/api/v1/tasks")).status, { interval: 5 }).toBe(401);
    } finally {
      await other.close();
    }
  });

  test("loses scopes and validity with changes to its row, whoever makes them", async () => {
    const { id, key } = await create();
    expect(await statusOf(key)).toBe(200);
    await server.db.pool.query("UPDATE api_keys SET scopes = '{memory:read}' WHERE id = $1", [id]);
    await expect.poll(() => statusOf(key), { interval: 5 }).toBe(403);
    await server.db.pool.query("DELETE FROM api_keys WHERE id = $1", [id]);
    await expect.poll(() => statusOf(key), { interval: 5 }).toBe(401);
  });
});

describe("an invalid key", () => {
  test.each([
    ["nothing", undefined],
    ["an empty one", "Bearer "],
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["a short one", "Bearer wsk_abc"],
    ["an unknown one", `Bearer wsk_${"A".repeat(43)}`],
    ["a very long one", `Bearer wsk_${"A".repeat(8000)}`],
    ["a scheme alone", "Bearer"],
  ])("%s is 401 and says so", async (_what, authorization) => {
    const request = createRequest(server.url, authorization === undefined ? {} : { Authorization: authorization });
    const { status, headers, body } = await request("GET", "/api/v1/tasks");
    expect(status).toBe(401);
    expect(headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(body).toEqual({ message: "Send a valid API key as a bearer token." });
  });

  test("is refused a thousand times without affecting the valid one", async () => {
    const { key } = await create();
    const wrong = Array.from({ length: 1000 }, (_, index) => `wsk_${String(index).padStart(43, "x")}`);
    for (let start = 0; start < wrong.length; start += 50) {
      const statuses = await Promise.all(wrong.slice(start, start + 50).map((other) => statusOf(other)));
      expect(new Set(statuses)).toEqual(new Set([401]));
    }
    expect(await statusOf(key)).toBe(200);
  });
});

test("clients are notified of created and revoked keys", async () => {
  const { id } = await create({ name: "announced" });
  await api("DELETE", `/api/api-keys/${id}`);
  await expect
    .poll(async () => {
      const { rows } = await server.db.pool.query(
        "SELECT action, resource_name AS name FROM change_events WHERE resource = 'api_key' AND resource_id = $1 ORDER BY seq",
        [id],
      );
      return rows;
    })
    .toEqual([
      { action: "create", name: "announced" },
      { action: "delete", name: "announced" },
    ]);
});
