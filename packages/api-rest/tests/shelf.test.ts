import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
const ids: string[] = [];

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  for (let number = 0; number < 4; number += 1) {
    ids.push((await api("POST", "/api/tasks", { body: { title: `Task ${number}` } })).body.data.id);
  }
});
afterAll(() => server.close());

const shelf = async (): Promise<any> => (await api("GET", "/api/shelf")).body.data;
const titles = (items: { title: string }[]) => items.map(({ title }) => title);
const open = (kind: string, id: string) => api("POST", "/api/shelf/opened", { body: { kind, id } });
const favour = (body: object) => api("PUT", "/api/shelf/favourites", { body });
const task = (number: number) => ({ kind: "task", id: ids[number] ?? "" });

test("what was opened last comes first, each once, without what is deleted", async () => {
  await api("POST", "/api/fs/write", { body: { path: "/a/Note.md", content: "x" } });
  const { document } = (await api("POST", "/api/documents/by-path", { body: { path: "/a/Note.md" } })).body.data;
  const project = (await api("POST", "/api/projects", { body: { name: "P", color: "#3b82f6" } })).body.data;
  for (const [kind, id] of [
    ["task", ids[0]],
    ["document", document.id],
    ["project", project.id],
    ["session", "a session"],
    ["task", ids[0]],
  ] as const) {
    expect((await open(kind, id ?? "")).status).toBe(200);
  }
  const { recent } = await shelf();
  expect(recent.map(({ kind, title }: any) => `${kind} ${title}`)).toEqual([
    "task Task 0",
    "session Session a session",
    "project P",
    "document Note",
  ]);
  expect(recent[3]).toMatchObject({ path: "a/Note.md", url: `/documents?doc=${document.id}` });
  await api("DELETE", `/api/documents/${document.id}`);
  expect(titles((await shelf()).recent)).not.toContain("Note");
});

test("what does not exist, or belongs to somebody else, is not remembered, and no favourite", async () => {
  expect((await open("task", "nothing")).body.data).toEqual({ opened: false });
  expect((await open("document", ids[0] ?? "")).body.data).toEqual({ opened: false });
  expect((await open("secret", ids[0] ?? "")).status).toBe(400);
  expect((await favour({ kind: "task", id: "nothing" })).status).toBe(404);
});

test("favourites have an order, which is changed one at a time", async () => {
  await favour(task(0));
  await favour(task(1));
  await favour(task(2));
  expect(titles((await favour({ ...task(2), before: task(0) })).body.data.favourites)).toEqual([
    "Task 2",
    "Task 0",
    "Task 1",
  ]);
  expect(titles((await favour(task(2))).body.data.favourites)).toEqual(["Task 0", "Task 1", "Task 2"]);
  expect((await favour({ ...task(3), before: { kind: "task", id: "none" } })).status).toBe(400);
  await Promise.all([favour(task(3)), api("DELETE", `/api/shelf/favourites/task/${ids[1]}`)]);
  expect(titles((await shelf()).favourites)).toEqual(["Task 0", "Task 2", "Task 3"]);
});

test("no more than fifty are listed, and favourites stay", async () => {
  await open(task(0).kind, task(0).id);
  for (let number = 0; number < 55; number += 1) await open("session", `s${number}`);
  const { recent, favourites } = await shelf();
  expect(recent).toHaveLength(50);
  expect(recent[0].id).toBe("s54");
  expect(titles(favourites)).toContain("Task 0");
});

test("each person has their own", async () => {
  const owner = await api("GET", "/api/shelf");
  const credentials = { email: "other@example.com", password: "another-password-1" };
  await server.anonymous("POST", "/api/auth/sign-up/email", { body: { name: "Other", ...credentials } });
  const { headers } = await server.anonymous("POST", "/api/auth/sign-in/email", { body: credentials });
  const other = createRequest(server.url, { Cookie: cookieOf(headers) });
  expect((await other("GET", "/api/shelf")).body.data).toEqual({ favourites: [], recent: [] });
  await other("POST", "/api/shelf/opened", { body: task(0) });
  expect((await api("GET", "/api/shelf")).body).toEqual(owner.body);
});
