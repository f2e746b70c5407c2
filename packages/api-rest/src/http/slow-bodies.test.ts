import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRawConnection, statusOf } from "../../tests/raw-http.ts";
import { followConnections } from "./connections.ts";
import { endSlowBodies } from "./slow-bodies.ts";

const WINDOW_MS = 300;
const RATE = { minBytesPerSecond: 1000, windowMs: WINDOW_MS };
/** A request is first seen by one check and ended by another. */
const LONGEST_MS = WINDOW_MS * 3;

let url: string;
let finishReading = (): void => undefined;

const server = createServer((req, res) => {
  if (req.url === "/answers-first") res.end("early");
  else if (req.url === "/reads-late") finishReading = read;
  else read();

  function read(): void {
    let length = 0;
    req.on("data", (chunk: Uint8Array) => (length += chunk.length));
    req.on("end", () => res.end(`${length} bytes`));
    // Reading a request that was ended fails.
    req.on("error", () => undefined);
  }
});
const following = endSlowBodies({
  connections: followConnections(server, { max: 100, maxPerAddress: 100, isExempt: () => true }),
  rate: RATE,
  responseHeaders: { "X-Content-Type-Options": "nosniff" },
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

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

test.each([
  ["that trickles in", "x"],
  ["that never arrives", ""],
])("a body %s is ended with 408", async (_how, drop) => {
  const connection = await openRawConnection(url);
  connection.write(head("/", 1000));
  const dribble = setInterval(() => connection.write(drop), WINDOW_MS / 10);
  const response = await connection.untilClosed();
  clearInterval(dribble);
  expect(statusOf(response)).toBe(408);
  expect(response).toContain("X-Content-Type-Options: nosniff");
});

test("a chunked body that trickles in is ended as well", async () => {
  const connection = await openRawConnection(url);
  connection.write("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  const dribble = setInterval(() => connection.write("1\r\nx\r\n"), WINDOW_MS / 5);
  expect(statusOf(await connection.untilClosed())).toBe(408);
  clearInterval(dribble);
});

test("a body that keeps arriving may take many windows", async () => {
  const connection = await openRawConnection(url);
  const part = "x".repeat(100);
  connection.write(head("/", 30 * part.length));
  for (let count = 0; count < 30; count += 1) {
    connection.write(part);
    await sleep(WINDOW_MS / 6);
  }
  expect(await connection.waitFor("3000 bytes")).toContain("200 OK");
  connection.close();
});

test("a body that the server has not started to read does not count as slow", async () => {
  const connection = await openRawConnection(url);
  const body = "x".repeat(1_000_000);
  connection.write(head("/reads-late", body.length) + body);
  await sleep(LONGEST_MS * 2);
  finishReading();
  expect(await connection.waitFor(`${body.length} bytes`)).toContain("200 OK");
  connection.close();
});

test("the rest of a body does not keep its connection open after an early response", async () => {
  const connection = await openRawConnection(url);
  connection.write(head("/answers-first", 1000));
  const dribble = setInterval(() => connection.write("x"), WINDOW_MS / 10);
  const responses = await connection.untilClosed();
  clearInterval(dribble);
  expect([...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200"]);
});

test("a connection that is idle between two requests is left alone", async () => {
  const connection = await openRawConnection(url);
  connection.write(`${head("/", 2)}ab`);
  await connection.waitFor("2 bytes");
  await sleep(LONGEST_MS);
  connection.write(`${head("/", 3)}abc`);
  await connection.waitFor("3 bytes");
  connection.close();
});
