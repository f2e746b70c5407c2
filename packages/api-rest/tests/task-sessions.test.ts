import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const call = async (method: string, path: string, body?: object) => server.withToken(method, path, { body });
const createTask = async (title: string): Promise<string> => (await call("POST", "/api/tasks", { title })).body.data.id;
const sessionsOf = async (id: string) => (await call("GET", `/api/tasks/${id}/sessions`)).body.data;

/** Records an event of a session, at a minute. */
async function record(sessionId: string, minute: number, event: Record<string, unknown>): Promise<void> {
  const occurredAt = new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();
  const response = await call("POST", "/api/hooks/events", {
    sessionId,
    projectDir: "/home/ada/app",
    occurredAt,
    ...event,
  });
  expect(response.status).toBe(201);
}

const toolCall = (toolName: string, toolInput: object) => ({
  eventType: "PostToolUse",
  toolName,
  eventData: { toolInput },
});

test("a session that names a task is linked to it, with what it did", async () => {
  const id = await createTask("Fix the login");
  await record("first", 0, { eventType: "UserPromptSubmit", eventData: { prompt: `Work on /tasks/${id}, please` } });
  await record(
    "first",
    1,
    toolCall("Write", { file_path: "/home/ada/app/login.ts", content: "export const login = 1;" }),
  );
  await record("first", 2, toolCall("Bash", { command: 'git commit -am "Fix the login"' }));
  await record("first", 3, toolCall("Bash", { command: "npm test" }));
  await record("first", 4, { eventType: "SessionEnd" });
  await call("POST", "/api/memory/store", { content: "Logins last a day.", chunkType: "fact", sessionId: "first" });
  await record("second", 9, toolCall("mcp__ws__tasks_get", { id }));
  expect(await sessionsOf(id)).toMatchObject([
    { sessionId: "second", prompt: null, hasEnded: false, fileCount: 0, commits: [], memoryCount: 0, costUsd: null },
    {
      sessionId: "first",
      prompt: `Work on /tasks/${id}, please`,
      namedAt: "2026-01-01T10:00:00.000Z",
      projectDir: "/home/ada/app",
      hasEnded: true,
      fileCount: 1,
      files: ["login.ts"],
      commits: [{ subject: "Fix the login", committedAt: "2026-01-01T10:02:00.000Z" }],
      memoryCount: 1,
      link: "/hooks/sessions/first",
    },
  ]);
});

test("a session that claims a task is linked to it", async () => {
  const id = await createTask("Water the plants");
  await call("POST", "/api/tasks/claim", { id, sessionId: "gardener" });
  expect(await sessionsOf(id)).toMatchObject([{ sessionId: "gardener", startedAt: null, totalTokens: 0 }]);
});

test("a list that a tool returned, or an id of something else, links nothing; an unknown task is 404", async () => {
  const id = await createTask("Listed");
  await record("third", 0, { eventType: "PostToolUse", toolName: "x", eventData: { toolResponse: { id } } });
  await record("third", 1, { eventType: "UserPromptSubmit", eventData: { prompt: crypto.randomUUID() } });
  expect(await sessionsOf(id)).toEqual([]);
  expect((await call("GET", `/api/tasks/${crypto.randomUUID()}/sessions`)).status).toBe(404);
  expect((await call("GET", "/api/tasks/x/sessions")).status).toBe(404);
});
