import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const create = async (body: object) => (await api("POST", "/api/projects", { body })).body.data;
const names = async (query = "") =>
  (await api("GET", `/api/projects${query}`)).body.data.map((project: any) => project.name);

test("a project is created, read, changed and listed by name", async () => {
  const { status, body } = await api("POST", "/api/projects", { body: { name: " Garden ", color: "#22C55E" } });
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      id: expect.any(String),
      name: "Garden",
      color: "#22C55E",
      description: null,
      createdAt: expect.stringMatching(TIMESTAMP),
      modifiedAt: expect.stringMatching(TIMESTAMP),
      deletedAt: null,
      version: "1",
    },
  });
  const project = body.data;
  expect((await api("GET", `/api/projects/${project.id}`)).body).toEqual(body);

  const updated = await api("PUT", `/api/projects/${project.id}`, { body: { description: "Beds and trees" } });
  expect(updated.body.data).toEqual({
    ...project,
    description: "Beds and trees",
    modifiedAt: expect.stringMatching(TIMESTAMP),
    version: "2",
  });
  const cleared = await api("PUT", `/api/projects/${project.id}`, { body: { description: null, name: "Yard" } });
  expect(cleared.body.data).toMatchObject({ description: null, name: "Yard", color: "#22C55E" });

  await create({ name: "apple", color: "#000000" });
  await create({ name: "Zebra", color: "#000000" });
  await create({ name: "Ärger", color: "#000000" });
  expect(await names()).toEqual(["apple", "Ärger", "Yard", "Zebra"]);
});

test("a project with an id of the caller's own is created once, and is returned as it is now afterwards", async () => {
  const body = { id: "6f1d7f0a-3a54-4c53-a1de-2f3c8a1f9b10", name: "Shed", color: "#22C55E" };
  const created = await create(body);
  expect(created.id).toBe(body.id);
  await api("PUT", `/api/projects/${body.id}`, { body: { name: "Barn" } });
  expect(await create(body)).toMatchObject({ id: body.id, name: "Barn", version: "2" });
  const both = await Promise.all([1, 2].map(() => create({ ...body, id: "6f1d7f0a-3a54-4c53-a1de-2f3c8a1f9b11" })));
  expect(both[0]).toEqual(both[1]);
  expect((await names()).filter((name: string) => ["Shed", "Barn"].includes(name))).toEqual(["Barn", "Shed"]);
  expect((await api("POST", "/api/projects", { body: { ...body, id: "1" } })).status).toBe(400);
});

test("a deleted project is not listed, but remains readable and assigned to its tasks", async () => {
  const project = await create({ name: "Old", color: "#ef4444" });
  const task = (await api("POST", "/api/tasks", { body: { title: "t", projectId: project.id } })).body.data;
  const deleted = await api("DELETE", `/api/projects/${project.id}`);
  expect(deleted.body).toEqual({ data: { id: project.id, name: "Old", deletedAt: expect.stringMatching(TIMESTAMP) } });
  expect(await names()).not.toContain("Old");
  expect(await names("?includeDeleted=true")).toContain("Old");
  expect((await api("GET", `/api/projects/${project.id}`)).body.data.deletedAt).toBe(deleted.body.data.deletedAt);
  expect((await api("DELETE", `/api/projects/${project.id}`)).body).toEqual(deleted.body);
  const refused = await api("PUT", `/api/projects/${project.id}`, { body: { name: "x" } });
  // No API can restore a project, so the message does not suggest it.
  expect([refused.status, refused.body.message]).toEqual([
    400,
    "The project is deleted. It can be restored in the dashboard.",
  ]);
  const kept = (await api("GET", `/api/tasks/${task.id}`)).body.data;
  expect(kept).toMatchObject({ projectId: project.id, project: { id: project.id, name: "Old", color: "#ef4444" } });
  expect((await api("PUT", `/api/tasks/${task.id}`, { body: { title: "still editable" } })).status).toBe(200);
});

describe("refusals", () => {
  test.each([
    ["no name", { color: "#000000" }],
    ["an empty name", { name: " ", color: "#000000" }],
    ["no color", { name: "a" }],
    ["a short color", { name: "a", color: "#fff" }],
    ["a color without #", { name: "a", color: "ffffff" }],
    ["a color by name", { name: "a", color: "red" }],
    ["a color with more behind it", { name: "a", color: "#ffffff\n" }],
  ])("%s is 400", async (_what, body) => {
    expect((await api("POST", "/api/projects", { body })).status).toBe(400);
  });

  test("an unknown project is 404", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      for (const id of [NOBODY, "not-an-id"]) {
        const options = method === "PUT" ? { body: { name: "a" } } : {};
        expect((await api(method, `/api/projects/${id}`, options)).status).toBe(404);
      }
    }
  });
});
