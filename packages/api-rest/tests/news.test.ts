import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";
import { connectRealtime } from "./realtime-client.ts";

let model: ModelDouble;
let server: TestServer;
let api: Request;
/** A program with a key of the person. */
let program: Request;

beforeAll(async () => {
  model = await startModelDouble();
  const settings = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-5-mini" };
  server = await startTestServer(settings);
  api = await server.signIn();
  const scopes = ["tasks:read", "tasks:write", "knowledge:read", "knowledge:write", "hooks", "memory:write"];
  const { key } = (await api("POST", "/api/api-keys", { body: { name: "Laptop", scopes } })).body.data;
  program = createRequest(server.url, { Authorization: `Bearer ${key}` });
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const news = async (by = api): Promise<any> => (await by("GET", "/api/news")).body.data;
const markRead = async (until: string): Promise<any> =>
  (await api("POST", "/api/news/read", { body: { until } })).body.data;
const markAllRead = async () => markRead((await news()).until);
const create = async (by: Request, title: string): Promise<string> =>
  (await by("POST", by === api ? "/api/tasks" : "/api/v1/tasks", { body: { title } })).body.data.id;

test("what others did is news until it is opened; what the person did is none", async () => {
  await create(api, "My own");
  const changed = await create(api, "Dig a pond");
  const created = await create(program, "Buy reeds");
  await program("PUT", `/api/v1/tasks/${changed}`, { body: { priority: 3 } });
  await program("PUT", `/api/v1/tasks/${changed}`, { body: { status: "in_progress" } });
  const { items, totalItems } = await news();
  expect(totalItems).toBe(2);
  expect(items).toMatchObject([
    { kind: "task", id: changed, title: "Dig a pond", url: `/tasks?task=${changed}`, actions: ["changed"], count: 2 },
    { kind: "task", id: created, actions: ["created"], count: 1, isDeleted: false, mentionsYou: false, comment: null },
  ]);
  expect(items[0].author).toMatchObject({ kind: "program", name: "Laptop" });
  await api("POST", "/api/shelf/opened", { body: { kind: "task", id: changed } });
  expect((await news()).items.map(({ id }: any) => id)).toEqual([created]);
  await program("PUT", `/api/v1/tasks/${changed}`, { body: { priority: 1 } });
  expect((await news()).items[0]).toMatchObject({ id: changed, count: 1 });
});

test("news of somebody who has never read any begins when they joined", async () => {
  await create(program, "Before Grace joined");
  const account = { name: "Grace", email: "grace@example.com", password: "long enough" };
  const joining = await server.anonymous("POST", "/api/auth/sign-up/email", { body: account });
  const grace = createRequest(server.url, { Cookie: cookieOf(joining.headers) });
  const after = await create(program, "After Grace joined");
  const first = await news(grace);
  expect(first).toMatchObject({ isFirst: true, items: [{ id: after }] });
  expect(Date.now() - Date.parse(first.since)).toBeLessThan(60_000);
  const read = await grace("POST", "/api/news/read", { body: { until: first.until } });
  expect(read.body.data).toMatchObject({ isFirst: false, since: first.until, items: [] });
});

test("what was opened is no news again after many other things were opened", async () => {
  await markAllRead();
  const id = await create(program, "Long ago");
  await api("POST", "/api/shelf/opened", { body: { kind: "task", id } });
  for (let number = 0; number < 60; number += 1)
    await api("POST", "/api/shelf/opened", { body: { kind: "session", id: `later-${number}` } });
  expect((await news()).items).toEqual([]);
});

test("a mention comes first, with what was written; a deleted task says so", async () => {
  await markAllRead();
  const id = await create(api, "Plant the pond");
  const { name } = (await api("GET", "/api/auth/get-session")).body.user;
  const body = { text: `Which plants, @${name}?` };
  expect((await program("POST", `/api/v1/tasks/${id}/comments`, { body })).status).toBe(200);
  const deleted = await create(program, "Later");
  await program("DELETE", `/api/v1/tasks/${deleted}`);
  expect((await news()).items).toMatchObject([
    { id, actions: ["commented"], mentionsYou: true, comment: body.text },
    { id: deleted, actions: ["changed", "created"], isDeleted: true },
  ]);
});

test("a note that a program wrote is news, and one that was saved here is none", async () => {
  await markAllRead();
  await api("POST", "/api/fs/write", { body: { path: "/Mine.md", content: "# Mine" } });
  expect(
    (await program("POST", "/api/v1/notes/create", { body: { path: "Theirs.md", content: "# Theirs" } })).status,
  ).toBe(201);
  const { items } = await news();
  expect(items).toMatchObject([{ kind: "document", title: "Theirs", author: { name: "Laptop" } }]);
});

test("runs are counted by agent, with how the last one ended", async () => {
  await markAllRead();
  const body = { name: "Gardener", schedule: "0 0 29 2 *", prompt: "Work.", tools: [] };
  const { id } = (await api("POST", "/api/agents", { body })).body.data;
  model.reply({ text: "Everything grows." }, { fault: { kind: "status", status: 400 } });
  for (const status of ["success", "error"]) {
    const { runId } = (await api("POST", `/api/agents/${id}/run`)).body;
    await expect
      .poll(async () => (await api("GET", `/api/agents/${id}/runs/${runId}`)).body.data.status, { timeout: 20_000 })
      .toBe(status);
  }
  const { agents, totalAgents, spend } = await news();
  expect(totalAgents).toBe(1);
  expect(agents).toMatchObject([{ agentId: id, name: "Gardener", runs: 2, failed: 1, last: { status: "error" } }]);
  expect(agents[0].last.text).not.toBe("");
  expect(spend.workspace.costUsd).toBeGreaterThan(0);
});

test("an answer of a chat is news to its person only", async () => {
  await markAllRead();
  const client = await connectRealtime(server.url);
  model.reply({ text: "Hello!" });
  client.send({ type: "chat:send", message: "Hi" });
  const { conversationId } = await client.waitFor(({ type }) => type === "chat:session_created");
  await client.waitFor(({ type }) => type === "chat:stream_end");
  await client.close();
  await expect
    .poll(async () => (await news()).items)
    .toMatchObject([{ kind: "conversation", id: conversationId, actions: ["answered"], author: null }]);
  const other = await signUpOther();
  expect((await news(other)).items.filter(({ kind }: any) => kind === "conversation")).toEqual([]);
});

test("blocked calls and memories are counted", async () => {
  await markAllRead();
  const event = { eventType: "PreToolUse", sessionId: "s", toolName: "Bash", blocked: true, blockReason: "Too risky" };
  expect((await program("POST", "/api/hooks/events", { body: event })).status).toBeLessThan(300);
  const stored = { content: "The pond is two metres deep.", chunkType: "fact" };
  expect((await api("POST", "/api/memory/store", { body: stored })).status).toBeLessThan(300);
  const { blockedCalls, memories } = await news();
  expect(blockedCalls).toMatchObject({ total: 1, latest: [{ toolName: "Bash", reason: "Too risky", sessionId: "s" }] });
  expect(memories).toEqual({ learnt: 1, toReview: 0 });
});

test("what has been read is news no more, and a time before or in the future changes nothing that is still to come", async () => {
  await create(program, "Before");
  const { until } = await news();
  expect((await markRead(until)).items).toEqual([]);
  await markRead("2020-01-01T00:00:00Z");
  expect((await news()).since).toBe(until);
  await markRead("2999-01-01T00:00:00Z");
  await create(program, "After");
  expect((await news()).items.map(({ title }: any) => title)).toEqual(["After"]);
  expect((await api("POST", "/api/news/read", { body: { until: "yesterday" } })).status).toBe(400);
});

async function signUpOther(): Promise<Request> {
  const credentials = { email: "other@example.com", password: "another-password-1" };
  await server.anonymous("POST", "/api/auth/sign-up/email", { body: { name: "Other", ...credentials } });
  const { headers } = await server.anonymous("POST", "/api/auth/sign-in/email", { body: credentials });
  return createRequest(server.url, { Cookie: cookieOf(headers) });
}
