import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer({ V1_REQUESTS_PER_MINUTE: "5" });
  api = await server.signIn();
});
afterAll(() => server.close());

async function createProgram(): Promise<Request> {
  const created = await api("POST", "/api/api-keys", {
    body: { name: "program", scopes: ["tasks:read", "tasks:write"] },
  });
  return createRequest(server.url, { Authorization: `Bearer ${created.body.data.key}` });
}

test("each key can make so many requests a minute, and every response says how many are left", async () => {
  const program = await createProgram();
  const left: (string | undefined)[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { status, headers } = await program("GET", "/api/v1/tasks");
    expect([status, headers.get("RateLimit-Policy")]).toEqual([200, '"key";q=5;w=60']);
    left.push(/^"key";r=(\d+);t=(?:[1-9]|[1-5]\d|60)$/.exec(headers.get("RateLimit") ?? "")?.[1]);
  }
  expect(left).toEqual(["4", "3", "2", "1", "0"]);
  const refused = await program("POST", "/api/v1/tasks", { body: { title: "one too many" } });
  const seconds = refused.headers.get("Retry-After");
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: `This API key can make 5 requests a minute. Try again in ${seconds} seconds.` },
  ]);
  expect(refused.headers.get("RateLimit")).toBe(`"key";r=0;t=${seconds}`);
  // Assistants share the limit of their key.
  expect((await program("POST", "/mcp", { body: {} })).status).toBe(429);
  expect((await api("GET", "/api/tasks?search=too many")).body.data).toEqual([]);
  expect((await (await createProgram())("GET", "/api/v1/tasks")).status).toBe(200);
});

test("errors and the stream of an ask count and say so as well, and people are not limited", async () => {
  const program = await createProgram();
  const missing = await program("GET", "/api/v1/nothing");
  expect([missing.status, missing.headers.get("RateLimit")]).toEqual([404, expect.stringMatching(/^"key";r=4;/)]);
  const ask = await program("POST", "/api/v1/agents/ask", { body: {}, headers: { Accept: "text/event-stream" } });
  expect([ask.status, ask.headers.get("RateLimit")]).toEqual([403, expect.stringMatching(/^"key";r=3;/)]);
  for (let index = 0; index < 10; index += 1)
    expect((await api("GET", "/api/tasks")).headers.get("RateLimit")).toBeNull();
});

test("each request of an assistant's batch counts, and a batch has a limit of its own", async () => {
  const program = await createProgram();
  const createTask = (title: string, id: number) => {
    return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "tasks_create", arguments: { title } } };
  };
  const post = (body: object) =>
    program("POST", "/mcp", { body, headers: { Accept: "application/json, text/event-stream" } });
  const batchOf = (count: number, title: string) => Array.from({ length: count }, (_, id) => createTask(title, id));
  const allowed = await post(batchOf(3, "allowed batch"));
  expect([allowed.status, allowed.headers.get("RateLimit")]).toEqual([200, expect.stringMatching(/^"key";r=2;/)]);
  expect((await post(batchOf(3, "refused batch"))).status).toBe(429);
  const tooLong = await (await createProgram())("POST", "/mcp", { body: batchOf(21, "refused batch") });
  expect([tooLong.status, tooLong.body]).toEqual([400, { message: "Send at most 20 requests in a batch." }]);
  const titles = (await server.db.pool.query("SELECT title FROM tasks WHERE title LIKE '% batch'")).rows;
  expect(titles.map(({ title }) => title)).toEqual(["allowed batch", "allowed batch", "allowed batch"]);
});
