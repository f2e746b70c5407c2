import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { API_KEY_SCOPES, capabilities } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let client: Client;
let allKey: string;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  allKey = await createKey(API_KEY_SCOPES);
  client = await connect(allKey);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

async function createKey(scopes: readonly string[]): Promise<string> {
  return (await api("POST", "/api/api-keys", { body: { name: "assistant", scopes } })).body.data.key;
}

async function connect(key: string): Promise<Client> {
  const connected = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", server.url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await connected.connect(transport);
  return connected;
}

const call = async (name: string, args: Record<string, unknown> = {}, by = client) => {
  const result: any = await by.callTool({ name, arguments: args });
  const [{ text }] = result.content;
  return { isError: result.isError === true, text, output: result.isError === true ? null : JSON.parse(text) };
};

test("the official client works in the workspace", async () => {
  expect(client.getServerVersion()).toMatchObject({ name: "workspace" });
  const project = (await call("projects_create", { name: "Garden", color: "#22c55e" })).output.data;
  const task = (await call("tasks_create", { title: " Water the plants ", projectId: project.id })).output.data;
  expect(task).toMatchObject({ title: "Water the plants", project: { name: "Garden" }, creator: { name: "Ada" } });
  expect((await call("tasks_update", { id: task.id, status: "done" })).output.data.completedAt).not.toBeNull();
  expect((await call("tasks_list", { status: ["done"] })).output.data.map(({ id }: any) => id)).toEqual([task.id]);
  expect((await call("tasks_get", { id: task.id })).output.data.status).toBe("done");
  expect((await call("projects_list")).output.data).toHaveLength(1);
  const memory = (await call("memory_store", { content: "Plants like water.", chunkType: "fact" })).output.data;
  expect((await call("memory_search", { query: "water" })).output.data[0].id).toBe(memory.id);
  expect((await call("agents_list")).output.data).toEqual([]);
  expect((await call("tasks_delete", { id: task.id })).output.data.deletedAt).not.toBeNull();
  expect((await call("tasks_restore", { id: task.id })).output.data.deletedAt).toBeNull();
  expect((await call("memory_delete", { id: memory.id })).output.data).toEqual({ success: true });
  // The person sees what the assistant did.
  expect((await api("GET", `/api/tasks/${task.id}`)).body.data.status).toBe("done");
});

test("tools describe their input, and which of them only read", async () => {
  const { tools } = await client.listTools();
  const list = tools.find(({ name }) => name === "tasks_list");
  expect(list?.annotations?.readOnlyHint).toBe(true);
  expect(list?.inputSchema.properties?.["limit"]).toMatchObject({ type: "integer", minimum: 1, maximum: 200 });
  const create = tools.find(({ name }) => name === "tasks_create");
  expect(create?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(tools.find(({ name }) => name === "tasks_get")?.inputSchema.required).toEqual(["id"]);
  expect(tools).toMatchObject(
    capabilities
      .filter(({ v1, toolDescription }) => v1 !== undefined && toolDescription !== undefined)
      .map(({ toolName, effect }) => ({
        name: toolName,
        annotations: { readOnlyHint: effect === "reads", destructiveHint: !["reads", "writes"].includes(effect) },
      })),
  );
  for (const { name, description } of tools)
    expect(`${name}: ${description}`).toMatch(/^(?:[a-z]+(?:_[a-z]+)+|search|why): .{10,}$/);
});

test("a task is created from a text", async () => {
  const { output } = await call("tasks_create", { text: "Call dentist 2031-05-06 9am #health !high" });
  expect(output.data).toMatchObject({
    title: "Call dentist",
    dueDate: "2031-05-06",
    dueTime: "09:00",
    tags: ["health"],
    priority: 3,
  });
});

test("invalid input is an error with the same message as in /api", async () => {
  const invalid = await call("tasks_create", { title: "x", status: "open", priority: "2" });
  const rest = await api("POST", "/api/tasks", { body: { title: "x", status: "open", priority: "2" } });
  expect(invalid).toMatchObject({ isError: true, text: rest.body.message });
  expect((await call("tasks_get", { id: "nothing" })).text).toBe("There is no such task.");
  await expect(client.callTool({ name: "secrets_get", arguments: {} })).rejects.toThrow(
    "There is no tool secrets_get.",
  );
});

test("an unknown argument is refused, and the one that was probably meant is named, as under /api", async () => {
  const invalid = await call("tasks_list", { Status: ["done"] });
  expect(invalid).toMatchObject({ isError: true, text: 'Unknown parameter "Status". Did you mean "status"?' });
  expect((await api("GET", "/api/tasks?Status=done")).body.message).toBe(invalid.text);
  const { isError, text } = await call("tasks_create", { title: "not created", due_date: "2026-01-01" });
  expect([isError, text]).toEqual([true, 'Unknown parameter "due_date". Did you mean "dueDate"?']);
  expect((await call("agents_list", { any: 1 })).text).toMatch(/^Unknown parameter "any"\. /);
  expect((await call("tasks_list", { search: "not created" })).output.data).toEqual([]);
  const { tools } = await client.listTools();
  expect(tools.filter(({ inputSchema }) => inputSchema["additionalProperties"] !== false)).toEqual([]);
});

test.each([
  [{}, "name: is required"],
  [{ name: 1 }, "name: expected a string"],
  [{ name: "tasks_list", arguments: [] }, "arguments: expected an object"],
  [undefined, "name: is required"],
])("a call with the parameters %j is refused with a readable message", async (params, message) => {
  const { body } = await createRequest(server.url, { Authorization: `Bearer ${allKey}` })("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", ...(params !== undefined && { params }) },
    headers: { Accept: "application/json, text/event-stream" },
  });
  expect(body.error).toEqual({ code: -32602, message: `MCP error -32602: ${message}` });
});

test("an unknown method is reported as such", async () => {
  await expect(client.listPrompts()).rejects.toMatchObject({ code: -32601 });
});

test("a key is only offered, and may only call, the tools of its scopes", async () => {
  const reader = await connect(await createKey(["tasks:read"]));
  const { tools } = await reader.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    "changes_list",
    "projects_get",
    "projects_list",
    "query_run",
    "search",
    "tasks_activity",
    "tasks_blocks",
    "tasks_count",
    "tasks_details",
    "tasks_get",
    "tasks_linked",
    "tasks_list",
    "tasks_parties",
    "tasks_ready",
    "tasks_reminders",
    "tasks_tags",
    "tasks_views",
  ]);
  const refused = await call("tasks_create", { title: "no" }, reader);
  expect(refused).toMatchObject({ isError: true, text: "The API key lacks the scope tasks:write." });
  await reader.close();
});

describe("access", () => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const knock = (headers: Record<string, string>, method = "POST") =>
    createRequest(server.url, {})(method, "/mcp", {
      headers: { Accept: "application/json, text/event-stream", ...headers },
      ...(method === "POST" && { body: initialize }),
    });

  test("requires a valid key; sessions and tokens are refused", async () => {
    expect((await knock({})).status).toBe(401);
    expect((await knock({ Authorization: "Bearer wsk_wrong" })).status).toBe(401);
    expect((await server.withToken("POST", "/mcp", { body: initialize })).status).toBe(401);
    expect((await api("POST", "/mcp", { body: initialize })).status).toBe(401);
  });

  test("is refused to pages of other sites, even for reading", async () => {
    for (const method of ["POST", "GET"]) {
      for (const origin of ["https://evil.example", "null"]) {
        expect((await knock({ Authorization: `Bearer ${allKey}`, Origin: origin }, method)).status).toBe(403);
      }
    }
    expect((await knock({ Authorization: `Bearer ${allKey}`, Origin: server.url })).status).toBe(200);
  });

  test("only supports POST", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const { status, headers } = await knock({ Authorization: `Bearer ${allKey}` }, method);
      expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
    }
  });

  test.each([
    ["no JSON", { text: "{", type: "application/json" }, 400],
    ["another type", { text: "x", type: "text/plain" }, 415],
    ["no request", { text: "{}", type: "application/json" }, 400],
    ["a string", { text: '"x"', type: "application/json" }, 400],
  ])("refuses %s", async (_what, raw, status) => {
    const response = await createRequest(server.url, { Authorization: `Bearer ${allKey}` })("POST", "/mcp", {
      raw,
      headers: { Accept: "application/json, text/event-stream" },
    });
    expect(response.status).toBe(status);
  });
});
