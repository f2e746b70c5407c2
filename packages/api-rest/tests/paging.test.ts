import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOperations, type Operation } from "./openapi-operations.ts";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

/** Lists for which the contract has limits of their own, without a cursor; searches, whose order is no place to go on from. */
const PAGED_OTHERWISE = [
  // From a position on.
  "/api/v1/changes",
  "/api/search",
  "/api/v1/search",
  "/api/memory/search",
  "/api/v1/memory/search",
  "/api/hooks/sessions/search",
  "/api/v1/sessions/search",
  // The best so many, up to a size.
  "/api/memory/project",
  // Those of the newest memories, as many as are looked for.
  "/api/memory/citations",
  "/api/usage",
  // At most ten of one person, and the latest twenty.
  "/api/tasks/{id}/reminders",
  "/api/v1/tasks/{id}/reminders",
  "/api/tasks/reminders/unseen",
  // The newest two hundred, which another process reads from where they are.
  "/api/backups",
  "/api/retention/preview",
  // At most 5,000.
  "/api/documents/tags",
  "/api/documents/search",
  "/api/v1/documents/search",
  // The head of a queue, which others shorten between one page and the next.
  "/api/tasks/ready",
  "/api/v1/tasks/ready",
  // The latest twenty.
  "/api/tasks/{id}/sessions",
  "/api/v1/tasks/{id}/sessions",
  // At most 200, of each task.
  "/api/tasks/{id}/checklist",
  "/api/v1/tasks/{id}/checklist",
  // At most 200, open ones first.
  "/api/tasks/linked",
  "/api/v1/tasks/linked",
  // One for each project and status.
  "/api/tasks/counts",
  // The largest groups.
  "/api/tasks/groups",
  "/api/v1/tasks/groups",
  // The first of five sections.
  "/api/tasks/agenda",
  // All users, agents and keys, of whom there are few.
  "/api/tasks/parties",
  "/api/v1/tasks/parties",
  // All users and agents, of whom there are few.
  "/api/tasks/mentionable",
  // Limited by retention.
  "/api/documents/{id}/versions",
  // Those of the notes changed last.
  "/api/documents/{id}/mentions",
  // The last few, for undoing one of them.
  "/api/link-updates",
];
const ROWS = 7;

let server: TestServer;
let api: Request;
let v1: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = server.withToken;
  await fill();
});
afterAll(() => server.close());

/** Rows with equal names and, thanks to speed, equal times. */
async function fill(): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, index) => index);
  const post = async (path: string, body: (index: number) => object) =>
    Promise.all(rows.map((index) => api("POST", path, { body: body(index) })));
  await post("/api/projects", (index) => ({ name: index < 5 ? "Same" : `Ünlike ${index}`, color: "#3b82f6" }));
  await post("/api/tasks", (index) => ({ title: "t", tags: [`tag ${index}`, index % 2 === 0 ? "Tag" : "tag"] }));
  await post("/api/secrets", (index) => ({ key: `KEY_${index}`, value: "v" }));
  await post("/api/secrets/KEY_0/grants", (index) => ({ command: `command-${index}`, folder: "/" }));
  const agent = { schedule: "0 6 1 1 *", prompt: "p", enabled: false };
  await post("/api/agents", (index) => ({ ...agent, name: index < 5 ? "same" : `b${index}` }));
  await post("/api/fs/write", (index) => ({
    path: `/${index % 2 === 0 ? "b" : "a"}-${index}.md`,
    content: `# ${index}`,
  }));
  await post("/api/fs/mkdir", (index) => ({ path: `/d${index}` }));
  await post("/api/memory/store", (index) => ({ content: `m${index}`, chunkType: "fact", projectPath: `/p${index}` }));
  await post("/api/calendar-feeds", (index) => ({ name: `f${index}` }));
  const keys = await post("/api/api-keys", (index) => ({ name: `k${index}`, scopes: API_KEY_SCOPES }));
  v1 = createRequest(server.url, { Authorization: `Bearer ${keys[0]?.body.data.key}` });
  for (const _ of rows) await api("GET", "/api/secrets/KEY_0");
  await server.db.pool.query("UPDATE tasks SET created_at = '2026-01-01'");
  await server.db.pool.query("UPDATE api_keys SET created_at = '2026-01-01'");
}

const lists: [string, () => Request][] = [
  ["/api/projects", () => api],
  ["/api/tasks", () => api],
  ["/api/tasks/tags", () => api],
  ["/api/secrets", () => api],
  ["/api/secrets/KEY_0/accesses", () => api],
  ["/api/secrets/KEY_0/grants", () => api],
  ["/api/api-keys", () => api],
  ["/api/calendar-feeds", () => api],
  ["/api/agents", () => api],
  ["/api/hooks/projects", () => api],
  ["/api/agents/tools", () => api],
  ["/api/documents", () => api],
  ["/api/fs/list", () => api],
  ["/api/v1/agents", () => v1],
  ["/api/v1/knowledge", () => v1],
  ["/api/v1/tasks", () => v1],
];

test("the documents declare limit and cursor for every list", async () => {
  const isList = ({ method, response }: Operation) =>
    method === "GET" && response?.properties?.["data"]?.type === "array";
  for (const [base, document] of [
    ["/api", "/openapi.json"],
    ["/api/v1", "/openapi.v1.json"],
  ] as const) {
    const operations = (await readOperations(api, document)).filter(isList);
    expect(operations.length).toBeGreaterThan(3);
    for (const { path, query, response } of operations) {
      if (PAGED_OTHERWISE.includes(base + path)) continue;
      const { minimum, maximum } = query.find(({ name }) => name === "limit")?.schema ?? {};
      const names = query.map(({ name }) => name);
      expect([path, names, minimum]).toEqual([path, expect.arrayContaining(["limit", "cursor"]), 1]);
      expect(maximum).toBeLessThanOrEqual(1000);
      expect(Object.keys(response?.properties ?? {})).toContain("nextCursor");
    }
  }
});

describe.each(lists)("%s", (path, request) => {
  const page = (query: string) => request()("GET", `${path}?${query}`);

  test.each([1, 2, 3, 5, 1000])("pages of %i together are the whole list, in order", async (limit) => {
    const whole = (await request()("GET", path)).body.data;
    expect(whole.length).toBeGreaterThanOrEqual(2);
    const together: unknown[] = [];
    // `/api/v1/tasks` allows at most 200.
    const most = path === "/api/v1/tasks" ? Math.min(limit, 200) : limit;
    for (let cursor = "", isFirst = true; isFirst || cursor !== ""; isFirst = false) {
      const { status, body } = await page(`limit=${most}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect([status, body.data.length <= most]).toEqual([200, true]);
      together.push(...body.data);
      cursor = body.nextCursor ?? "";
    }
    expect(together).toEqual(whole);
  });

  test("limits outside 1 to 1000 are 400", async () => {
    for (const limit of ["0", "1001", "-1", "1.5", "x"]) expect((await page(`limit=${limit}`)).status).toBe(400);
  });

  test("an invalid cursor, or another list's, is 400", async () => {
    const cursor: string = (await page("limit=1")).body.nextCursor;
    const foreign: string[] = [];
    for (const [other, from] of lists) {
      if (other.endsWith(path.split("/").at(-1) ?? "") || (path.endsWith("knowledge") && other.endsWith("documents")))
        continue;
      if (path.endsWith("documents") && other.endsWith("knowledge")) continue;
      foreign.push((await from()("GET", `${other}?limit=1`)).body.nextCursor);
    }
    const values: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const forged = [
      ["", ...values.slice(1)],
      values.slice(1),
      [values[0]],
      [values[0], ...values.slice(1).map(() => "\0")],
      [values[0], ...values.slice(1).map(() => 5)],
      { 0: values[0] },
      null,
    ].map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"));
    const broken = [cursor.slice(0, -1), cursor.slice(1), `${cursor}!`, `${cursor}A`, "x", "", "%20"];
    for (const refused of [...foreign, ...forged, ...broken]) {
      const { status, body } = await page(`limit=1&cursor=${refused}`);
      expect([refused, status, body.message]).toEqual([refused, 400, expect.stringMatching(/^cursor: expected/)]);
    }
  });
});

test("a cursor belongs to its filter", async () => {
  const { body } = await api("GET", "/api/tasks?limit=1&status=todo");
  expect((await api("GET", `/api/tasks?limit=3&status=todo&cursor=${body.nextCursor}`)).status).toBe(200);
  expect((await api("GET", `/api/tasks?limit=1&status=done&cursor=${body.nextCursor}`)).status).toBe(400);
  const files = await api("GET", "/api/fs/list?path=/&limit=1");
  expect((await api("GET", `/api/fs/list?path=/d0&limit=1&cursor=${files.body.nextCursor}`)).status).toBe(400);
});

test("rows that are added or removed between two pages move no others", async () => {
  const names = async (query: string) => (await api("GET", `/api/projects?${query}`)).body;
  const whole: { id: string; name: string }[] = (await names("")).data;
  const first = await names("limit=4");
  await api("POST", "/api/projects", { body: { name: "Aardvark", color: "#3b82f6" } });
  await api("DELETE", `/api/projects/${whole[3]?.id}`);
  const rest = await names(`limit=1000&cursor=${first.nextCursor}`);
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(whole.slice(4).map(({ id }) => id));
});

test("a time that the database cannot represent is 400", async () => {
  const { nextCursor } = (await api("GET", "/api/tasks?limit=1")).body;
  const [hash, , id]: unknown[] = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
  const forged = Buffer.from(JSON.stringify([hash, "0000-01-01T00:00:00Z", id])).toString("base64url");
  expect((await api("GET", `/api/tasks?cursor=${forged}`)).status).toBe(400);
});

test("a page of long texts ends before its limit, and the next one continues after it", async () => {
  const description = "a".repeat(100_000);
  for (let index = 0; index < 60; index += 1) {
    await api("POST", "/api/tasks", { body: { title: `long ${index}`, description } });
  }
  const first = await api("GET", "/api/tasks?limit=1000&search=long");
  const second = await api("GET", `/api/tasks?limit=1000&search=long&cursor=${first.body.nextCursor}`);
  expect([first.body.data.length, second.body.data.length, second.body.nextCursor]).toEqual([41, 19, undefined]);
  const whole = await api("GET", "/api/tasks?search=long");
  expect(whole.body.data).toEqual([...first.body.data, ...second.body.data]);
});
