import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = server.withToken;
});
afterAll(() => server.close());

const etagOf = ({ headers }: ApiResponse) => headers.get("etag") ?? "";
const WRITERS = 100;

const resources = [
  {
    name: "tasks",
    path: "/api/tasks",
    method: "PUT",
    create: () => ({ title: "first" }),
    change: (text: string) => ({ title: text }),
  },
  {
    name: "projects",
    path: "/api/projects",
    method: "PUT",
    create: () => ({ name: "first", color: "#3b82f6" }),
    change: (text: string) => ({ name: text }),
  },
  {
    name: "agents",
    path: "/api/agents",
    method: "PATCH",
    create: () => ({ name: "first", schedule: "0 6 1 1 *", prompt: "p", enabled: false }),
    change: (text: string) => ({ name: text }),
  },
];

describe.each(resources)("$name", ({ path, method, create, change }) => {
  const make = async () => {
    const created = await api("POST", path, { body: create() });
    return { created, url: `${path}/${created.body.data.id}`, id: String(created.body.data.id) };
  };
  const conditional = (url: string, tag: string, text: string) =>
    api(method, url, { headers: { "If-Match": tag }, body: change(text) });

  test("creating, reading and changing return the same strong entity tag, and a different one after a change", async () => {
    const { created, url, id } = await make();
    const read = await api("GET", url);
    expect(etagOf(read)).toMatch(/^"[\w-]+"$/);
    expect(etagOf(created)).toBe(etagOf(read));
    const listed = (await api("GET", path)).body.data.find((row: { id: string }) => row.id === id);
    expect(listed.version).toBe(read.body.data.version);

    const changed = await api(method, url, { body: change("second") });
    expect(etagOf(changed)).not.toBe(etagOf(read));
    expect(etagOf(await api("GET", url))).toBe(etagOf(changed));
  });

  test("a change based on an outdated state is 412 and changes nothing", async () => {
    const { created, url } = await make();
    const stale = etagOf(created);
    expect((await conditional(url, stale, "second")).status).toBe(200);
    const refused = await conditional(url, stale, "third");
    expect(refused).toMatchObject({
      status: 412,
      body: { statusCode: 412, message: expect.stringContaining("changed") },
    });
    expect((await api("DELETE", url, { headers: { "If-Match": stale } })).status).toBe(412);
    expect(JSON.stringify((await api("GET", url)).body.data)).toContain('"second"');
    expect((await api(method, url, { body: change("third") })).status).toBe(200);
  });

  test("If-Match accepts lists, the version alone and *, but no weak or foreign tags", async () => {
    const { created, url } = await make();
    const { version } = created.body.data;
    for (const tag of ['W/"1"', '"other"', '"99999999999999999999"', '"-1"', ""]) {
      expect([tag, (await conditional(url, tag, "never")).status]).toEqual([tag, 412]);
    }
    expect((await conditional(url, `"other", ${etagOf(created)}`, "second")).status).toBe(200);
    expect((await conditional(url, `"${Number(version) + 1}"`, "third")).status).toBe(200);
    expect((await conditional(url, "*", "fourth")).status).toBe(200);
    const inBody = await api(method, url, { body: { ...change("fifth"), expectedVersion: version } });
    expect(inBody.status).toBe(412);
  });

  test("an expected version that cannot be one is 400, in words", async () => {
    const { url } = await make();
    const message = "expectedVersion: expected a version, several separated by commas, or *";
    for (const expectedVersion of ["abc", "", '"1"', "-1", "1;2", "99999999999"]) {
      const changed = await api(method, url, { body: { ...change("never"), expectedVersion } });
      expect([expectedVersion, changed.status, changed.body.message]).toEqual([expectedVersion, 400, message]);
      const deleted = await api("DELETE", `${url}?expectedVersion=${encodeURIComponent(expectedVersion)}`);
      expect([expectedVersion, deleted.status, deleted.body.message]).toEqual([expectedVersion, 400, message]);
    }
    expect((await api("DELETE", `${url}?expectedVersion=1,%202`)).status).toBe(200);
  });

  test("exactly one of many writers with the same entity tag wins", async () => {
    const { created, url } = await make();
    const tag = etagOf(created);
    const writes = Array.from({ length: WRITERS }, (_, index) => conditional(url, tag, `writer ${index}`));
    const responses = await Promise.all(writes);
    const won = responses.filter(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(WRITERS - 1);
    expect(won).toHaveLength(1);
    expect((await api("GET", url)).body.data.name ?? (await api("GET", url)).body.data.title).toBe(
      won[0]?.body.data.name ?? won[0]?.body.data.title,
    );
  });

  test("one of many deletions with the same entity tag wins, and one with the current tag succeeds", async () => {
    const { created, url } = await make();
    const headers = { "If-Match": etagOf(created) };
    const responses = await Promise.all(Array.from({ length: 20 }, () => api("DELETE", url, { headers })));
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    // If the row is deleted permanently, the others do not find it.
    expect(new Set(statuses.slice(1))).toEqual(new Set([path === "/api/agents" ? 404 : 412]));
  });

  test("is 304 if the client's copy is current, and not after a change", async () => {
    const { created, url } = await make();
    const tag = etagOf(created);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await api("GET", url, { headers: { "If-None-Match": header } });
      expect([header, response.status, response.body, etagOf(response)]).toEqual([header, 304, null, tag]);
      expect((await api("HEAD", url, { headers: { "If-None-Match": header } })).status).toBe(304);
    }
    expect((await api("GET", url, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    await api(method, url, { body: change("second") });
    expect((await api("GET", url, { headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("a condition does not hide that the resource does not exist", async () => {
    const missing = `${path}/00000000-0000-7000-8000-000000000000`;
    expect((await conditional(missing, "*", "x")).status).toBe(404);
    expect((await api("GET", missing, { headers: { "If-None-Match": "*" } })).status).toBe(404);
  });
});

test("renaming its project changes a task for readers, but not for writers", async () => {
  const project = (await api("POST", "/api/projects", { body: { name: "before", color: "#3b82f6" } })).body.data;
  const task = await api("POST", "/api/tasks", { body: { title: "t", projectId: project.id } });
  const url = `/api/tasks/${task.body.data.id}`;
  await api("PUT", `/api/projects/${project.id}`, { body: { name: "after" } });
  const read = await api("GET", url, { headers: { "If-None-Match": etagOf(task) } });
  expect([read.status, read.body.data.project.name]).toEqual([200, "after"]);
  expect((await api("PUT", url, { headers: { "If-Match": etagOf(task) }, body: { title: "u" } })).status).toBe(200);
});

test("deleting and restoring a task count as changes, and restoring supports If-Match", async () => {
  const task = await api("POST", "/api/tasks", { body: { title: "t" } });
  const url = `/api/tasks/${task.body.data.id}`;
  await api("DELETE", url);
  const deleted = await api("GET", url);
  expect(etagOf(deleted)).not.toBe(etagOf(task));
  const restore = (tag: string) => api("POST", `${url}/restore`, { headers: { "If-Match": tag } });
  expect((await restore(etagOf(task))).status).toBe(412);
  expect((await restore(etagOf(deleted))).status).toBe(200);
  expect((await restore("*")).status).toBe(400);
});

test("/api/v1 has the same tags and conditions, and its own shape of a 412", async () => {
  const key = (await api("POST", "/api/api-keys", { body: { name: "k", scopes: API_KEY_SCOPES } })).body.data.key;
  const v1 = createRequest(server.url, { Authorization: `Bearer ${key}` });
  const created = await v1("POST", "/api/v1/tasks", { body: { title: "t" } });
  const { id } = created.body.data;
  expect(etagOf(created)).toBe(etagOf(await api("GET", `/api/tasks/${id}`)));
  const change = () =>
    v1("PUT", `/api/v1/tasks/${id}`, { headers: { "If-Match": etagOf(created) }, body: { title: "u" } });
  expect((await change()).status).toBe(200);
  expect(await change()).toMatchObject({ status: 412, body: { message: expect.any(String) } });
});

test("an agent's tag changes with its runs, which is no reason to refuse a change", async () => {
  const body = { name: "a", schedule: "0 6 1 1 *", prompt: "p", enabled: false };
  const created = await api("POST", "/api/agents", { body });
  const { id } = created.body.data;
  await server.db.pool.query(
    `INSERT INTO agent_runs (id, agent_id, status, trigger, process_id, started_at)
     VALUES (gen_random_uuid(), $1, 'success', 'manual', gen_random_uuid(), now())`,
    [id],
  );
  const read = await api("GET", `/api/agents/${id}`, { headers: { "If-None-Match": etagOf(created) } });
  expect([read.status, read.body.data.lastStatus]).toEqual([200, "success"]);
  const headers = { "If-Match": etagOf(created) };
  expect((await api("PATCH", `/api/agents/${id}`, { headers, body: { name: "b" } })).status).toBe(200);
});
