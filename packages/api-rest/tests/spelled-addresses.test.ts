import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw, type RawResponse } from "./raw-request.ts";
import { spellingsOf } from "./spellings.ts";
import { ADMIN, cookieOf, startTestServer, type Request, type TestServer } from "./test-server.ts";

const ID = "00000000-0000-7000-8000-000000000000";
const JSON_RPC = { jsonrpc: "2.0", id: 1, method: "tools/list" };

interface Plain {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** One URL for each way in which requests are routed; all of them refuse requests without credentials. */
const CLOSED: readonly Plain[] = [
  { method: "GET", path: "/api/tasks" },
  { method: "POST", path: "/api/tasks", body: { title: "forged" } },
  { method: "GET", path: `/api/tasks/${ID}` },
  { method: "DELETE", path: `/api/tasks/${ID}` },
  { method: "GET", path: "/api/secrets" },
  { method: "GET", path: "/api/secrets/FORGED" },
  { method: "POST", path: "/api/api-keys", body: { name: "forged", scopes: ["tasks:read"] } },
  { method: "GET", path: "/api/hooks/events" },
  { method: "GET", path: "/api/memory/search" },
  { method: "POST", path: "/api/fs/write", body: { path: "/forged.md", content: "x" } },
  { method: "GET", path: "/api/fs/raw", query: "?path=/private.md" },
  { method: "PUT", path: "/api/fs/raw", query: "?path=/forged.md", body: {} },
  { method: "GET", path: "/api/trpc/tasks.list", query: "?input={}" },
  { method: "GET", path: "/api/trpc/tasks.list,secrets.list", query: "?batch=1&input={}" },
  { method: "POST", path: "/api/trpc/tasks.create", body: { title: "forged" } },
  { method: "GET", path: "/api/v1/tasks" },
  { method: "POST", path: "/api/v1/tasks", body: { title: "forged" } },
  { method: "GET", path: "/api/v1/knowledge/private.md" },
  { method: "GET", path: "/api/v1/skill" },
  { method: "POST", path: "/mcp", body: JSON_RPC },
];

/** On a busy machine, a test that sends thousands of requests one by one mostly waits for its turn. */
const SENT_AT_ONCE = 8;

let server: TestServer;
let member: Request;
let cookie: string;
/** A key with the scope of hooks. */
let key: string;
/** A note that is not shared. */
let privateId: string;
let dashboard: string;

beforeAll(async () => {
  server = await startTestServer();
  const credentials = { email: ADMIN.email, password: ADMIN.password };
  const signedIn = await server.anonymous("POST", "/api/auth/sign-in/email", { body: credentials });
  cookie = cookieOf(signedIn.headers);
  member = (method, path, { headers, ...options } = {}) =>
    server.anonymous(method, path, { ...options, headers: { Cookie: cookie, ...headers } });
  await member("POST", "/api/fs/write", { body: { path: "/private.md", content: "private" } });
  const opened = await member("POST", "/api/documents/by-path", { body: { path: "/private.md" } });
  privateId = opened.body.data.document.id;
  await member("POST", "/api/secrets", { body: { key: "FORGED", value: "private" } });
  ({ key } = (await member("POST", "/api/api-keys", { body: { name: "hooks", scopes: ["hooks"] } })).body.data);
  dashboard = (await sendRaw(server.url, { method: "GET", target: "/" })).text;
});
afterAll(() => server.close());

/** Whether nothing was done or revealed: a refusal, or the dashboard's page, which is served for any other URL. */
function isNothing({ status, text }: RawResponse): boolean {
  // A batch of calls that are refused for different reasons.
  if (status === 207) return !text.includes('"result"');
  return status === 0 || (status >= 400 && status < 500) || (status === 200 && text === dashboard);
}

async function findUnrefused(
  plain: readonly Plain[],
  headers: Readonly<Record<string, string>> = {},
): Promise<{ count: number; unrefused: string[] }> {
  const requests = plain.flatMap(({ method, path, query = "", body }) =>
    [{ name: path, target: path }, ...spellingsOf(path)].map(({ name, target }) => ({
      name: `${method} ${name}`,
      request: { method, target: target + query, headers, body },
    })),
  );
  const unrefused: string[] = [];
  const remaining = requests.values();
  const sendRemaining = async (): Promise<void> => {
    for (const { name, request } of remaining) {
      const response = await sendRaw(server.url, request);
      if (!isNothing(response)) unrefused.push(`${name} ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, sendRemaining));
  return { count: requests.length, unrefused };
}

describe("no spelling of a URL gives access", { timeout: 120_000 }, () => {
  test("without credentials", async () => {
    const { count, unrefused } = await findUnrefused(CLOSED);
    expect(unrefused).toEqual([]);
    expect(count).toBeGreaterThan(2_500);
    const unshared = [`/api/documents/${privateId}/public`, `/share/${privateId}`, `/share/${privateId}/file`];
    expect((await findUnrefused(unshared.map((path) => ({ method: "GET", path })))).unrefused).toEqual([]);
  });

  test("to a key without the scope", async () => {
    const headers = { Authorization: `Bearer ${key}` };
    expect((await sendRaw(server.url, { method: "GET", target: "/api/hooks/events", headers })).status).toBe(200);
    const beyond = CLOSED.filter(({ path }) => !/^\/(api\/(hooks|memory|v1\/skill)|mcp)\b/.test(path));
    expect((await findUnrefused(beyond, headers)).unrefused).toEqual([]);
  });

  test("to pages of other sites", async () => {
    const changing = CLOSED.filter(({ method }) => method !== "GET");
    for (const headers of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }]) {
      expect((await findUnrefused(changing, { ...headers, Cookie: cookie })).unrefused).toEqual([]);
    }
  });

  test("and the attempts created nothing", async () => {
    expect((await member("GET", "/api/tasks?search=forged")).body.data).toEqual([]);
    expect((await member("GET", "/api/fs/list")).body.data).toMatchObject([{ name: "private.md" }]);
    expect((await member("GET", "/api/api-keys")).body.data).toMatchObject([{ name: "hooks" }]);
  });
});

test("a file can only be read at its own URL", async () => {
  for (const rest of ["/auth", "/health", `/documents/${ID}/public`, "/hooks/events", "/x", "/"]) {
    for (const method of ["GET", "PUT"]) {
      const target = `/api/fs/raw${rest}?path=/private.md`;
      const { status } = await sendRaw(server.url, { method, target, ...(method === "PUT" && { body: {} }) });
      expect([method, target, status]).toEqual([method, target, 401]);
    }
  }
  expect((await member("GET", "/api/fs/raw?path=/private.md")).body).toBe("private");
});

test("no spelling of a URL accepts a larger body than intended", async () => {
  const body = { title: "forged", description: "x".repeat(1024 * 1024 + 1) };
  const { unrefused } = await findUnrefused([{ method: "POST", path: "/api/tasks", body }], { Cookie: cookie });
  expect(unrefused).toEqual([]);
});

test("the typed endpoint only accepts large bodies for content, and from users", async () => {
  const text = "x".repeat(1024 * 1024 + 1);
  const call = async (request: Request, names: string, body: object) =>
    (await request("POST", `/api/trpc/${names}`, { body })).status;
  const write = { path: "/large.txt", content: text };
  expect(await call(member, "tasks.create", { title: "forged", description: text })).toBe(413);
  expect(await call(member, "secrets.list,tasks.create?batch=1", { 1: { title: text } })).toBe(413);
  expect(await call(server.anonymous, "fs.write", write)).toBe(413);
  expect(await call(member, "fs.write", write)).toBe(200);
  expect(await call(member, "fs%2Ewrite,tasks.create?batch=1", { 0: write, 1: { title: "small" } })).toBe(200);
});

test("an ambiguous target is 400 in the shape of its surface, before anything else", async () => {
  for (const target of ["/api/./tasks", "/x/../api/tasks", "/api\\tasks", "//localhost/api/tasks", "/api/tasks#x"]) {
    const { status, text } = await sendRaw(server.url, { method: "GET", target, headers: { Cookie: cookie } });
    expect([target, status, JSON.parse(text).statusCode]).toEqual([target, 400, 400]);
  }
  const { status, text } = await sendRaw(server.url, { method: "GET", target: "/api/v1/./tasks" });
  expect([status, Object.keys(JSON.parse(text))]).toEqual([400, ["message"]]);
  for (const target of ["/api/./ws", "/x/../api/ws", "//localhost/api/ws", "http://localhost/api/ws", "/api\\ws"]) {
    const headers = { Connection: "Upgrade", Upgrade: "websocket", Cookie: cookie };
    expect([target, (await sendRaw(server.url, { method: "GET", target, headers })).status]).toEqual([target, 400]);
  }
});

test("characters that names may contain are still accepted", async () => {
  await member("POST", "/api/fs/write", { body: { path: "/a b/c;d..e.md", content: "named" } });
  const made = await member("POST", "/api/api-keys", { body: { name: "reads", scopes: ["knowledge:read"] } });
  const headers = { Authorization: `Bearer ${made.body.data.key}` };
  for (const path of ["a%20b/c;d..e.md", "a%20b%2Fc%3Bd%2E%2Ee.md", "/a%20b/c;d..e.md"]) {
    const { status, text } = await sendRaw(server.url, { method: "GET", target: `/api/v1/knowledge/${path}`, headers });
    expect([path, status, JSON.parse(text).data?.content]).toEqual([path, 200, "named"]);
  }
});

test("the API and get-session use the same one of two session cookies", async () => {
  const grace = { name: "Grace", email: "grace@example.com", password: "12345678" };
  const signedUp = await server.anonymous("POST", "/api/auth/sign-up/email", { body: grace });
  const other = cookieOf(signedUp.headers);
  for (const both of [`${cookie}; ${other}`, `${other}; ${cookie}`, `${cookie};${other}`]) {
    const headers = { Cookie: both };
    const task = await server.anonymous("POST", "/api/tasks", { body: { title: "whose" }, headers });
    const session = await server.anonymous("GET", "/api/auth/get-session", { headers });
    expect(session.body.user.id).toBe(task.body.data.creator.id);
  }
});
