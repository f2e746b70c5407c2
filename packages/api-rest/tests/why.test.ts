import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

const LINES = "export const LIMIT = 100;\nexport const BURST = 20;";
const QUESTION = { path: "/shop/src/limits.ts", lines: LINES };

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  const toolInput = { file_path: "/shop/src/limits.ts", old_string: "", new_string: LINES };
  const event = { sessionId: "limits", projectDir: "/shop" };
  await api("POST", "/api/hooks/events/batch", {
    body: {
      events: [
        { ...event, eventType: "UserPromptSubmit", eventData: { prompt: "Limit requests" }, occurredAt: "2026-06-01" },
        { ...event, eventType: "PostToolUse", toolName: "Edit", eventData: { toolInput }, occurredAt: "2026-06-02" },
      ].map(({ occurredAt, ...rest }) => ({ ...rest, occurredAt: `${occurredAt}T08:00:00Z` })),
    },
  });
});
afterAll(() => server.close());

async function createKey(scope: string): Promise<string> {
  return (await api("POST", "/api/api-keys", { body: { name: "key", scopes: [scope] } })).body.data.key;
}

const FOUND = {
  path: "src/limits.ts",
  projectPath: "/shop",
  lines: 2,
  sessions: [
    {
      sessionId: "limits",
      role: "wrote",
      lines: 2,
      touchedAt: "2026-06-02T08:00:00.000Z",
      prompt: { text: "Limit requests", askedAt: "2026-06-01T08:00:00.000Z" },
      turn: null,
      link: "/hooks/sessions/limits",
      memories: [],
    },
  ],
  memories: [],
};

test("people, the hooks and programs ask why by HTTP", async () => {
  const hooks = createRequest(server.url, { Authorization: `Bearer ${await createKey("hooks")}` });
  const program = createRequest(server.url, { Authorization: `Bearer ${await createKey("memory:read")}` });
  const responses = [
    await api("POST", "/api/hooks/why", { body: QUESTION }),
    await hooks("POST", "/api/hooks/why", { body: QUESTION }),
    await program("POST", "/api/v1/why", { body: QUESTION }),
  ];
  for (const { status, body } of responses) expect([status, body]).toEqual([200, { data: FOUND }]);
});

test("an assistant asks why by MCP", async () => {
  const client = new Client({ name: "test", version: "1" });
  const headers = { Authorization: `Bearer ${await createKey("memory:read")}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit: { headers } }));
  const { content }: any = await client.callTool({ name: "why", arguments: QUESTION });
  expect(JSON.parse(content[0].text)).toEqual({ data: FOUND });
  await client.close();
});

test.each([
  [{}, "path: is required"],
  [{ path: "" }, "path: is required"],
  [{ path: "a", lines: "x".repeat(50_001) }, "lines: must be at most 50,000 characters"],
  [{ path: "a", limit: 21 }, "limit: expected at most 20"],
])("what is no question is refused (%#)", async (body, message) => {
  expect(await api("POST", "/api/hooks/why", { body })).toMatchObject({ status: 400, body: { message } });
});
