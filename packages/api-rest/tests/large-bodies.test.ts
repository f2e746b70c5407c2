import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_TOKEN, startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

const MIB = 1024 * 1024;
const WITHIN = { timeout: 15_000 };

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const write = (body: unknown) => api("POST", "/api/fs/write", { body });

test("a body of a few long texts is accepted, whatever they contain", async () => {
  const content = '[{"a": 0}, 1]\n'.repeat(2 * MIB).slice(0, 20 * MIB);
  const { status } = await write({ path: "long.txt", content });
  expect(status).toBe(200);
});

test("a body with very many values is refused by all endpoints", async () => {
  const values = Array.from({ length: 20_001 }, () => "");
  const bodies: [string, object][] = [
    ["/api/fs/write", { path: "a.txt", content: "a", values }],
    ["/api/hooks/events", { eventType: "PreToolUse", eventData: { values } }],
    ["/api/hooks/events", { eventType: "PreToolUse", eventData: Object.fromEntries(Object.entries(values)) }],
    ["/api/hooks/assistant-usage", { sessionId: "s", messages: values.map(() => ({})) }],
    ["/api/memory/delete", { ids: values }],
    ["/api/tasks", { title: "t", tags: values }],
  ];
  for (const [path, given] of bodies) {
    const { status, body } = await api("POST", path, { body: given });
    expect([path, status, body.message]).toEqual([path, 400, "The body must contain at most 20000 values."]);
  }
});

test("a full batch of ordinary hook events is below the limit of values", async () => {
  const toolInput = { command: "npm test", description: "Run the tests", timeout: 60_000, paths: ["a", "b", "c"] };
  const rules = [{ id: "no-force-push", decision: "ask", subject: "git push --force" }];
  const eventData = { source: "startup", toolInput, toolUseId: "t", harness: "h", project: "p", policy: { rules } };
  const event = { eventType: "PreToolUse", sessionId: "s", projectDir: "/repo", toolName: "Bash", eventData };
  const events = Array.from({ length: 500 }, () => event);
  const { status } = await api("POST", "/api/hooks/events/batch", { body: { events } });
  expect(status).toBe(201);
});

test("an event with as many values as a body may contain is stored unchanged", async () => {
  const eventData = { names: Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`k${index}`, index])) };
  const recorded = await api("POST", "/api/hooks/events", {
    body: { eventType: "PreToolUse", sessionId: "m", eventData },
  });
  expect(recorded.status).toBe(201);
  const { body } = await api("GET", "/api/hooks/events?sessionId=m");
  expect(body.data[0].eventData).toEqual(eventData);
});

/** Begins to send the largest permitted body. */
async function beginToWrite(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  const head = `POST /api/fs/write HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Token: ${API_TOKEN}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${32 * MIB}\r\n\r\n{`);
  return socket;
}

test("large bodies wait until there is room for them in memory, small ones do not", async () => {
  const arriving = await Promise.all(Array.from({ length: 4 }, beginToWrite));
  try {
    let waiting: Promise<ApiResponse> | undefined;
    // Until the server has begun to read the others.
    await expect
      .poll(async () => {
        const written = write({ path: "large.txt", content: "a".repeat(MIB) });
        waiting = written;
        return Promise.race([written.then(() => "written"), sleep(1_000, "waiting")]);
      }, WITHIN)
      .toBe("waiting");
    expect((await write({ path: "small.txt", content: "a" })).status).toBe(200);
    arriving[0]?.destroy();
    expect((await waiting)?.status).toBe(200);
  } finally {
    for (const socket of arriving) socket.destroy();
  }
});
