import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startModelDouble } from "@workspace/core/testing";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { API_TOKEN } from "./credentials.ts";
import { openRawConnection, statusOf } from "./raw-http.ts";
import { makeDataDir, start } from "./service-process.ts";
import { createRequest, type Request } from "./test-server.ts";

const HEAD = `Host: localhost\r\nX-API-Token: ${API_TOKEN}\r\n`;

interface Stopping {
  readonly url: string;
  readonly api: Request;
  stop(): void;
  readonly exited: Promise<number | null>;
}

async function startOn(databaseUrl: string, env: Record<string, string>): Promise<Stopping> {
  const { child, ready, exited } = start(await makeDataDir(), {
    DATABASE_URL: databaseUrl,
    SERVICE_API_TOKEN: API_TOKEN,
    SERVICE_SECRET: "one signing secret for both processes",
    SERVICE_ENCRYPTION_KEY: "one encryption key for both processes",
    LOG_LEVEL: "error",
    ...env,
  });
  const url = await ready;
  return { url, exited, api: createRequest(url, { "X-API-Token": API_TOKEN }), stop: () => void child.kill("SIGTERM") };
}

async function startServer(env: Record<string, string> = {}): Promise<Stopping> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return startOn(database.url, env);
}

/** Resolves once the process has begun to stop. */
async function untilStopping({ api }: Stopping): Promise<void> {
  await expect.poll(async () => (await api("GET", "/readyz")).body.data.status).toBe("stopping");
}

/** Resolves once the process accepts no connections. */
async function untilRefused({ url }: Stopping): Promise<void> {
  const knock = () =>
    fetch(url).then(
      () => "served",
      () => "refused",
    );
  await expect.poll(knock, { timeout: 5_000 }).toBe("refused");
}

test("a process that is told to stop serves requests for the configured time, and says that it is not ready", async () => {
  const server = await startServer({ SHUTDOWN_DELAY_S: "2" });
  const idle = await openRawConnection(server.url);
  idle.write(`GET /livez HTTP/1.1\r\n${HEAD}\r\n`);
  expect(await idle.waitFor("}}")).toMatch(/^connection: keep-alive\r$/im);
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/ws`, { headers: { "X-API-Token": API_TOKEN } });
  await once(socket, "open");
  const closed = once(socket, "close");

  server.stop();
  await untilStopping(server);
  const unready = await server.api("GET", "/readyz");
  expect(unready).toMatchObject({ status: 503, body: { data: { status: "stopping", missing: [] } } });
  const created = await server.api("POST", "/api/tasks", { body: { title: "In time" } });
  expect(created.status).toBe(200);
  expect(created.headers.get("connection")).toBe("close");
  expect((await server.api("GET", "/api/health")).body.data.scheduler).toEqual({ running: false });
  expect(socket.readyState).toBe(WebSocket.OPEN);
  idle.write(`GET /livez HTTP/1.1\r\n${HEAD}\r\n`);
  expect((await idle.untilClosed()).match(/^connection: \S+/gim)).toEqual([
    "Connection: keep-alive",
    "Connection: close",
  ]);

  expect((await closed)[0]).toBe(1001);
  expect(await server.exited).toBe(0);
});

test("requests in flight are completed, each with the end of its connection", async () => {
  const server = await startServer();
  const body = JSON.stringify({ title: "Begun" });
  const task = await openRawConnection(server.url);
  task.write(
    `POST /api/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await server.api("POST", "/api/fs/write", { body: { path: "shared.md", content: "# Shared" } });
  const { id } = (await server.api("POST", "/api/documents/by-path", { body: { path: "shared.md" } })).body.data
    .document;
  await server.api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true, shareType: "public" } });
  const page = await openRawConnection(server.url);
  page.write(`GET /share/${id} HTTP/1.1\r\nHost: localhost\r\n`);
  const upgrade = await openRawConnection(server.url);
  upgrade.write(`GET /api/ws HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n`);
  await sleep(100);

  server.stop();
  await untilRefused(server);
  task.write(body);
  page.write("\r\n");
  upgrade.write("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
  for (const connection of [task, page]) {
    const response = await connection.untilClosed();
    expect(statusOf(response)).toBe(200);
    expect(response).toMatch(/^connection: close\r$/im);
  }
  expect(statusOf(await upgrade.untilClosed())).toBe(503);
  expect(await server.exited).toBe(0);
});

test("a request in flight has a quarter of a minute if others serve meanwhile", async () => {
  const server = await startServer({ SHUTDOWN_DELAY_S: "1" });
  const body = JSON.stringify({ title: "Late" });
  const task = await openRawConnection(server.url);
  task.write(
    `POST /api/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await sleep(100);
  server.stop();
  await untilRefused(server);
  // Longer than a process has that nobody replaces, and less long than what is left of its time.
  await sleep(6_000);
  task.write(body);
  expect(statusOf(await task.untilClosed())).toBe(200);
  expect(await server.exited).toBe(0);
});

test("a run in progress has the configured time to end", async () => {
  const model = await startModelDouble();
  onTestFinished(() => model.close());
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-5-mini" };
  const first = await startOn(database.url, { ...env, SHUTDOWN_DELAY_S: "2" });
  const second = await startOn(database.url, env);
  const agent = { name: "Agent", schedule: "0 0 29 2 *", prompt: "Work" };
  const { id } = (await first.api("POST", "/api/agents", { body: agent })).body.data;
  model.reply({ text: ["a", "b"], delayMs: 200 });
  const { runId } = (await first.api("POST", `/api/agents/${id}/run`)).body;
  first.stop();
  expect(await first.exited).toBe(0);
  const run = await second.api("GET", `/api/agents/${id}/runs/${runId}`);
  expect(run.body.data).toMatchObject({ status: "success" });
});

test("a start accepts no connection before it can serve it", async () => {
  const { port } = new URL(
    (await startServer().then(async (server) => (server.stop(), await server.exited, server))).url,
  );
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const starting = startOn(database.url, { PORT: port });
  let isReady = false;
  void starting.then(() => (isReady = true));
  const unserved: string[] = [];
  async function knock(): Promise<void> {
    while (!isReady) {
      const socket = connect(Number(port), "127.0.0.1");
      let received = "";
      socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
      try {
        await once(socket, "connect");
        socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        await once(socket, "close");
        if (statusOf(received) !== 200) unserved.push(received);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ECONNREFUSED")) unserved.push(String(error));
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, knock));
  await starting;
  expect(unserved).toEqual([]);
});
