import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  await api("POST", "/api/tasks", { body: { title: "Secret errand", tags: ["private"] } });
  await api("POST", "/api/fs/write", { body: { path: "a/one.md", content: "---\nrating: 5\n---\n# One\n" } });
  await api("POST", "/api/fs/write", { body: { path: "b/two.md", content: "---\nrating: 4\n---\n# Two\n" } });
});
afterAll(() => server.close());

const TASKS = "from tasks\nwhere #private";

test("several queries are carried out at once, each with its result or its mistake", async () => {
  const { status, body } = await api("POST", "/api/queries", {
    body: { queries: [TASKS, "where rating >= 4\nsort rating desc", "where ("], timezone: "Europe/Berlin" },
  });
  expect(status).toBe(200);
  expect(body.data.map(({ rows, problem }: any) => [rows.map(({ title }: any) => title), problem?.line])).toEqual([
    [["Secret errand"], undefined],
    [["One", "Two"], undefined],
    [[], 1],
  ]);
});

test.each([
  ["no query", { queries: [] }],
  ["too many", { queries: Array(21).fill("") }],
  ["a query that is too long", { queries: ["x".repeat(4_001)] }],
  ["an unknown time zone", { queries: [""], timezone: "Mars/Olympus" }],
])("%s is refused", async (_what, body) => {
  expect((await api("POST", "/api/queries", { body })).status).toBe(400);
});

test("a key gets what its scopes and its folder allow", async () => {
  const { body } = await api("POST", "/api/api-keys", {
    body: { name: "reader", scopes: ["knowledge:read"], folder: "a" },
  });
  const reader = createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
  const found = await reader("POST", "/api/v1/queries", { body: { queries: ["from notes"] } });
  expect(found.body.data[0].rows.map(({ path }: any) => path)).toEqual(["a/one.md"]);
  expect((await reader("POST", "/api/v1/queries", { body: { queries: [TASKS] } })).status).toBe(403);
});

test("a shared page shows a query as it is written, not its result", async () => {
  const path = "shared.md";
  await api("POST", "/api/fs/write", { body: { path, content: `# Shared\n\n\`\`\`query\n${TASKS}\n\`\`\`\n` } });
  const { id } = (await api("POST", "/api/documents/by-path", { body: { path } })).body.data.document;
  await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true, shareType: "public" } });
  const page = await (await fetch(`${server.url}/share/${id}`)).text();
  expect(page).toContain("where #private");
  expect(page).not.toContain("Secret errand");
  expect((await server.anonymous("POST", "/api/queries", { body: { queries: [TASKS] } })).status).toBe(401);
});
