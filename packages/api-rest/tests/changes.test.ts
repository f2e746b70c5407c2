import { API_KEY_SCOPES, type ApiKeyScope } from "@workspace/core";
import { eventually } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

async function programWith(scopes: readonly ApiKeyScope[], folder?: string): Promise<Request> {
  const created = await api("POST", "/api/api-keys", { body: { name: "program", scopes, folder } });
  return createRequest(server.url, { Authorization: `Bearer ${created.body.data.key}` });
}

const changesOf = (program: Request, query = "") => program("GET", `/api/v1/changes${query}`);

/** Waits until so many changes are in the log, and returns all changes since a position. */
async function readSince(program: Request, after: string, limit = 100) {
  const all: any[] = [];
  for (let position = after; ;) {
    const { status, body } = await changesOf(program, `?after=${position}&limit=${limit}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    all.push(...body.data);
    if (!body.hasMore) return { changes: all, position: body.position as string };
    expect(body.data).toHaveLength(limit);
    position = body.position;
  }
}

const logged = (id: string) =>
  eventually(
    async () => (await server.db.pool.query("SELECT FROM change_events WHERE resource_id = $1", [id])).rowCount !== 0,
  );

test("a program reads the changes since its last position, in pages, each once", async () => {
  const program = await programWith(["tasks:read"]);
  const start = (await changesOf(program)).body;
  expect(start).toEqual({ data: [], position: expect.any(String), hasMore: false });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.push((await api("POST", "/api/tasks", { body: { title: `Task ${index}` } })).body.data.id);
  }
  await logged(ids.at(-1) ?? "");
  const { changes, position } = await readSince(program, start.position, 2);
  expect(changes.map(({ resourceId }) => resourceId)).toEqual(ids);
  expect(changes[0]).toEqual({
    resource: "task",
    action: "create",
    resourceId: ids[0],
    resourceName: "Task 0",
    timestamp: expect.stringMatching(/Z$/),
  });
  expect((await readSince(program, position)).changes).toEqual([]);
});

test("each key sees only what it may read", async () => {
  const everything = await programWith(API_KEY_SCOPES);
  const { position } = (await changesOf(everything)).body;
  // It may be run once more, in the same vault.
  const run = Date.now();
  const everyKind: readonly (readonly [path: string, body: object])[] = [
    ["/api/tasks", { title: "a task" }],
    ["/api/projects", { name: "a project", color: "#22c55e" }],
    ["/api/v1/memory", { content: "a memory", chunkType: "fact" }],
    ["/api/notes/create", { path: `open/inside ${run}.md`, content: "a" }],
    ["/api/notes/create", { path: `closed/outside ${run}.md`, content: "b" }],
    ["/api/secrets", { key: `A_SECRET_${run}`, value: "a value" }],
  ];
  for (const [path, body] of everyKind) {
    const { status } = await (path.startsWith("/api/v1") ? everything : api)("POST", path, { body });
    expect([path, status < 300]).toEqual([path, true]);
  }
  const last = (await api("POST", "/api/tasks", { body: { title: "last" } })).body.data.id;
  await logged(last);
  const kindsOf = async (program: Request) => [
    ...new Set((await readSince(program, position)).changes.map(({ resource }) => resource)),
  ];
  expect((await kindsOf(everything)).toSorted()).toEqual(["document", "memory", "project", "task"]);
  expect((await kindsOf(await programWith(["tasks:read"]))).toSorted()).toEqual(["project", "task"]);
  expect(await kindsOf(await programWith(["memory:read"]))).toEqual(["memory"]);
  expect(await kindsOf(await programWith(["agents:read", "tasks:write"]))).toEqual([]);
  const inFolder = await programWith(["knowledge:read"], "open");
  const { changes } = await readSince(inFolder, position);
  expect(JSON.stringify(changes)).toContain("inside");
  expect(JSON.stringify(changes)).not.toContain("outside");
  expect((await changesOf(await programWith(["tasks:write", "hooks"]), "")).status).toBe(403);
  // Of one kind, if the program wants no more.
  const { body } = await changesOf(everything, `?after=${position}&resources=memory`);
  expect(body.data.map(({ resource }: any) => resource)).toEqual(["memory"]);
});

test("a key of a folder learns no name that a document had outside, nor how many others were changed", async () => {
  const everything = await programWith(API_KEY_SCOPES);
  const inFolder = await programWith(["knowledge:read"], "open");
  const { position } = (await changesOf(inFolder)).body;
  const path = `closed/draft ${Date.now()}.md`;
  const newPath = path.replace("closed", "open");
  for (const [route, body] of [
    ["create", { path, content: "# The merger\n" }],
    ["edit", { path, edits: [{ oldText: "The merger", newText: "Plans" }] }],
    ["move", { path, newPath }],
  ] as const) {
    expect((await everything("POST", `/api/v1/notes/${route}`, { body })).status).toBeLessThan(300);
  }
  await server.db.pool.query(
    "INSERT INTO change_events (resource, action, resource_id, resource_name, created_at) VALUES ('document', 'delete', '*', '140 documents', now())",
  );
  const last = (await api("POST", "/api/tasks", { body: { title: "after the move" } })).body.data.id;
  await logged(last);
  const namesFor = async (program: Request) => [
    ...new Set(
      (await readSince(program, position)).changes
        .filter(({ resource }) => resource === "document")
        .map(({ resourceId, resourceName }) => `${resourceId === "*" ? "*" : "one"} ${resourceName}`),
    ),
  ];
  expect(await namesFor(everything)).toEqual(
    expect.arrayContaining(["one The merger", "one Plans", "* 140 documents"]),
  );
  expect((await namesFor(inFolder)).toSorted()).toEqual(["* null", "one Plans"]);
});

test("a position tells nothing about changes of what a key may not read", async () => {
  const program = await programWith(["agents:read"]);
  const { position } = (await changesOf(program)).body;
  const id = (await api("POST", "/api/tasks", { body: { title: "unknown to it" } })).body.data.id;
  await logged(id);
  const { rows } = await server.db.pool.query(
    "SELECT seq, created_at AS at FROM change_events WHERE resource_id = $1",
    [id],
  );
  const next = (await changesOf(program, `?after=${position}`)).body;
  expect(next).toEqual({ data: [], position: expect.any(String), hasMore: false });
  expect(next.position).toHaveLength(position.length);
  // Two of the same place differ, so that comparing them does not tell whether something has changed.
  const { position: same } = (await changesOf(program, `?after=${next.position}`)).body;
  expect(same).not.toBe(next.position);
  // Nor can places be tried.
  const [{ seq, at }] = rows;
  for (const guess of ["0", "1", seq, `${seq}-${Date.parse(at)}`, Number(seq) + 1000, `${same.slice(0, -8)}AAAAAAAA`]) {
    const { status } = await changesOf(program, `?after=${guess}`);
    expect([guess, [400, 410].includes(status)]).toEqual([guess, true]);
  }
  // The place is of the log, whatever a key may read of it.
  const { changes } = await readSince(await programWith(["tasks:read"]), position);
  expect(changes.map(({ resourceId }) => resourceId)).toEqual([id]);
});

test("a position that is too old, of another log, or before a gap is gone", async () => {
  const program = await programWith(["tasks:read"]);
  const { position } = (await changesOf(program)).body;
  const first = (await api("POST", "/api/tasks", { body: { title: "before the gap" } })).body.data.id;
  await logged(first);
  await server.db.pool.query(
    "INSERT INTO change_events (resource, action, resource_id, created_at) VALUES ('gap', '', '', now())",
  );
  const second = (await api("POST", "/api/tasks", { body: { title: "after the gap" } })).body.data.id;
  await logged(second);
  const before = (await changesOf(program, `?after=${position}`)).body;
  expect([before.data.map(({ resourceId }: any) => resourceId), before.hasMore]).toEqual([[first], true]);
  const gone = await changesOf(program, `?after=${before.position}`);
  expect([gone.status, gone.body.message]).toEqual([410, expect.stringContaining("read everything again")]);
  const { position: last } = (await changesOf(program)).body;
  await logged((await api("POST", "/api/tasks", { body: { title: "after the last" } })).body.data.id);
  expect((await changesOf(program, `?after=${last}`)).status).toBe(200);
  await server.db.pool.query(
    "UPDATE change_events SET created_at = created_at - interval '1 hour' WHERE resource_id = $1",
    [second],
  );
  expect((await changesOf(program, `?after=${last}`)).status).toBe(410);
  await server.db.pool.query(
    "DELETE FROM change_events WHERE seq < (SELECT seq FROM change_events WHERE resource_id = $1)",
    [first],
  );
  expect((await changesOf(program, `?after=${position}`)).status).toBe(410);
  for (const wrong of ["?after=x", "?limit=0", "?limit=1001", "?resources=nothing"]) {
    expect([wrong, (await changesOf(program, wrong)).status]).toEqual([wrong, 400]);
  }
});
