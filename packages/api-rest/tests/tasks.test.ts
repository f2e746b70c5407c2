import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const create = async (body: object) => (await api("POST", "/api/tasks", { body })).body.data;
const createProject = async (name: string) =>
  (await api("POST", "/api/projects", { body: { name, color: "#3b82f6" } })).body.data;
const list = async (query: string) =>
  (await api("GET", `/api/tasks?${query}`)).body.data.map((task: any) => task.title);

describe("a due time", () => {
  const put = (id: string, body: object) => api("PUT", `/api/tasks/${id}`, { body });

  test("belongs to a plain date and stays when the date moves", async () => {
    const { id, ...task } = await create({ title: "t", dueDate: "2026-12-24", dueTime: "09:05" });
    expect(task).toMatchObject({ dueDate: "2026-12-24", dueTime: "09:05" });
    const moved = await put(id, { dueDate: "2026-12-28" });
    expect(moved.body.data).toMatchObject({ dueDate: "2026-12-28", dueTime: "09:05" });
    expect((await put(id, { dueTime: null })).body.data).toMatchObject({ dueDate: "2026-12-28", dueTime: null });
    expect((await put(id, { dueTime: "18:00" })).body.data).toMatchObject({ dueDate: "2026-12-28", dueTime: "18:00" });
  });

  test.each([
    ["no date", null],
    ["a date-time", "2026-12-28T10:00:00.000Z"],
  ])("ends with %s", async (_, dueDate) => {
    const { id } = await create({ title: "t", dueDate: "2026-12-24", dueTime: "09:05" });
    expect((await put(id, { dueDate })).body.data).toMatchObject({ dueDate, dueTime: null });
    const refused = await put(id, { dueTime: "10:00" });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining("dueTime")]);
    expect((await api("GET", `/api/tasks/${id}`)).body.data).toMatchObject({ dueDate, dueTime: null });
  });
});

describe("creating with an id of the caller", () => {
  const id = "0190f3a0-0000-4000-8000-00000000c0de";

  test("stores the task once, however often it is repeated", async () => {
    const body = { id, title: "Made on the train" };
    const made = await Promise.all([1, 2, 3].map(() => api("POST", "/api/tasks", { body })));
    expect(made.map((response) => [response.status, response.body.data.id])).toEqual(made.map(() => [200, id]));
    await api("PUT", `/api/tasks/${id}`, { body: { title: "Changed since" } });
    expect((await create(body)).title).toBe("Changed since");
    expect((await list("search=train")).concat(await list("search=since"))).toEqual(["Changed since"]);
  });

  test("is refused if it is no UUID, or that of somebody else's task", async () => {
    expect((await api("POST", "/api/tasks", { body: { id: "mine", title: "t" } })).status).toBe(400);
    const account = { name: "Grace", email: "grace@example.com", password: "long enough" };
    const { headers } = await server.anonymous("POST", "/api/auth/sign-up/email", { body: account });
    const cookie = headers
      .getSetCookie()
      .map((entry: string) => entry.split(";")[0])
      .join("; ");
    const refused = await server.anonymous("POST", "/api/tasks", { headers: { cookie }, body: { id, title: "t" } });
    expect(refused.status).toBe(409);
  });
});

describe("what has changed", () => {
  test("is listed since an earlier request", async () => {
    const since = async (after?: string) =>
      (await api("GET", `/api/changes?resources=task&resources=project${after === undefined ? "" : `&after=${after}`}`))
        .body.data;
    await create({ title: "Made before" });
    await expect.poll(async () => (await since()).position).toMatch(/^[1-9]/);
    const { position, changed } = await since();
    expect(changed).toBeNull();
    const { id } = await create({ title: "Made since" });
    await expect.poll(async () => (await since(position)).changed).toContainEqual({ resource: "task", resourceId: id });
    expect((await api("GET", "/api/changes?resources=task&after=yesterday")).status).toBe(400);
  });
});

describe("creating", () => {
  test("returns the task with the contract's defaults", async () => {
    const { status, body } = await api("POST", "/api/tasks", { body: { title: "  Buy milk  " } });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7),
        title: "Buy milk",
        description: null,
        status: "todo",
        priority: 2,
        projectId: null,
        project: null,
        creator: { id: expect.any(String), name: ADMIN.name },
        dueDate: null,
        dueTime: null,
        tags: [],
        completedAt: null,
        deletedAt: null,
        createdAt: expect.stringMatching(TIMESTAMP),
        modifiedAt: expect.stringMatching(TIMESTAMP),
        version: "1",
        claim: null,
        handoverNote: null,
        assignee: null,
        parentId: null,
        position: expect.stringMatching(/^k[0-9a-f]{11}$/),
        subtasks: { done: 0, total: 0 },
        checklist: { done: 0, total: 0 },
        repeat: null,
        repeatFrom: "due",
        repeatTimezone: null,
        nextId: null,
        snoozedUntil: null,
      },
    });
    expect((await api("GET", `/api/tasks/${body.data.id}`)).body).toEqual(body);
  });

  test("keeps every field, with the project and its color", async () => {
    const project = await createProject("Home");
    const task = await create({
      title: "Paint",
      description: "The fence",
      status: "in_progress",
      priority: 3,
      projectId: project.id,
      dueDate: "2026-12-24",
      tags: [" b ", "a", "", "b"],
    });
    expect(task).toMatchObject({
      description: "The fence",
      status: "in_progress",
      priority: 3,
      projectId: project.id,
      project: { id: project.id, name: "Home", color: "#3b82f6" },
      dueDate: "2026-12-24",
      tags: ["b", "a"],
    });
  });

  test("as done sets completedAt", async () => {
    expect((await create({ title: "Done at once", status: "done" })).completedAt).toMatch(TIMESTAMP);
  });

  test.each([
    ["no title", {}],
    ["an empty title", { title: "   " }],
    ["an unknown status", { title: "a", status: "open" }],
    ["a priority outside 1 to 3", { title: "a", priority: 4 }],
    ["a priority between", { title: "a", priority: 1.5 }],
    ["a project that does not exist", { title: "a", projectId: NOBODY }],
    ["a malformed project id", { title: "a", projectId: "x" }],
    ["a day that does not exist", { title: "a", dueDate: "2026-02-30" }],
    ["a due date in words", { title: "a", dueDate: "tomorrow" }],
    ["a due time in words", { title: "a", dueDate: "2026-02-03", dueTime: "noon" }],
    ["a due time that does not exist", { title: "a", dueDate: "2026-02-03", dueTime: "24:00" }],
    ["a due time without a due date", { title: "a", dueTime: "09:00" }],
    ["a due time beside a date-time", { title: "a", dueDate: "2026-02-03T10:00:00Z", dueTime: "09:00" }],
    ["tags that are no texts", { title: "a", tags: [1] }],
  ])("refuses %s with 400 and stores nothing", async (_what, body) => {
    const before = (await api("GET", "/api/tasks?includeDeleted=true")).body.data.length;
    expect((await api("POST", "/api/tasks", { body })).status).toBe(400);
    expect((await api("GET", "/api/tasks?includeDeleted=true")).body.data).toHaveLength(before);
  });

  test("refuses a deleted project", async () => {
    const project = await createProject("Gone");
    await api("DELETE", `/api/projects/${project.id}`);
    expect((await api("POST", "/api/tasks", { body: { title: "a", projectId: project.id } })).status).toBe(400);
  });

  test("returns a due time in UTC with milliseconds and leaves a date unchanged", async () => {
    expect((await create({ title: "t", dueDate: "2026-03-29T02:30:00+02:00" })).dueDate).toBe(
      "2026-03-29T00:30:00.000Z",
    );
    expect((await create({ title: "t", dueDate: "2026-03-29" })).dueDate).toBe("2026-03-29");
  });
});

describe("listing", () => {
  test("is newest first", async () => {
    await create({ title: "order 1" });
    await create({ title: "order 2" });
    await create({ title: "order 3" });
    expect(await list("search=order")).toEqual(["order 3", "order 2", "order 1"]);
  });

  test("combines repeated statuses with OR and other filters with AND", async () => {
    const project = await createProject("Filters");
    for (const status of ["todo", "in_progress", "done", "blocked"]) {
      await create({ title: `filter ${status}`, status, projectId: project.id });
    }
    expect(await list(`projectId=${project.id}`)).toHaveLength(4);
    expect(await list(`projectId=${project.id}&status=done&status=blocked`)).toEqual(["filter blocked", "filter done"]);
    expect(await list(`projectId=${project.id}&status=todo&search=DONE`)).toEqual([]);
    expect(await list(`projectId=${NOBODY}`)).toEqual([]);
    expect(await list("projectId=x")).toEqual([]);
  });

  test("searches title and description, in any case of any script, with wildcards as ordinary characters", async () => {
    await create({ title: "100% sure_thing", description: "back\\slash" });
    await create({ title: "Straße", description: "ПРИВЕТ мир" });
    expect(await list("search=100%25")).toEqual(["100% sure_thing"]);
    expect(await list("search=0_sure")).toEqual([]);
    expect(await list("search=sure_")).toEqual(["100% sure_thing"]);
    expect(await list(`search=${encodeURIComponent("k\\s")}`)).toEqual(["100% sure_thing"]);
    expect(await list(`search=${encodeURIComponent("STRASSE")}`)).toEqual(["Straße"]);
    expect(await list(`search=${encodeURIComponent("привет МИР")}`)).toEqual(["Straße"]);
  });

  test("omits deleted tasks unless requested", async () => {
    const task = await create({ title: "to be deleted" });
    await api("DELETE", `/api/tasks/${task.id}`);
    expect(await list("search=to be deleted")).toEqual([]);
    expect(await list("search=to be deleted&includeDeleted=false")).toEqual([]);
    expect(await list("search=to be deleted&includeDeleted=true")).toEqual(["to be deleted"]);
  });

  test("can be read in pages without gaps or repetitions", async () => {
    for (let index = 0; index < 7; index += 1) await create({ title: `page ${index}` });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await api(
        "GET",
        `/api/tasks?search=page&limit=3${cursor === undefined ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...body.data.map((task: any) => task.title));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["page 6", "page 5", "page 4", "page 3", "page 2", "page 1", "page 0"]);
    expect((await api("GET", "/api/tasks?cursor=nonsense&limit=3")).status).toBe(400);
  });

  test("of tags is unique, alphabetical, and without those of deleted tasks", async () => {
    await create({ title: "t", tags: ["Zebra", "apple"] });
    await create({ title: "t", tags: ["apple", "ärger"] });
    const gone = await create({ title: "t", tags: ["vanished"] });
    await api("DELETE", `/api/tasks/${gone.id}`);
    const { body } = await api("GET", "/api/tasks/tags");
    expect(body.data.filter((tag: string) => ["Zebra", "apple", "ärger", "vanished"].includes(tag))).toEqual([
      "apple",
      "ärger",
      "Zebra",
    ]);
  });
});

describe("changing", () => {
  test("only changes the given fields", async () => {
    const task = await create({
      title: "before",
      description: "stays",
      priority: 3,
      tags: ["x"],
      dueDate: "2026-01-01",
    });
    const { status, body } = await api("PUT", `/api/tasks/${task.id}`, { body: { title: " after " } });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...task, title: "after", modifiedAt: expect.stringMatching(TIMESTAMP), version: "2" });
  });

  test("null clears description, project and due date", async () => {
    const project = await createProject("To unset");
    const task = await create({ title: "t", description: "d", projectId: project.id, dueDate: "2026-01-01" });
    const { body } = await api("PUT", `/api/tasks/${task.id}`, {
      body: { description: null, projectId: null, dueDate: null },
    });
    expect(body.data).toMatchObject({ description: null, projectId: null, project: null, dueDate: null });
  });

  test("sets completedAt on entering done, keeps it there, clears it on leaving", async () => {
    const task = await create({ title: "moves" });
    const put = async (body: object) => (await api("PUT", `/api/tasks/${task.id}`, { body })).body.data;
    const { completedAt } = await put({ status: "done" });
    expect(completedAt).toMatch(TIMESTAMP);
    expect((await put({ status: "done", title: "still done" })).completedAt).toBe(completedAt);
    expect((await put({ priority: 1 })).completedAt).toBe(completedAt);
    expect((await put({ status: "blocked" })).completedAt).toBeNull();
  });

  test("finds the new text and no longer the old", async () => {
    const task = await create({ title: "oldword", description: "kept words" });
    await api("PUT", `/api/tasks/${task.id}`, { body: { title: "newword" } });
    expect(await list("search=oldword")).toEqual([]);
    expect(await list("search=newword")).toEqual(["newword"]);
    expect(await list("search=kept words")).toEqual(["newword"]);
  });

  test("is 404 for an unknown task and 400 for invalid values", async () => {
    const task = await create({ title: "t" });
    expect((await api("PUT", `/api/tasks/${NOBODY}`, { body: { title: "a" } })).status).toBe(404);
    expect((await api("PUT", "/api/tasks/x", { body: { title: "a" } })).status).toBe(404);
    for (const body of [
      { title: "" },
      { title: null },
      { status: null },
      { priority: 0 },
      { tags: null },
      { projectId: NOBODY },
    ]) {
      expect((await api("PUT", `/api/tasks/${task.id}`, { body })).status).toBe(400);
    }
    expect((await api("GET", `/api/tasks/${task.id}`)).body.data).toEqual(task);
  });

  test("a body cannot select another task", async () => {
    const [one, other] = [await create({ title: "one" }), await create({ title: "other" })];
    await api("PUT", `/api/tasks/${one.id}`, { body: { id: other.id, title: "changed" } });
    expect((await api("GET", `/api/tasks/${other.id}`)).body.data.title).toBe("other");
  });
});

describe("deleting and restoring", () => {
  test("keeps the task readable, refuses changes, and restores it", async () => {
    const task = await create({ title: "comes back" });
    const deleted = await api("DELETE", `/api/tasks/${task.id}`);
    expect(deleted).toMatchObject({
      status: 200,
      body: { data: { id: task.id, title: "comes back", deletedAt: expect.stringMatching(TIMESTAMP) } },
    });
    expect((await api("GET", `/api/tasks/${task.id}`)).body.data.deletedAt).toBe(deleted.body.data.deletedAt);
    expect((await api("PUT", `/api/tasks/${task.id}`, { body: { title: "no" } })).status).toBe(400);
    expect((await api("DELETE", `/api/tasks/${task.id}`)).body).toEqual(deleted.body);

    const restored = await api("POST", `/api/tasks/${task.id}/restore`);
    expect(restored).toMatchObject({
      status: 200,
      body: { data: { id: task.id, title: "comes back", deletedAt: null } },
    });
    expect((await api("GET", `/api/tasks/${task.id}`)).body.data).toEqual({ ...task, version: "3" });
    expect((await api("POST", `/api/tasks/${task.id}/restore`)).status).toBe(400);
  });

  test("is 404 for an unknown task", async () => {
    for (const [method, path] of [
      ["GET", `/api/tasks/${NOBODY}`],
      ["DELETE", `/api/tasks/${NOBODY}`],
      ["POST", `/api/tasks/${NOBODY}/restore`],
      ["GET", "/api/tasks/not-an-id"],
    ] as const) {
      expect((await api(method, path)).status).toBe(404);
    }
  });
});
