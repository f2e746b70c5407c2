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

test("results are structured as their tools declare, and the text has the same", async () => {
  // Once it knows the tools, the client checks each result by its schema.
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined).map(({ name }) => name)).toEqual([
    "knowledge_get",
  ]);
  expect(tools.find(({ name }) => name === "tasks_edit_checklist")).toMatchObject({
    title: "Tasks: edit checklist",
    annotations: { title: "Tasks: edit checklist" },
  });
  const { id } = (await call("tasks_create", { title: "Structured", tags: ["structured"] })).output.data;
  await call("memory_store", { content: "Structures hold.", chunkType: "fact" });
  await call("notes_create", { path: "structured.md", content: "# Structured" });
  const reads: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
    ["tasks_list", {}],
    ["tasks_get", { id }],
    ["tasks_details", { id }],
    ["tasks_activity", { id }],
    ["tasks_ready", {}],
    ["projects_list", {}],
    ["memory_search", { query: "structures" }],
    ["knowledge_list", {}],
    ["notes_read", { path: "structured.md" }],
    ["search", { q: "structured" }],
    ["query_run", { queries: ["from tasks"] }],
    ["agents_list", {}],
    ["changes_list", {}],
  ];
  for (const [name, args] of reads) {
    const result: any = await client.callTool({ name, arguments: args });
    const [{ text }] = result.content;
    expect([name, result.isError, result.structuredContent]).toEqual([name, undefined, JSON.parse(text)]);
  }
  const file: any = await client.callTool({ name: "knowledge_get", arguments: { path: "structured.md" } });
  expect(file.structuredContent).toBeUndefined();
});

test("open tasks and notes are resources, which a key lists and reads as its scopes allow", async () => {
  const { id } = (await call("tasks_create", { title: "As a resource" })).output.data;
  const path = "resources/a b#é.md";
  await call("notes_create", { path, content: "# Of a resource" });
  const listAll = async (by: Client) => {
    const all: { uri: string; name: string; mimeType?: string | undefined }[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await by.listResources(cursor === undefined ? {} : { cursor });
      all.push(...page.resources);
      cursor = page.nextCursor;
      if (cursor === undefined) return all;
    }
  };
  const all = await listAll(client);
  expect(all.find(({ name }) => name === "As a resource")?.uri).toBe(`workspace://tasks/${id}`);
  const note = all.find(({ name }) => name === path);
  expect(note?.mimeType).toBe("text/markdown");
  expect((await client.readResource({ uri: note?.uri ?? "" })).contents).toEqual([
    { uri: note?.uri, mimeType: "text/markdown", text: "# Of a resource" },
  ]);
  const [task]: any[] = (await client.readResource({ uri: `workspace://tasks/${id}` })).contents;
  expect(JSON.parse(task.text).data).toMatchObject({ id, title: "As a resource" });
  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "workspace://tasks/{id}",
    "workspace://notes/{+path}",
  ]);

  const reader = await connect(await createKey(["tasks:read"]));
  expect((await listAll(reader)).filter(({ uri }) => !uri.startsWith("workspace://tasks/"))).toEqual([]);
  expect((await reader.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  await expect(reader.readResource({ uri: note?.uri ?? "" })).rejects.toThrow("lacks the scope knowledge:read");
  await reader.close();
  const nobody = await connect(await createKey(["webhooks"]));
  expect(await listAll(nobody)).toEqual([]);
  await nobody.close();
  for (const uri of [
    "workspace://tasks/nothing",
    "workspace://notes/none.md",
    "workspace://notes/%",
    "file:///etc/passwd",
  ]) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
  }
  await expect(client.readResource({ uri: "workspace://notes/..%2F..%2Fetc%2Fpasswd" })).rejects.toThrow();
  await expect(client.listResources({ cursor: "memories:x" })).rejects.toMatchObject({ code: -32602 });
});

test("prompts are offered with the scopes that they need, and only name tools that there are", async () => {
  const { prompts } = await client.listPrompts();
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(prompts.map(({ name }) => name)).toEqual(["plan_day", "next_task", "capture", "recall"]);
  for (const { name, arguments: declared = [] } of prompts) {
    const args = Object.fromEntries(declared.map((argument) => [argument.name, "the garden"]));
    const [message] = (await client.getPrompt({ name, arguments: args })).messages;
    const text = message?.content.type === "text" ? message.content.text : "";
    const mentioned = text.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    expect([name, mentioned.filter((tool) => !names.includes(tool))]).toEqual([name, []]);
    expect(text.includes("the garden")).toBe(declared.length > 0);
  }
  const reader = await connect(await createKey(["tasks:read"]));
  expect((await reader.listPrompts()).prompts.map(({ name }) => name)).toEqual(["plan_day"]);
  await expect(reader.getPrompt({ name: "capture", arguments: { text: "x" } })).rejects.toMatchObject({ code: -32602 });
  await reader.close();
  await expect(client.getPrompt({ name: "capture" })).rejects.toThrow("text: is required");
  await expect(client.getPrompt({ name: "plan_day", arguments: { other: "x" } })).rejects.toThrow("other: is not");
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
  await expect(client.setLoggingLevel("debug")).rejects.toThrow();
  const unknown = await createRequest(server.url, { Authorization: `Bearer ${allKey}` })("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: {} },
    headers: { Accept: "application/json, text/event-stream" },
  });
  expect(unknown.body.error).toMatchObject({ code: -32601, message: expect.stringContaining("logging/setLevel") });
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
