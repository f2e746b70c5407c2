import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { API_TOKEN } from "./credentials.ts";
import { connectRealtime, type RealtimeClient } from "./realtime-client.ts";
import { cookieOf, startTestServer, type TestServer } from "./test-server.ts";

const TOO_MANY = 1008;
const FLOOD = 2_000;

let server: TestServer;
let users = 0;
const clients: RealtimeClient[] = [];

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => server.close());

/** The headers of a new user, for whom nothing has been counted yet. */
async function signUp(): Promise<Record<string, string>> {
  users += 1;
  const body = { name: "Ada", email: `user-${users}@example.com`, password: "correct-horse-battery" };
  const { headers } = await server.anonymous("POST", "/api/auth/sign-up/email", { body });
  return { Cookie: cookieOf(headers) };
}

async function connectAs(headers: Record<string, string>): Promise<RealtimeClient> {
  const client = await connectRealtime(server.url, { headers });
  clients.push(client);
  return client;
}

function repeatedly(send: (socket: WebSocket) => void) {
  return (socket: WebSocket) => {
    for (let count = 0; count < FLOOD; count += 1) send(socket);
  };
}

describe("a flood", () => {
  let headers: Record<string, string>;
  beforeEach(async () => {
    headers = await signUp();
  });

  test.each([
    ["malformed frames", repeatedly((socket) => socket.send("{"))],
    ["frames of an unknown type", repeatedly((socket) => socket.send('{"type":"x"}'))],
    ["binary frames", repeatedly((socket) => socket.send(Buffer.from("x")))],
    ["empty frames", repeatedly((socket) => socket.send(""))],
    ["good frames", repeatedly((socket) => socket.send('{"type":"ping"}'))],
    ["protocol pings", repeatedly((socket) => socket.ping())],
    ["protocol pongs", repeatedly((socket) => socket.pong())],
    ["tiny fragments", repeatedly((socket) => socket.send("x", { fin: false }))],
    ["empty fragments", repeatedly((socket) => socket.send("", { fin: false }))],
    [
      "large frames",
      (socket: WebSocket) => {
        for (let count = 0; count < 10; count += 1) socket.send("x".repeat(1_000_000));
      },
    ],
  ])("of %s closes the socket", async (_what, flood) => {
    const client = await connectAs(headers);
    flood(client.socket);
    expect(await client.closeCode()).toBe(TOO_MANY);
  });

  test("cannot be continued over new sockets, and affects no other users", async () => {
    const flooding = await Promise.all(Array.from({ length: 20 }, () => connectAs(headers)));
    for (const { send } of flooding) for (let count = 0; count < FLOOD; count += 1) send("{");
    const codes = await Promise.all(flooding.map((client) => client.closeCode()));
    expect(new Set(codes)).toEqual(new Set([TOO_MANY]));
    const refusal = await connectAs(headers).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, body: expect.stringContaining('"statusCode":429') });
    await connectAs(await signUp());
  });
});

const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";

async function connectRaw(headers: Record<string, string>): Promise<Socket> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const credentials = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`Host: ${host}`, "Upgrade: websocket", "Connection: Upgrade", KEY, ...credentials];
  socket.write(`GET /api/ws HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

test.each([
  ["are not masked", [0x81, 0x01, 0x78]],
  ["have a reserved opcode", [0x83, 0x80, 0, 0, 0, 0]],
  ["have a reserved bit", [0xc1, 0x80, 0, 0, 0, 0]],
  ["are not UTF-8", [0x81, 0x81, 0, 0, 0, 0, 0xff]],
  ["announce more than is allowed", [0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ["continue nothing", [0x80, 0x80, 0, 0, 0, 0]],
])("sockets whose frames %s are counted against their user", async (_how, frame) => {
  const headers = await signUp();
  for (let count = 0; count < 20; count += 1) {
    const socket = await connectRaw(headers);
    socket.end(Buffer.from(frame));
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
  }
  await expect(connectAs(headers)).rejects.toMatchObject({ status: 429 });
});

test("a client that keeps flooding after its socket was closed is soon disconnected", async () => {
  const socket = await connectRaw(await signUp());
  const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
  const flood = setInterval(() => socket.write(Buffer.concat(Array.from({ length: FLOOD }, () => ping))), 20);
  const startedAt = performance.now();
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(flood);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("connecting repeatedly is limited", async () => {
  const headers = await signUp();
  let refused = 0;
  for (let round = 0; round < 30 && refused === 0; round += 1) {
    const opened = await Promise.allSettled(Array.from({ length: 50 }, () => connectRealtime(server.url, { headers })));
    for (const result of opened) {
      if (result.status === "fulfilled") result.value.socket.terminate();
      else refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test("five hundred sockets of one user on this machine are allowed", async () => {
  const opened = await Promise.all(Array.from({ length: 500 }, () => connectAs({ "X-API-Token": API_TOKEN })));
  const frames = await Promise.all(
    opened.map((client) => {
      client.send({ type: "ping" });
      return client.waitFor(({ type }) => type === "pong");
    }),
  );
  expect(frames).toHaveLength(500);
});
