import { connect } from "node:net";
import { once } from "node:events";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, API_TOKEN } from "./credentials.ts";
import { connectRealtime, type ConnectOptions, type RealtimeClient } from "./realtime-client.ts";
import { cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let model: ModelDouble;
let server: TestServer;
let other: TestServer;
let api: Request;
const clients: RealtimeClient[] = [];

beforeAll(async () => {
  model = await startModelDouble();
  const env = {
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
    SERVICE_SECRET: "one secret for both processes, 0123456789",
  };
  server = await startTestServer(env);
  // A second process on the same database.
  other = await startTestServer({ ...env, DATABASE_URL: server.databaseUrl });
  api = server.withToken;
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  await other.close();
  await server.close();
  await model.close();
});

async function connectTo(target: TestServer, options: ConnectOptions = {}): Promise<RealtimeClient> {
  const client = await connectRealtime(target.url, options);
  clients.push(client);
  return client;
}

const signInCookie = async () =>
  cookieOf(
    (
      await server.anonymous("POST", "/api/auth/sign-in/email", {
        body: { email: ADMIN.email, password: ADMIN.password },
      })
    ).headers,
  );
const createTask = async (title: string) => (await api("POST", "/api/tasks", { body: { title } })).body.data;
const isOf = (resourceId: string) => (frame: any) =>
  frame.type === "resource_change" && frame.resourceId === resourceId;

describe("connecting", () => {
  test("sends a user with a token or cookie the number of the last change", async () => {
    for (const headers of [{ "X-API-Token": API_TOKEN }, { Cookie: await signInCookie() }]) {
      const client = await connectTo(server, { headers });
      const frame = await client.waitFor(({ type }) => type === "connected");
      expect(frame).toEqual({ type: "connected", userId: expect.any(String), lastSeq: expect.any(Number) });
    }
  });

  test.each([
    ["nobody", {}, 401],
    ["a wrong token", { "X-API-Token": "wrong" }, 401],
    ["a forged cookie", { Cookie: "better-auth.session_token=forged.AAAA" }, 401],
    ["a page elsewhere", { "X-API-Token": API_TOKEN, Origin: "https://evil.example" }, 403],
    ["no origin that can be named", { "X-API-Token": API_TOKEN, Origin: "null" }, 403],
    ["a page elsewhere without credentials", { Origin: "https://evil.example" }, 403],
  ])("is refused to %s before the upgrade", async (_who, headers, status) => {
    await expect(connectTo(server, { headers })).rejects.toMatchObject({ status });
  });

  test("is open to the dashboard's own page", async () => {
    await connectTo(server, { headers: { "X-API-Token": API_TOKEN, Origin: server.url } });
  });

  test("is refused to a page of somebody else than whose session it is, as any other request", async () => {
    const cookie = await signInCookie();
    const request = createRequest(server.url, { Cookie: cookie });
    const { id } = (await request("GET", "/api/auth/get-session")).body.user;
    for (const pageUser of [crypto.randomUUID(), ""]) {
      const path = `/api/ws?pageUser=${pageUser}`;
      await expect(connectTo(server, { path, headers: { Cookie: cookie } })).rejects.toMatchObject({ status: 401 });
      const headers = { "X-Page-User": pageUser };
      expect((await request("GET", "/api/tasks", { headers })).status).toBe(401);
      expect((await request("POST", "/api/tasks", { body: { title: "Not theirs" }, headers })).status).toBe(401);
    }
    const tasks = (await request("GET", "/api/tasks", { headers: { "X-Page-User": id } })).body.data;
    expect(tasks.map(({ title }: { title: string }) => title)).not.toContain("Not theirs");
    await connectTo(server, { path: `/api/ws?pageUser=${id}`, headers: { Cookie: cookie } });
  });

  test("at another path is 404, and with an invalid number 400, in the error shape", async () => {
    const error = await connectTo(server, { path: "/api/other" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404 });
    expect(JSON.parse((error as { body: string }).body)).toEqual({
      statusCode: 404,
      statusMessage: "Not Found",
      message: expect.any(String),
    });
    await expect(connectTo(server, { path: "/api/ws?afterSeq=x" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("changes", () => {
  test("of every kind reach all clients of all processes, after they can be read", async () => {
    const [here, there] = [await connectTo(server), await connectTo(other)];
    await Promise.all([here, there].map((client) => client.waitFor(({ type }) => type === "connected")));
    const task = await createTask("Shared");
    const expected = {
      type: "resource_change",
      seq: expect.any(Number),
      resource: "task",
      action: "create",
      resourceId: task.id,
      resourceName: "Shared",
      timestamp: expect.stringMatching(/Z$/),
    };
    for (const client of [here, there]) expect(await client.waitFor(isOf(task.id))).toEqual(expected);
    expect((await other.withToken("GET", `/api/tasks/${task.id}`)).status).toBe(200);
  });

  test("that a client has missed are sent when it reconnects, each once, to any process", async () => {
    const first = await connectTo(server);
    const before = await createTask("Before");
    const { seq } = await first.waitFor(isOf(before.id));
    await first.close();
    const missed = [await createTask("Missed 1"), await createTask("Missed 2")];
    for (const target of [other, server]) {
      const client = await connectTo(target, { path: `/api/ws?afterSeq=${seq}` });
      const after = await createTask("After");
      await client.waitFor(isOf(after.id));
      expect(client.frames[0]).toMatchObject({ type: "connected", lastSeq: seq });
      const received = client.frames
        .filter(({ type }) => type === "resource_change")
        .map(({ resourceId }) => resourceId);
      expect(received.slice(0, 2)).toEqual(missed.map(({ id }) => id));
      expect(new Set(received).size).toBe(received.length);
    }
  });

  test("that can no longer be sent are reported as a gap", async () => {
    const client = await connectTo(server, { path: "/api/ws?afterSeq=999999999" });
    const resync = await client.waitFor(({ type }) => type === "resync");
    expect(resync.lastSeq).toBe(client.frames[0].lastSeq);
  });
});

describe("frames", () => {
  test("a ping gets a pong", async () => {
    const client = await connectTo(server);
    client.send({ type: "ping" });
    expect(await client.waitFor(({ type }) => type === "pong")).toEqual({ type: "pong" });
  });

  test("a protocol-level ping gets a pong with its payload", async () => {
    const { socket } = await connectTo(server);
    socket.ping("are you there?");
    const [data] = await once(socket, "pong");
    expect(String(data)).toBe("are you there?");
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "5"],
    ["an unknown type", { type: "chat:unknown" }],
    ["a missing field", { type: "chat:resume", conversationId: "x" }],
    ["an empty message", { type: "chat:send", message: "  " }],
    ["a wrong type", { type: "chat:send", message: 5 }],
    ["deep nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ])("that are %s get an error, and the socket stays open", async (_what, frame) => {
    const client = await connectTo(server);
    client.send(frame);
    expect(await client.waitFor(({ type }) => type === "error")).toEqual({
      type: "error",
      message: expect.any(String),
    });
    client.send({ type: "ping" });
    await client.waitFor(({ type }) => type === "pong");
  });

  test("with very many values are refused before they are parsed", async () => {
    const client = await connectTo(server);
    client.send("[".repeat(1_000_000));
    const { message } = await client.waitFor(({ type }) => type === "error");
    expect(message).toBe("Invalid frame: it contains more than 1000 values.");
    await client.close();
  });

  test("that are too large close the socket", async () => {
    const client = await connectTo(server);
    client.send({ type: "chat:send", message: "x".repeat(2_000_000) });
    expect(await client.closeCode()).toBe(1009);
  });

  test("that violate the protocol close the socket, and nothing else", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /api/ws HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nX-API-Token: ${API_TOKEN}\r\n\r\n`,
    );
    await once(socket, "data");
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    socket.resume();
    await once(socket, "close");
    expect((await server.anonymous("GET", "/api/health")).status).toBe(200);
  });
});

describe("chat", () => {
  const chat = async (client: RealtimeClient, frame: object) => {
    client.send({ type: "chat:send", message: "Hi", ...frame });
    return client.waitFor(({ type }) => type === "chat:session_created");
  };

  test("answers in the frames of the protocol, in their order", async () => {
    model.reply({ text: ["Hel", "lo"] });
    const client = await connectTo(server);
    const session = await chat(client, { message: "Hello there", requestId: "first" });
    expect(session).toEqual({
      type: "chat:session_created",
      conversationId: expect.any(String),
      sessionId: expect.any(String),
      title: "Hello there",
      requestId: "first",
    });
    const { conversationId } = session;
    const end = await client.waitFor(({ type }) => type === "chat:stream_end");
    expect(end).toEqual({
      type: "chat:stream_end",
      conversationId,
      seq: expect.any(Number),
      costUsd: expect.any(Number),
      isCostKnown: true,
      durationMs: expect.any(Number),
    });
    const frames = client.frames.filter(({ type }) => type.startsWith("chat:"));
    expect(frames.map(({ type }) => type).slice(0, 3)).toEqual([
      "chat:session_created",
      "chat:stream_start",
      "chat:text_delta",
    ]);
    expect(frames.map(({ delta = "" }) => delta).join("")).toBe("Hello");
    const { body } = await api("GET", `/api/conversations/${conversationId}`);
    expect(body.data.messages.map((message: any) => message.content[0].text)).toEqual(["Hello there", "Hello"]);
  });

  test("works on the workspace through its procedures, on the user's behalf", async () => {
    model.reply({ toolCalls: [{ name: "tasks_create", arguments: { title: "Made by chat" } }] }, { text: "Done." });
    const client = await connectTo(server);
    await chat(client, {});
    const end = await client.waitFor(({ type }) => type === "chat:tool_end");
    expect(end.isError).toBe(false);
    const [task] = (await api("GET", "/api/tasks?search=Made by chat")).body.data;
    expect(task.creator.name).toBe(ADMIN.name);
    await client.waitFor(isOf(task.id));
    await client.waitFor(({ type }) => type === "chat:stream_end");
  });

  test("continues without its client, and another resumes it in another process without missing a character", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index} `);
    model.reply({ text: words, delayMs: 10 });
    const first = await connectTo(server);
    const { conversationId } = await chat(first, {});
    const { seq } = await first.waitFor(({ type }) => type === "chat:text_delta");
    first.socket.terminate();
    const seen = first.frames.filter((frame) => (frame.seq ?? 0) <= seq).map(({ delta = "" }) => delta);
    const second = await connectTo(other);
    second.send({ type: "chat:resume", conversationId, afterSeq: seq });
    await second.waitFor(({ type }) => type === "chat:stream_end");
    expect([...seen, ...second.frames.map(({ delta = "" }) => delta)].join("")).toBe(words.join(""));
  });

  test("is sent to all tabs that follow the conversation, and can be interrupted from each", async () => {
    model.reply({ text: ["Half", "."], fault: { kind: "hang", afterChunks: 1 } });
    const [first, second] = [await connectTo(server), await connectTo(other)];
    const { conversationId } = await chat(first, {});
    second.send({ type: "chat:resume", conversationId, afterSeq: 0 });
    await second.waitFor(({ delta }) => delta === "Half");
    second.send({ type: "chat:interrupt", conversationId });
    for (const client of [first, second]) await client.waitFor(({ type }) => type === "chat:interrupted");
    const { body } = await api("GET", `/api/conversations/${conversationId}`);
    expect(body.data).toMatchObject({ status: "interrupted" });
    expect(body.data.messages[1].content).toEqual([{ type: "text", text: "Half" }]);
  });

  test("handles a repeated request once, and sends its sender the same response again", async () => {
    const count = model.requests.length;
    const first = await connectTo(server);
    const session = await chat(first, { requestId: "again" });
    await first.waitFor(({ type }) => type === "chat:stream_end");
    const second = await connectTo(other);
    expect(await chat(second, { requestId: "again" })).toEqual(session);
    await second.waitFor(({ type }) => type === "chat:stream_end");
    expect(model.requests.length - count).toBe(1);
  });

  test("reports a failed frame with its request", async () => {
    const client = await connectTo(server);
    const conversationId = "00000000-0000-7000-8000-000000000000";
    client.send({ type: "chat:send", message: "Hi", conversationId, requestId: "lost" });
    expect(await client.waitFor(({ type }) => type === "chat:error")).toEqual({
      type: "chat:error",
      conversationId,
      seq: null,
      message: "There is no such conversation.",
      requestId: "lost",
    });
    for (const type of ["chat:interrupt", "chat:resume"]) {
      client.send({ type, conversationId: "x", afterSeq: 0 });
    }
    await client.waitFor((frame) => frame.type === "chat:error" && frame.conversationId === "x");
  });
});

test("signing out closes the session's sockets in all processes, and no others", async () => {
  const headers = { Cookie: await signInCookie() };
  const [here, there, staying] = [
    await connectTo(server, { headers }),
    await connectTo(other, { headers }),
    await connectTo(server, { headers: { Cookie: await signInCookie() } }),
  ];
  await server.anonymous("POST", "/api/auth/sign-out", { headers });
  expect(await here.closeCode()).toBe(4401);
  expect(await there.closeCode()).toBe(4401);
  staying.send({ type: "ping" });
  await staying.waitFor(({ type }) => type === "pong");
});

test("a shutdown closes the sockets of its clients", async () => {
  const short = await startTestServer();
  const client = await connectRealtime(short.url);
  const closing = short.close();
  expect(await client.closeCode()).toBe(1001);
  await closing;
});
