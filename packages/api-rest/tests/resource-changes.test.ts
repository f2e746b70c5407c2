import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeZip, startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assistantMutations } from "./assistant-mutations.ts";
import { connectRealtime, type RealtimeClient } from "./realtime-client.ts";
import { API_TOKEN, startTestServer, type Request, type TestServer } from "./test-server.ts";
import { SILENT_MUTATIONS } from "./silent-mutations.ts";
import { settingsMutations } from "./settings-mutations.ts";
import { workMutations } from "./work-mutations.ts";

const WAIT = { timeout: 20_000, interval: 100 };
const TRANSCRIPT = "We use pnpm here, never npm.";

let model: ModelDouble;
let server: TestServer;
let client: RealtimeClient;
let api: Request;

beforeAll(async () => {
  model = await startModelDouble();
  server = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
  });
  api = await server.signIn();
  client = await connectRealtime(server.url);
});
afterAll(async () => {
  await client.close();
  await server.close();
  await model.close();
});

/** The ids of resources that earlier mutations have created, for later ones. */
const made: Record<string, string> = {};

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await api(method, path, body === undefined ? {} : { body });
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body.data ?? response.body;
}
/** Calls, and remembers the id of what was created. */
const make = (name: string, path: string, body: object) => async () => {
  made[name] = (await call("POST", path, body)).id;
};
const documentId = async (path: string): Promise<string> =>
  (await call("POST", "/api/documents/by-path", { path })).document.id;
const agent = { name: "Scribe", schedule: "0 0 29 2 *", prompt: "Write" };
const memory = { content: "Herons stand still.", chunkType: "fact" };

/** Every route that changes something, in an order in which each finds what it needs: its call, and the expected notification. */
const MUTATIONS: readonly [route: string, run: () => Promise<unknown>, notification: string][] = [
  ...workMutations({ call, make, made }),
  ...settingsMutations(call),
  ["POST /fs/write", () => call("POST", "/api/fs/write", { path: "/note.md", content: "one" }), "document create"],
  ["POST /notes/create", () => call("POST", "/api/notes/create", { path: "n.md", content: "a" }), "document create"],
  ["POST /notes/append", () => call("POST", "/api/notes/append", { path: "n.md", text: "b" }), "document edit"],
  [
    "POST /notes/edit",
    () => call("POST", "/api/notes/edit", { path: "n.md", edits: [{ oldText: "a", newText: "c" }] }),
    "document edit",
  ],
  ["POST /notes/move", () => call("POST", "/api/notes/move", { path: "n.md", newPath: "m.md" }), "document edit"],
  ["POST /notes/daily", () => call("POST", "/api/notes/daily", { date: "2026-01-01" }), "document create"],
  [
    "POST /notes/daily/append",
    () => call("POST", "/api/notes/daily/append", { date: "2026-01-01", text: "a" }),
    "document edit",
  ],
  ["POST /fs/mkdir", () => call("POST", "/api/fs/mkdir", { path: "/folder" }), "document create"],
  [
    "POST /notes/import",
    async () => {
      const response = await fetch(`${server.url}/api/notes/import?dryRun=false&folder=in`, {
        method: "POST",
        headers: { "X-API-Token": API_TOKEN },
        body: makeZip([{ name: "imported.md", content: "one" }]),
      });
      expect(response.status).toBe(200);
    },
    "document create",
  ],
  [
    "PUT /fs/raw",
    async () => {
      const raw = { text: "two", type: "application/octet-stream" };
      expect((await api("PUT", "/api/fs/raw?path=/note.md", { raw })).status).toBe(200);
    },
    "document edit",
  ],
  [
    "PUT /documents/{id}",
    async () => call("PUT", `/api/documents/${(made["document"] = await documentId("/note.md"))}`, { body: "three" }),
    "document edit",
  ],
  [
    "PUT /documents/{id}/sharing",
    () => call("PUT", `/api/documents/${made["document"]}/sharing`, { shared: true }),
    "document edit",
  ],
  [
    "POST /documents/{id}/versions/{versionId}/restore",
    async () => {
      const versions = await call("GET", `/api/documents/${made["document"]}/versions`);
      return call("POST", `/api/documents/${made["document"]}/versions/${versions[0].id}/restore`);
    },
    "document edit",
  ],
  [
    "POST /fs/rename",
    () => call("POST", "/api/fs/rename", { oldPath: "/note.md", newPath: "/renamed.md" }),
    "document edit",
  ],
  [
    "POST /fs/move",
    () => call("POST", "/api/fs/move", { sourcePath: "/renamed.md", destinationPath: "/folder" }),
    "document edit",
  ],
  [
    "POST /link-updates/{id}/undo",
    async () => {
      await call("POST", "/api/fs/write", { path: "/linked.md", content: "" });
      await call("POST", "/api/fs/write", { path: "/links.md", content: "[[linked]]" });
      const renamed = await api("POST", "/api/fs/rename", { body: { oldPath: "/linked.md", newPath: "/relinked.md" } });
      await call("POST", `/api/link-updates/${renamed.body.data.linkUpdate.id}/undo`);
    },
    "document edit",
  ],
  [
    "POST /documents/{id}/mentions/{sourceId}/link",
    async () => {
      await call("POST", "/api/fs/write", { path: "/mentions.md", content: "It says linked." });
      const sourceId = await documentId("/mentions.md");
      await call("POST", `/api/documents/${await documentId("/linked.md")}/mentions/${sourceId}/link`);
    },
    "document edit",
  ],
  [
    "POST /documents/tags/rename",
    async () => {
      await call("POST", "/api/fs/write", { path: "/tagged.md", content: "#heron" });
      await call("POST", "/api/documents/tags/rename", { from: "heron", to: "bird" });
    },
    "document edit",
  ],
  ["POST /fs/delete", () => call("POST", "/api/fs/delete", { path: "/folder/renamed.md" }), "document delete"],
  [
    "POST /documents/{id}/restore",
    () => call("POST", `/api/documents/${made["document"]}/restore`),
    "document restore",
  ],
  ["DELETE /documents/{id}", () => call("DELETE", `/api/documents/${made["document"]}`), "document delete"],
  ["POST /memory/store", make("memory", "/api/memory/store", memory), "memory create"],
  ["PUT /memory/{id}", () => call("PUT", `/api/memory/${made["memory"]}`, { content: "Herons wait." }), "memory edit"],
  [
    "PUT /memory/{id}/injections",
    async () => {
      const injection = {
        sessionId: "s",
        memoryIds: [made["memory"]],
        reason: "file",
        tokens: 9,
        givenAt: "2026-01-01T00:00:00Z",
      };
      await call("POST", "/api/memory/injections", { injections: [injection] });
      return call("PUT", `/api/memory/${made["memory"]}/injections`, { sessionId: "s", isNotUseful: true });
    },
    "memory edit",
  ],
  [
    "POST /memory/citations/checks",
    async () => {
      const cited = await call("POST", "/api/memory/store", {
        content: "Herons fish at dawn.",
        chunkType: "fact",
        projectPath: "/pond",
        citations: [{ path: "fish.ts", startLine: 3 }],
      });
      made["cited memory"] = cited.id;
      const [{ id }] = await call("GET", "/api/memory/citations?project=/pond");
      return call("POST", "/api/memory/citations/checks", { checks: [{ id, holds: false, fingerprint: "f" }] });
    },
    "memory edit",
  ],
  ["POST /memory/{id}/confirm", () => call("POST", `/api/memory/${made["cited memory"]}/confirm`), "memory edit"],
  [
    "POST /memory/merge",
    async () => {
      const other = await call("POST", "/api/memory/store", { ...memory, content: "Herons are patient." });
      return call("POST", "/api/memory/merge", { id: made["memory"], ids: [other.id], content: "Herons wait long." });
    },
    "memory edit",
  ],
  ["DELETE /memory/{id}", () => call("DELETE", `/api/memory/${made["memory"]}`), "memory delete"],
  ["POST /memory/restore", () => call("POST", "/api/memory/restore", { ids: [made["memory"]] }), "memory restore"],
  ["POST /memory/delete", () => call("POST", "/api/memory/delete", { ids: [made["memory"]] }), "memory delete"],
  [
    "POST /memory/extract",
    () => {
      const chunk = { type: "preference", content: "Use pnpm.", excerpt: TRANSCRIPT, relevance: 1 };
      model.reply({ text: JSON.stringify({ memories: [chunk] }) });
      return call("POST", "/api/memory/extract", { transcript: TRANSCRIPT });
    },
    "memory create",
  ],
  [
    "POST /memory/review",
    async () => {
      const [extracted] = await call("GET", "/api/memory?awaitsReview=true");
      return call("POST", "/api/memory/review", { ids: [extracted.id] });
    },
    "memory edit",
  ],
  ["POST /hooks/events", () => call("POST", "/api/hooks/events", { eventType: "SessionStart" }), "hook create"],
  [
    "POST /hooks/events/batch",
    () => call("POST", "/api/hooks/events/batch", { events: [{ eventType: "SessionEnd" }] }),
    "hook create",
  ],
  [
    "POST /hooks/sessions/{sessionId}/transcript",
    () => call("POST", "/api/hooks/sessions/s/transcript", { transcript: TRANSCRIPT }),
    "hook edit",
  ],
  [
    "POST /hooks/key/revoke",
    async () => {
      const { key } = await call("POST", "/api/api-keys", { name: "hooks", scopes: ["hooks"] });
      const headers = { Authorization: `Bearer ${key}` };
      expect((await server.anonymous("POST", "/api/hooks/key/revoke", { headers })).status).toBe(200);
      expect((await server.anonymous("GET", "/api/hooks/events", { headers })).status).toBe(401);
    },
    "api_key delete",
  ],
  ["PUT /hooks/policy", () => call("PUT", "/api/hooks/policy", { document: { version: 1 } }), "hook edit"],
  [
    "PUT /hooks/memory-settings",
    () =>
      call("PUT", "/api/hooks/memory-settings", {
        standard: { sessionStart: 2500, prompt: 300, file: 150 },
        projects: [],
      }),
    "hook edit",
  ],
  ...assistantMutations({ call, send: (path, body) => api("POST", path, { body }), make, made }),
  [
    "POST /hooks/assistant-usage",
    () =>
      call("POST", "/api/hooks/assistant-usage", {
        sessionId: "s",
        messages: [
          {
            messageId: "m",
            requestId: "r",
            model: "x",
            inputTokens: 1,
            outputTokens: 1,
            occurredAt: new Date().toISOString(),
          },
        ],
      }),
    "usage edit",
  ],
  [
    "PUT /hooks/assistant-usage/own-limits",
    () => call("PUT", "/api/hooks/assistant-usage/own-limits", { assistants: [] }),
    "usage edit",
  ],
  ["POST /secrets", () => call("POST", "/api/secrets", { key: "TOKEN", value: "first-value" }), "secret create"],
  ["PUT /secrets/{key}", () => call("PUT", "/api/secrets/TOKEN", { value: "second-value" }), "secret edit"],
  [
    "POST /secrets/{key}/grants",
    make("grant", "/api/secrets/TOKEN/grants", { command: "npm publish", folder: "/work" }),
    "secret edit",
  ],
  [
    "DELETE /secrets/{key}/grants/{id}",
    () => call("DELETE", `/api/secrets/TOKEN/grants/${made["grant"]}`),
    "secret edit",
  ],
  ["POST /secrets/rotate", () => call("POST", "/api/secrets/rotate"), "secret edit"],
  ["DELETE /secrets/{key}", () => call("DELETE", "/api/secrets/TOKEN"), "secret delete"],
  ["POST /agents", make("agent", "/api/agents", agent), "agent create"],
  ["PATCH /agents/{id}", () => call("PATCH", `/api/agents/${made["agent"]}`, { name: "Clerk" }), "agent edit"],
  ["POST /agents/enabled", () => call("POST", "/api/agents/enabled", { enabled: false }), "agent edit"],
  [
    "POST /agents/{id}/run",
    async () => {
      model.reply({ text: "Slowly.", delayMs: 20_000 });
      return call("POST", `/api/agents/${made["agent"]}/run`);
    },
    "agent run",
  ],
  ["POST /agents/{id}/cancel", () => call("POST", `/api/agents/${made["agent"]}/cancel`), "agent cancel"],
  ["DELETE /agents/{id}", () => call("DELETE", `/api/agents/${made["agent"]}`), "agent delete"],
  ["POST /api-keys", make("key", "/api/api-keys", { name: "k", scopes: ["tasks:read"] }), "api_key create"],
  ["DELETE /api-keys/{id}", () => call("DELETE", `/api/api-keys/${made["key"]}`), "api_key delete"],
  ["POST /credits", () => call("POST", "/api/credits", { amount: 5 }), "usage edit"],
  [
    "chat:send",
    async () => {
      client.send({ type: "chat:send", message: "Hello" });
      made["conversation"] = (await client.waitFor(({ type }) => type === "chat:session_created")).conversationId;
      await client.waitFor(({ type }) => type === "chat:stream_end");
    },
    "conversation create",
  ],
  [
    "PUT /conversations/{id}",
    () => call("PUT", `/api/conversations/${made["conversation"]}`, { title: "Renamed" }),
    "conversation edit",
  ],
  [
    "POST /conversations/{id}/messages/{messageId}/answer",
    async () => {
      const path = `/api/conversations/${made["conversation"]}`;
      await vi.waitFor(async () => expect((await call("GET", path)).status).toBe("idle"), WAIT);
      const [question] = (await call("GET", path)).messages;
      await call("POST", `${path}/messages/${question.id}/answer`);
    },
    "conversation edit",
  ],
  [
    "DELETE /conversations/{id}",
    () => call("DELETE", `/api/conversations/${made["conversation"]}`),
    "conversation delete",
  ],
];

for (const [route, run, notification] of MUTATIONS) {
  test(`${route} notifies all clients: ${notification}`, async () => {
    const before = client.frames.length;
    await run();
    const [resource, action] = notification.split(" ");
    const isExpected = (frame: any) =>
      client.frames.indexOf(frame) >= before && frame.resource === resource && frame.action === action;
    expect(await client.waitFor(isExpected)).toMatchObject({ type: "resource_change", seq: expect.any(Number) });
  });
}

test("no mutation is missing here", async () => {
  const document = JSON.parse(await readFile(join(import.meta.dirname, "../../../docs/openapi.json"), "utf8"));
  const routes = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // Questions that are too long for a URL.
  const reads = ["POST /hooks/why", "POST /queries", "POST /queries/views"];
  const mutations = routes.filter(
    (route) => !reads.includes(route) && /^(POST|PUT|PATCH|DELETE) /.test(route) && !route.includes("/auth/"),
  );
  expect(mutations.toSorted()).toEqual(
    [...MUTATIONS.map(([route]) => route).filter((route) => route !== "chat:send"), ...SILENT_MUTATIONS].toSorted(),
  );
});
