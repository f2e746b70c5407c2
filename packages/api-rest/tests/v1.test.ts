import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { API_KEY_SCOPES, capabilities, type ApiKeyScope } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

/** The scopes of which a key needs one for each route; null for any key. */
const SCOPES: readonly (readonly [route: string, scopes: readonly ApiKeyScope[] | null])[] = [
  ...capabilities.flatMap(({ v1 }) =>
    v1?.route === undefined ? [] : [[`${v1.route.method} ${v1.route.path}`, v1.access.key] as const],
  ),
  ["GET /skill", null],
];

/** The routes of `/api` that a key with the scope `hooks` may call, and no other key. */
const HOOKS_PATHS = [
  "GET /api/hooks/events",
  "POST /api/hooks/events",
  "GET /api/memory/search",
  "GET /api/memory/context",
];
/** A sample of each kind of route that no key may call. */
const CLOSED_PATHS = [
  "GET /api/tasks",
  "POST /api/tasks",
  "GET /api/api-keys",
  "POST /api/api-keys",
  "GET /api/credits",
  "POST /api/credits",
  "GET /api/secrets",
  "GET /api/agents",
  "GET /api/usage",
  "GET /api/fs/list",
  "GET /api/hooksx",
  "GET /api/memoryx",
  "GET /api/trpc/tasks.list",
  "GET /api/nothing",
];

const ID = "00000000-0000-7000-8000-000000000000";

let vault: string;
let server: TestServer;
let api: Request;
let key: string;
/** A program for each single scope, and programs whose keys are no longer valid. */
const programs = new Map<ApiKeyScope, Request>();
const strangers = new Map<string, Request>();
let everything: Request;

const bearer = (text: string) => createRequest(server.url, { Authorization: `Bearer ${text}` });
const createKey = async (body: object): Promise<{ id: string; key: string }> =>
  (await api("POST", "/api/api-keys", { body: { name: "k", scopes: API_KEY_SCOPES, ...body } })).body.data;

beforeAll(async () => {
  vault = await mkdtemp(join(tmpdir(), "workspace-vault-"));
  server = await startTestServer({ VAULT_PATH: vault });
  api = await server.signIn();
  for (const scope of API_KEY_SCOPES) programs.set(scope, bearer((await createKey({ scopes: [scope] })).key));
  ({ key } = await createKey({}));
  everything = bearer(key);
  const revoked = await createKey({});
  await api("DELETE", `/api/api-keys/${revoked.id}`);
  const expired = await createKey({});
  await server.db.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
    expired.id,
  ]);
  strangers.set("nobody", server.anonymous);
  strangers.set("a revoked key", bearer(revoked.key));
  strangers.set("an expired key", bearer(expired.key));
  strangers.set("a wrong key", bearer(`wsk_${"A".repeat(43)}`));
  strangers.set("a session", api);
  strangers.set("the API token", server.withToken);
});
afterAll(async () => {
  await server.close();
  await rm(vault, { recursive: true, force: true });
});

const call = async (request: Request, line: string) => {
  const [method = "", path = ""] = line.split(" ");
  return (await request(method, path)).status;
};

describe("access", () => {
  test.each(SCOPES)("%s requires one of the scopes %s", async (route, scopes) => {
    const line = route.replace(" ", " /api/v1").replaceAll(/\{\w+\}/g, ID);
    for (const [who, request] of strangers) expect([who, await call(request, line)]).toEqual([who, 401]);
    for (const [given, request] of programs) {
      const status = await call(request, line);
      const isOpen = scopes === null || scopes.includes(given);
      expect([given, status === 403, status === 401]).toEqual([given, !isOpen, false]);
      expect(status).toBeLessThan(500);
    }
  });

  test.each(HOOKS_PATHS)("%s requires the scope hooks", async (line) => {
    for (const [given, request] of programs) {
      const status = await call(request, line);
      expect([given, status === 403]).toEqual([given, given !== "hooks"]);
      expect(status).not.toBe(401);
    }
    for (const who of ["nobody", "a revoked key", "an expired key", "a wrong key"]) {
      expect([who, await call(strangers.get(who) ?? api, line)]).toEqual([who, 401]);
    }
    expect(await call(api, line)).toBeLessThan(401);
  });

  test.each(CLOSED_PATHS)("%s is 401 for every key", async (line) => {
    for (const request of [...programs.values(), everything]) expect(await call(request, line)).toBe(401);
  });

  test("a page of another site is refused, whatever key it sends, in this surface's error shape", async () => {
    for (const [route] of SCOPES.filter(([line]) => !line.startsWith("GET"))) {
      const [method = "", path = ""] = route.split(" ");
      const { status, body } = await everything(method, `/api/v1${path}`, {
        headers: { Origin: "https://evil.example" },
      });
      expect([status, body]).toEqual([403, { message: "Requests from pages of other sites are refused." }]);
    }
  });

  test("an unknown path is 401 before it is 404, a known one with another method 405", async () => {
    expect((await server.anonymous("GET", "/api/v1/nothing")).status).toBe(401);
    expect((await everything("GET", "/api/v1/nothing")).body).toEqual({ message: "There is nothing at this URL." });
    expect((await everything("GET", "/api/v1/skill/more")).status).toBe(404);
    for (const [method, path, allow] of [
      ["DELETE", "/api/v1/tasks", "GET, POST, HEAD"],
      ["PATCH", `/api/v1/tasks/${ID}`, "GET, PUT, DELETE, HEAD"],
      ["POST", "/api/v1/skill", "GET, HEAD"],
      ["GET", "/api/v1/agents/ask", "POST"],
    ] as const) {
      const { status, headers } = await everything(method, path);
      expect([path, status, headers.get("Allow")]).toEqual([path, 405, allow]);
    }
  });
});

describe("tasks", () => {
  test("are created from a text", async () => {
    const body = { text: "Zahnarzt am 6.5.2031 um 9 Uhr #gesundheit !hoch" };
    expect((await everything("POST", "/api/v1/tasks", { body })).body.data).toMatchObject({
      title: "Zahnarzt",
      dueDate: "2031-05-06",
      dueTime: "09:00",
      tags: ["gesundheit"],
      priority: 3,
    });
  });

  test("are created, changed and listed as under /api, by the user who created the key", async () => {
    const body = { title: " From outside ", status: "done", priority: 3, tags: ["a", " a "], dueDate: "2026-12-24" };
    const created = await everything("POST", "/api/v1/tasks", { body });
    expect(created.status).toBe(200);
    const task = created.body.data;
    expect(task).toMatchObject({ title: "From outside", tags: ["a"], creator: { name: "Ada" } });
    expect((await api("GET", `/api/tasks/${task.id}`)).body.data).toEqual(task);
    const changed = await everything("PUT", `/api/v1/tasks/${task.id}`, { body: { status: "todo", dueDate: null } });
    expect(changed.body.data).toMatchObject({ completedAt: null, dueDate: null, title: "From outside" });
    expect((await everything("GET", "/api/v1/tasks?search=OUTSIDE")).body.data).toEqual([changed.body.data]);
    expect((await everything("GET", "/api/v1/tasks?status=done&status=blocked")).body.data).toEqual([]);
    expect((await everything("PUT", `/api/v1/tasks/${ID}`, { body: { title: "x" } })).status).toBe(404);
  });

  test("are read, deleted and restored individually, with the conditions of /api", async () => {
    const { data: task } = (await everything("POST", "/api/v1/tasks", { body: { title: "One", tags: ["single"] } }))
      .body;
    const read = await everything("GET", `/api/v1/tasks/${task.id}`);
    const same = await api("GET", `/api/tasks/${task.id}`);
    expect([read.status, read.body, read.headers.get("ETag")]).toEqual([200, same.body, same.headers.get("ETag")]);
    expect((await everything("GET", "/api/v1/tasks/tags")).body.data).toContain("single");
    const outdated = await everything("DELETE", `/api/v1/tasks/${task.id}`, { headers: { "If-Match": '"0"' } });
    expect([outdated.status, outdated.body]).toEqual([412, { message: expect.any(String) }]);
    const deleted = await everything("DELETE", `/api/v1/tasks/${task.id}`, {
      headers: { "If-Match": read.headers.get("ETag") ?? "" },
    });
    expect(deleted.body.data).toEqual({ id: task.id, title: "One", deletedAt: expect.any(String) });
    const restored = await everything("POST", `/api/v1/tasks/${task.id}/restore`);
    expect(restored.body.data).toEqual({ id: task.id, title: "One", deletedAt: null });
    expect((await everything("POST", `/api/v1/tasks/${task.id}/restore`)).status).toBe(400);
  });

  test("are returned in pages of 50, or up to 200, with a cursor to continue", async () => {
    await server.db.pool.query(
      `INSERT INTO tasks (id, title, creator_id, created_at, modified_at, search_text)
       SELECT gen_random_uuid(), 'many', (SELECT id FROM users), now(), now(), 'many' FROM generate_series(1, 205)`,
    );
    const first = (await everything("GET", "/api/v1/tasks?search=many")).body;
    expect(first.data).toHaveLength(50);
    const rest = (await everything("GET", `/api/v1/tasks?search=many&limit=200&cursor=${first.nextCursor}`)).body;
    expect(rest.data).toHaveLength(155);
    expect(rest.nextCursor).toBeUndefined();
    for (const limit of ["0", "201", "1.5", "x", ""]) {
      expect((await everything("GET", `/api/v1/tasks?limit=${limit}`)).status).toBe(400);
    }
  });
});

test("projects are created, read, changed and deleted as under /api", async () => {
  const body = { name: "Garden", color: "#22c55e" };
  const { data: project } = (await everything("POST", "/api/v1/projects", { body })).body;
  expect((await everything("GET", `/api/v1/projects/${project.id}`)).body.data).toEqual(project);
  const changed = await everything("PUT", `/api/v1/projects/${project.id}`, { body: { description: "Beds" } });
  expect(changed.body.data).toMatchObject({ name: "Garden", description: "Beds" });
  expect((await everything("GET", "/api/v1/projects")).body.data).toEqual([changed.body.data]);
  const deleted = await everything("DELETE", `/api/v1/projects/${project.id}`);
  expect(deleted.body.data).toEqual({ id: project.id, name: "Garden", deletedAt: expect.any(String) });
  expect((await everything("GET", "/api/v1/projects")).body.data).toEqual([]);
});

test("documents are found by their text", async () => {
  await api("POST", "/api/fs/write", { body: { path: "found.md", content: "# Compost\n\nTurn the heap in March." } });
  const search = () => everything("GET", "/api/v1/documents/search?query=heap");
  await expect.poll(async () => (await search()).body.data).toMatchObject([{ path: "found.md", title: "Compost" }]);
  await api("POST", "/api/fs/delete", { body: { path: "found.md" } });
});

test("memories are deleted", async () => {
  const body = { content: "Forget this.", chunkType: "fact" };
  const { data: memory } = (await everything("POST", "/api/v1/memory", { body })).body;
  expect((await everything("DELETE", `/api/v1/memory/${memory.id}`)).body).toEqual({ data: { success: true } });
  expect((await everything("DELETE", `/api/v1/memory/${memory.id}`)).status).toBe(404);
  expect((await api("GET", `/api/memory/${memory.id}`)).status).toBe(404);
});

test("memories are stored and found", async () => {
  const stored = await everything("POST", "/api/v1/memory", {
    body: { content: "We use pnpm.", chunkType: "decision" },
  });
  expect(stored.status).toBe(201);
  const found = await everything("GET", "/api/v1/memory/search?query=PNPM&limit=5");
  expect(found.body.data[0]).toMatchObject({ id: stored.body.data.id, accessCount: 1 });
});

describe("knowledge", () => {
  const get = (path: string) => everything("GET", `/api/v1/knowledge/${path}`);

  test("lists all visible files and returns each of them, with raw or encoded slashes", async () => {
    const content = "---\ntitle: Über\n---\r\n# ä\n";
    await api("POST", "/api/fs/write", { body: { path: "a b/c&d/Ä?#%.md", content } });
    await api("POST", "/api/fs/write", { body: { path: "plain.txt", content: "text" } });
    await writeFile(join(vault, "image.bin"), new Uint8Array([0, 255, 1]));
    await expect.poll(async () => (await get("image.bin")).status).toBe(200);
    const listed = (await everything("GET", "/api/v1/knowledge")).body.data;
    expect(listed).toHaveLength(3);
    expect(listed.find(({ path }: any) => path === "a b/c&d/Ä?#%.md")).toEqual({
      path: "a b/c&d/Ä?#%.md",
      title: "Über",
      fileType: "markdown",
      size: Buffer.byteLength(content),
      modifiedAt: expect.any(String),
    });
    const encoded = encodeURIComponent("a b/c&d/Ä?#%.md");
    for (const path of [encoded, encoded.replaceAll("%2F", "/"), encoded.replaceAll("%2F", "%2f")]) {
      expect((await get(path)).body.data).toMatchObject({ path: "a b/c&d/Ä?#%.md", content, encoding: "utf-8" });
    }
    expect((await get("image.bin")).body.data).toMatchObject({
      fileType: "binary",
      content: "AP8B",
      encoding: "base64",
    });
    expect((await get("plain.txt")).body.data).toMatchObject({ fileType: "text", content: "text", size: 4 });
  });

  test.each([
    [404, "nothing.md"],
    [403, "%2e%2e%2f%2e%2e%2fetc%2fpasswd"],
    [403, "a%2F..%2F..%2Fsecret"],
    [403, ".hidden"],
    [403, "a/.git/config"],
    [400, "a%00b"],
    [400, "a%20b"],
    [400, ""],
    [404, "%E4%BD"],
  ])("is %d for %s", async (status, path) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ message: expect.any(String) });
  });
});

test("agents are listed without private fields", async () => {
  const body = { name: "Night", schedule: "0 3 * * *", prompt: "A private prompt", enabled: false };
  const { id } = (await api("POST", "/api/agents", { body })).body.data;
  expect((await everything("GET", "/api/v1/agents")).body).toEqual({
    data: [
      {
        id,
        name: "Night",
        description: null,
        enabled: false,
        schedule: "0 3 * * *",
        lastRunAt: null,
        lastStatus: null,
      },
    ],
  });
});

describe("all surfaces apply the same rules", () => {
  const INVALID = [
    { title: "" },
    { title: 5 },
    { title: "x", status: "open" },
    { title: "x", priority: "2" },
    { title: "x", priority: 4 },
    { title: "x", tags: "a" },
    { title: "x", dueDate: "soon" },
    { title: "x", projectId: ID },
    { title: "x\0" },
    {},
  ];

  test.each(INVALID)("%j is refused with the same message", async (body) => {
    const rest = await api("POST", "/api/tasks", { body });
    expect(rest.status).toBe(400);
    const { message, issues } = rest.body;
    const v1 = await everything("POST", "/api/v1/tasks", { body });
    expect([v1.status, v1.body]).toEqual([400, issues === undefined ? { message } : { message, issues }]);
    const trpc = await api("POST", "/api/trpc/tasks.create", { body });
    expect([trpc.status, trpc.body.error.message]).toEqual([400, message]);
    const mcp = await everything("POST", "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "tasks_create", arguments: body } },
      headers: { Accept: "application/json, text/event-stream" },
    });
    expect(mcp.body.result).toEqual({ content: [{ type: "text", text: message }], isError: true });
  });

  test("and have the same effects", async () => {
    const body = { title: " Same ", tags: ["x", "x", ""], status: "done" };
    const rest = (await api("POST", "/api/tasks", { body })).body.data;
    const v1 = (await everything("POST", "/api/v1/tasks", { body })).body.data;
    const trpc = (await api("POST", "/api/trpc/tasks.create", { body })).body.result.data.data;
    const mcp = await everything("POST", "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "tasks_create", arguments: body } },
      headers: { Accept: "application/json, text/event-stream" },
    });
    const tool = JSON.parse(mcp.body.result.content[0].text).data;
    const essence = ({ title, tags, status, completedAt, creator }: any) => [
      title,
      tags,
      status,
      completedAt !== null,
      creator,
    ];
    for (const task of [v1, trpc, tool]) expect(essence(task)).toEqual(essence(rest));
  });
});

test("both documents describe it and are open to all", async () => {
  const v1 = (await server.anonymous("GET", "/openapi.v1.json")).body;
  const paths = SCOPES.map(([route]) => route);
  const described = Object.entries<object>(v1.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(paths.toSorted());
  expect(v1.paths["/memory"].post.responses["201"]).toBeDefined();
  expect((await server.anonymous("GET", "/openapi.json")).status).toBe(200);
});
