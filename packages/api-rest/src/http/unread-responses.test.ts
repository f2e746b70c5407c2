import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRawConnection } from "../../tests/raw-http.ts";
import { followConnections } from "./connections.ts";
import { endUnreadResponses } from "./unread-responses.ts";

/** Long enough for a busy machine, on which a client that reads may pause for a while. */
const MAX_STALL_MS = 1_000;
/** Far more than the kernel's buffers can hold. */
const LENGTH = 48 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, "x");

let url: string;

const server = createServer((req, res) => {
  if (req.url === "/small") {
    res.end("small");
    return;
  }
  res.setHeader("Content-Length", LENGTH);
  if (req.url === "/whole") res.end(Buffer.alloc(LENGTH, "x"));
  else Readable.from(Array.from({ length: LENGTH / PIECE.length }, () => PIECE)).pipe(res);
});
const following = endUnreadResponses({
  connections: followConnections(server, { max: 100, maxPerAddress: 100, isExempt: () => true }),
  maxStallMs: MAX_STALL_MS,
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await following.close();
  server.closeAllConnections();
  server.close();
});

const countConnections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

test.each(["/whole", "/pieces"])("an unread response is cut off: %s", async (path) => {
  const connection = await openRawConnection(url);
  connection.socket.pause();
  connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await expect.poll(countConnections).toBe(1);
  await expect.poll(countConnections, { timeout: MAX_STALL_MS * 10 }).toBe(0);
  connection.close();
});

test("a response may take many times as long while it is being read", async () => {
  const connection = await openRawConnection(url);
  let received = 0;
  connection.socket.on("data", (text: string) => {
    received += text.length;
    connection.socket.pause();
    setTimeout(() => connection.socket.resume(), 5);
  });
  const startedAt = performance.now();
  connection.write("GET /pieces HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await connection.untilClosed();
  expect(received).toBeGreaterThan(LENGTH);
  expect(performance.now() - startedAt).toBeGreaterThan(MAX_STALL_MS * 2);
});

test("a connection that is idle between two requests is left alone", async () => {
  const connection = await openRawConnection(url);
  connection.write("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await connection.waitFor("small");
  await sleep(MAX_STALL_MS * 2);
  connection.write("GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await connection.untilClosed()).toMatch(/small[^]*small/);
});
