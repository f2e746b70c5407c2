import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let model: ModelDouble;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  model = await startModelDouble();
  server = await startTestServer({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-5-mini" });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const create = async (by: Request, title: string) => (await by("POST", "/api/tasks", { body: { title } })).body.data;
const createKey = async (name: string, scopes = ["tasks:read", "tasks:write"]): Promise<string> =>
  (await api("POST", "/api/api-keys", { body: { name, scopes } })).body.data.key;
const withKey = (key: string) => createRequest(server.url, { Authorization: `Bearer ${key}` });

/** An assistant's session that names itself. */
async function connect(key: string, sessionId: string) {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}`, "X-Assistant-Session": sessionId } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  const call = async (name: string, args: object): Promise<any> => {
    const { content, isError }: any = await client.callTool({ name, arguments: { ...args } });
    return isError === true ? content[0].text : JSON.parse(content[0].text);
  };
  return { call, close: () => client.close() };
}

/** Runs a new agent that makes one call. */
async function runAgent(name: string, toolCall: { name: string; arguments: object }): Promise<void> {
  const body = { name, schedule: "0 0 29 2 *", prompt: "Work.", tools: [toolCall.name] };
  const { id } = (await api("POST", "/api/agents", { body })).body.data;
  model.reply({ toolCalls: [toolCall] }, { text: "Done." });
  const { runId } = (await api("POST", `/api/agents/${id}/run`)).body;
  await expect
    .poll(async () => (await api("GET", `/api/agents/${id}/runs/${runId}`)).body.data.status, { timeout: 20_000 })
    .toBe("success");
}

test("a person, a program, the token, an assistant's session and an agent are told apart", async () => {
  const { id } = await create(api, "Dig a pond");
  const key = await createKey("Laptop");
  const assistant = await connect(key, "session-1");
  try {
    await withKey(key)("PUT", `/api/v1/tasks/${id}`, { body: { priority: 3 } });
    await server.withToken("PUT", `/api/tasks/${id}`, { body: { dueDate: "2026-05-01" } });
    await assistant.call("tasks_comment", { id, text: "Who has the spade, @ada?" });
    await runAgent("Gardener", { name: "tasks_update", arguments: { id, status: "in_progress" } });
    const entries = (await assistant.call("tasks_activity", { id })).data;
    expect(entries.map(({ kind, author }: any) => [kind, author.kind, author.name, author.sessionId])).toEqual([
      ["change", "agent", "Gardener", undefined],
      ["comment", "assistant", "Laptop", "session-1"],
      ["change", "program", "API token", undefined],
      ["change", "program", "Laptop", undefined],
      ["creation", "person", "Ada", undefined],
    ]);
    expect(entries[1].mentions).toMatchObject([{ kind: "user", name: "Ada" }]);
    const undone = await assistant.call("tasks_undo", { id, changeId: entries[3].id });
    expect(undone.data.priority).toBe(2);
    expect(await assistant.call("tasks_undo", { id, changeId: entries[3].id })).toBe(
      "The priority has been changed since. Nothing was undone.",
    );
  } finally {
    await assistant.close();
  }
});

test("a comment with an id of the author's own is written once", async () => {
  const [first, second] = await Promise.all(["Fence", "Gate"].map((title) => create(api, title)));
  const comments = `/api/tasks/${first.id}/comments`;
  const body = { commentId: "6f1d7f0a-3a54-4c53-a1de-2f3c8a1f9b20", text: "Paint it" };
  const written = (await api("POST", comments, { body })).body.data;
  expect(written).toMatchObject({ id: body.commentId, text: "Paint it" });
  expect((await api("POST", comments, { body })).body.data).toEqual(written);
  expect((await api("GET", `/api/tasks/${first.id}/activity?only=comments`)).body.data).toHaveLength(1);
  const laptop = withKey(await createKey("Other author"));
  expect((await laptop("POST", `/api/v1/tasks/${first.id}/comments`, { body })).status).toBe(409);
  expect((await api("POST", `/api/tasks/${second.id}/comments`, { body })).status).toBe(409);
  await api("DELETE", `/api/tasks/${first.id}`);
  expect((await api("POST", comments, { body })).body.data).toEqual(written);
  expect((await api("POST", comments, { body: { text: "Late" } })).status).toBe(400);
});

test("what is refused, and to whom", async () => {
  const { id } = await create(api, "Refusals");
  const reader = withKey(await createKey("Reader", ["tasks:read"]));
  const [laptop, desktop] = [withKey(await createKey("Laptop")), withKey(await createKey("Desktop"))];
  const comments = `/api/v1/tasks/${id}/comments`;
  expect((await reader("POST", comments, { body: { text: "x" } })).status).toBe(403);
  expect((await reader("GET", `/api/v1/tasks/${id}/activity`)).body.data).toHaveLength(1);
  const { body } = await laptop("POST", comments, { body: { text: " **x** " } });
  expect(body.data).toMatchObject({ text: "**x**", editedAt: null });
  const comment = `${comments}/${body.data.id}`;
  expect((await desktop("PUT", comment, { body: { text: "y" } })).status).toBe(403);
  expect((await desktop("DELETE", comment)).status).toBe(403);
  expect((await laptop("PUT", comment, { body: { text: "" } })).status).toBe(400);
  expect((await laptop("PUT", comment, { body: { text: "y" } })).status).toBe(200);
  expect((await api("DELETE", `/api/tasks/${id}/comments/${body.data.id}`)).status).toBe(200);
  expect((await api("POST", `/api/tasks/${id}/comments`, { body: { text: "x".repeat(10_001) } })).status).toBe(400);
  expect((await api("GET", `/api/tasks/${id}/activity?limit=101`)).status).toBe(400);
  expect((await api("GET", "/api/tasks/nothing/activity")).status).toBe(404);
  const invalid = await createRequest(server.url, {
    Authorization: `Bearer ${await createKey("Odd")}`,
    "X-Assistant-Session": "a b",
  })("GET", "/api/v1/tasks");
  expect([invalid.status, invalid.body.message]).toEqual([400, expect.stringContaining("X-Assistant-Session")]);
});

test("the whole description of a change, of which the list has the beginning", async () => {
  const { id } = await create(api, "Long");
  const description = "Ö".repeat(100_000);
  await api("PUT", `/api/tasks/${id}`, { body: { description } });
  const [change] = (await api("GET", `/api/tasks/${id}/activity`)).body.data;
  expect(change.changes).toEqual([{ field: "description", before: null, after: `${"Ö".repeat(500)}…` }]);
  const { data } = (await api("GET", `/api/tasks/${id}/changes/${change.id}`)).body;
  expect([data.descriptionBefore, data.descriptionAfter]).toEqual([null, description]);
});

test("the history shows keys the links to notes that they may read, and no others", async () => {
  const { id } = await create(api, "Read about ponds");
  for (const path of ["Open/Fish.md", "Private/Diary.md"])
    await api("POST", "/api/fs/write", { body: { path, content: "Text." } });
  const documents = (await api("GET", "/api/documents")).body.data;
  for (const title of ["Fish", "Diary"]) {
    const note = documents.find((document: any) => document.title === title);
    await api("POST", `/api/tasks/${id}/links`, { body: { add: [{ kind: "note", id: note.id }] } });
  }
  const { key: limited } = (
    await api("POST", "/api/api-keys", {
      body: { name: "Folder", scopes: ["tasks:read", "knowledge:read"], folder: "Open" },
    })
  ).body.data;
  const readers = [
    withKey(await createKey("Tasks")),
    withKey(limited),
    withKey(await createKey("All", ["tasks:read", "knowledge:read"])),
  ];
  const seen = await Promise.all(
    readers.map(async (by) => {
      const { data } = (await by("GET", `/api/v1/tasks/${id}/activity?only=changes`)).body;
      const changes = await Promise.all(
        data.map(async (change: any) => (await by("GET", `/api/v1/tasks/${id}/changes/${change.id}`)).body),
      );
      return ["Fish", "Diary"].filter((title) => JSON.stringify([data, changes]).includes(title));
    }),
  );
  expect(seen).toEqual([[], ["Fish"], ["Fish", "Diary"]]);
});

test("a note is linked by its path, by keys only where they may read", async () => {
  const { id } = await create(api, "Build a pond");
  for (const path of ["Open/Pond.md", "Private/Plan.md"])
    await api("POST", "/api/fs/write", { body: { path, content: "Text." } });
  const { body } = await api("POST", "/api/api-keys", {
    body: { name: "Links", scopes: ["tasks:read", "tasks:write", "knowledge:read"], folder: "Open" },
  });
  const program = withKey(body.data.key);
  const link = (change: "add" | "remove", path: string) =>
    program("POST", `/api/v1/tasks/${id}/links`, { body: { [change]: [{ kind: "note", id: path }] } });
  const linkedTo = async (path: string) =>
    (await program("GET", `/api/v1/tasks/linked?kind=note&targetId=${encodeURIComponent(path)}`)).body.data;

  expect((await link("add", "Open/Pond.md")).body.data.notes).toMatchObject([{ path: "Open/Pond.md" }]);
  expect(await linkedTo("Open/Pond.md")).toMatchObject([{ id }]);
  const [hidden, missing] = [await link("add", "Private/Plan.md"), await link("add", "Private/None.md")];
  expect([hidden.status, missing.status]).toEqual([400, 400]);
  expect(hidden.body.message.replace("Plan", "None")).toBe(missing.body.message);
  await api("POST", `/api/tasks/${id}/links`, { body: { add: [{ kind: "note", id: "Private/Plan.md" }] } });
  expect(await linkedTo("Private/Plan.md")).toEqual([]);
  expect((await link("remove", "Open/Pond.md")).body.data.notes).toEqual([]);
});
