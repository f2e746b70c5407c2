import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const create = async (title: string) => (await api("POST", "/api/tasks", { body: { title } })).body.data;
const createKey = async (name: string, scopes = ["tasks:read", "tasks:write"]): Promise<string> =>
  (await api("POST", "/api/api-keys", { body: { name, scopes } })).body.data.key;
const withKey = (key: string) => createRequest(server.url, { Authorization: `Bearer ${key}` });

test("two programs and a person share the queue", async () => {
  const [first, second] = [await create("First"), await create("Second")];
  const laptop = withKey(await createKey("Laptop"));
  const desktop = withKey(await createKey("Desktop"));
  expect((await laptop("GET", "/api/v1/tasks/ready")).body.data.map(({ title }: any) => title)).toEqual([
    "First",
    "Second",
  ]);
  const { task, claimId } = (await laptop("POST", "/api/v1/tasks/claim", { body: { sessionId: "s-1" } })).body.data;
  expect(task).toMatchObject({ id: first.id, status: "in_progress", claim: { holder: "Laptop", sessionId: "s-1" } });
  const refused = await desktop("POST", "/api/v1/tasks/claim", { body: { id: first.id } });
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain("Laptop has claimed the task");
  expect((await desktop("POST", "/api/v1/tasks/claim", { body: {} })).body.data.task.id).toBe(second.id);
  expect((await desktop("POST", "/api/v1/tasks/claim", { body: {} })).body.data).toBeNull();
  expect((await desktop("POST", `/api/v1/tasks/${first.id}/release`, { body: {} })).status).toBe(400);
  const released = await laptop("POST", `/api/v1/tasks/${first.id}/release`, {
    body: { claimId, note: "Look at the pump first." },
  });
  expect(released.body.data).toMatchObject({ status: "todo", claim: null, handoverNote: "Look at the pump first." });
  // The person takes back what the other program has.
  expect((await api("POST", `/api/tasks/${second.id}/release`, { body: {} })).status).toBe(200);
  expect((await api("GET", "/api/tasks/ready")).body.data).toHaveLength(2);
});

test("a renewed claim has another entity tag, since the task is shown with it", async () => {
  const { id } = await create("Tagged");
  const { claimId } = (await api("POST", "/api/tasks/claim", { body: { id } })).body.data;
  const before = await api("GET", `/api/tasks/${id}`);
  await api("POST", `/api/tasks/${id}/renew`, { body: { claimId, leaseMinutes: 60 } });
  const after = await api("GET", `/api/tasks/${id}`);
  expect(after.body.data.version).toBe(before.body.data.version);
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
});

test("a key that may only read tasks can see the queue and take nothing from it", async () => {
  await create("For others");
  const reader = withKey(await createKey("Reader", ["tasks:read"]));
  expect((await reader("GET", "/api/v1/tasks/ready?limit=1")).body.data).toHaveLength(1);
  expect((await reader("POST", "/api/v1/tasks/claim", { body: {} })).status).toBe(403);
});

test("an assistant works through the queue over MCP", async () => {
  const [dig, fill] = [await create("Dig"), await create("Fill")];
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${await createKey("Assistant")}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  const call = async (name: string, args: object): Promise<any> => {
    const { content, isError }: any = await client.callTool({ name, arguments: { ...args } });
    return isError === true ? content[0].text : JSON.parse(content[0].text).data;
  };
  try {
    await call("tasks_block", { id: fill.id, blockedBy: [dig.id] });
    expect(await call("tasks_claim", { id: fill.id })).toContain("waits for “Dig”");
    const { claimId } = await call("tasks_claim", { id: dig.id });
    expect(await call("tasks_renew", { id: dig.id, claimId })).toMatchObject({ claim: { holder: "Assistant" } });
    expect(await call("tasks_update", { id: dig.id, status: "done" })).toMatchObject({ claim: null });
    expect(await call("tasks_claim", { id: fill.id })).toMatchObject({ task: { title: "Fill" } });
    expect(await call("tasks_blocks", { id: dig.id })).toMatchObject({ blocks: [{ id: fill.id }] });
  } finally {
    await client.close();
  }
});
