import { afterAll, beforeAll, expect, test } from "vitest";
import { API_TOKEN } from "./credentials.ts";
import { openRawConnection, sendRaw, statusOf } from "./raw-http.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The headers that Java's client and `curl --http2` send with the first request of a connection. */
const H2C = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAB"];
const HEADERS = ["Host: localhost", `X-API-Token: ${API_TOKEN}`];
const JSON_TYPE = "Content-Type: application/json";

const head = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`;
const post = (body: string, ...lines: string[]) =>
  head("POST /api/tasks HTTP/1.1", ...HEADERS, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...lines) +
  body;
const titled = (title: string) => JSON.stringify({ title });

/** Sends the bytes and returns what is received up to `end`. */
async function exchange(bytes: string, end: string): Promise<string> {
  const connection = await openRawConnection(server.url);
  connection.write(bytes);
  const response = await connection.waitFor(end);
  connection.close();
  return response;
}

test.each(["h2c", "H2C", "h2c, websocket", "TLS/1.0", "foo/2"])("an upgrade to %s is ignored", async (protocol) => {
  const response = await sendRaw(server.url, [
    "GET /api/tasks HTTP/1.1",
    ...HEADERS,
    "Connection: upgrade",
    `Upgrade: ${protocol}`,
  ]);
  expect(statusOf(response)).toBe(200);
});

test("a body that comes with the head of an ignored upgrade is read", async () => {
  const response = await exchange(post(titled("With its head"), ...H2C), '"deletedAt":null');
  expect(statusOf(response)).toBe(200);
  expect(response).toContain("With its head");
});

test("a body that comes after the head of an ignored upgrade is read", async () => {
  const connection = await openRawConnection(server.url);
  const body = titled("After its head");
  const bytes = post(body, ...H2C, "Expect: 100-continue");
  connection.write(bytes.slice(0, -body.length));
  await connection.waitFor("100 Continue\r\n\r\n");
  connection.write(body.slice(0, 5));
  connection.write(body.slice(5));
  expect(await connection.waitFor('"deletedAt":null')).toContain("After its head");
  connection.close();
});

test("a chunked body with an ignored upgrade is read to its end", async () => {
  const chunks = titled("In chunks").replaceAll(/./g, "1\r\n$&\r\n");
  const lines = ["POST /api/tasks HTTP/1.1", ...HEADERS, JSON_TYPE, "Transfer-Encoding: chunked", ...H2C];
  expect(await exchange(`${head(...lines)}${chunks}0\r\n\r\n`, '"deletedAt":null')).toContain("In chunks");
});

test("requests after an ignored upgrade get responses, each once and in order", async () => {
  const connection = await openRawConnection(server.url);
  const titles = Array.from({ length: 40 }, (_, index) => `Pipelined ${index}.`);
  connection.write(titles.map((title) => post(titled(title), ...H2C)).join(""));
  connection.write(head("GET /api/health HTTP/1.1", "Host: localhost", "Connection: close"));
  const responses = await connection.untilClosed();
  expect([...responses.matchAll(/Pipelined \d+\./g)].map(([title]) => title)).toEqual(titles);
  expect([...responses.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(41);
});

test("one connection serves any number of them without leaking listeners", async () => {
  const connection = await openRawConnection(server.url);
  for (let count = 1; count <= 100; count += 1) {
    connection.write(head(`GET /api/nothing-${count}. HTTP/1.1`, ...HEADERS, ...H2C));
    connection.write(head(`GET /api/health HTTP/1.1`, "Host: localhost", `Connection: keep-alive`));
  }
  connection.write(head("GET /api/health HTTP/1.1", "Host: localhost", "Connection: close"));
  const statuses = [...(await connection.untilClosed()).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array.from({ length: 100 }, () => ["404", "200"]).flat(), "200"]);
  expect(server.output.join("\n")).not.toContain("MaxListenersExceededWarning");
});

test("the other headers are unchanged, including repeated ones and the rest of Connection", async () => {
  const response = await sendRaw(server.url, [
    "GET /api/tasks HTTP/1.1",
    "host: localhost",
    "UPGRADE: h2c",
    "CONNECTION: upgrade,  http2-settings , close",
    `X-API-TOKEN: ${API_TOKEN}`,
  ]);
  expect(statusOf(response)).toBe(200);
  const twoHosts = ["GET /api/health HTTP/1.1", "Host: localhost", "HOST: localhost", ...H2C];
  expect(statusOf(await sendRaw(server.url, twoHosts))).toBe(400);
});

test("an ignored upgrade cannot smuggle requests", async () => {
  const smuggled = head("GET /api/smuggled HTTP/1.1", "Host: localhost");
  const attempts = [
    ["Content-Length: 4", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: chunked", "Content-Length: 4"],
    ["Content-Length: 0", `Content-Length: ${smuggled.length}`],
    ["Transfer-Encoding: xchunked"],
    ["Transfer-Encoding: chunked, identity"],
    ["Content-Length: +0"],
    ["Content-Length : 0"],
    ["X: 1\nContent-Length: 0"],
  ];
  for (const lines of attempts) {
    const connection = await openRawConnection(server.url);
    connection.write(
      head("POST /api/tasks HTTP/1.1", ...HEADERS, JSON_TYPE, ...lines, ...H2C) + `0\r\n\r\n${smuggled}`,
    );
    const responses = await connection.untilClosed();
    expect([...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["400"]);
  }
});

test("a header that Connection names does not change where a body ends if the upgrade is ignored", async () => {
  const body = titled("Whole");
  const lines = ["Connection: Upgrade, Content-Length", "Upgrade: h2c"];
  expect(await exchange(post(body, ...lines), '"deletedAt":null')).toContain("Whole");
});

test("a WebSocket at any other path is still 404", async () => {
  const lines = ["GET /api/tasks HTTP/1.1", ...HEADERS, "Connection: Upgrade", "Upgrade: WebSocket"];
  expect(statusOf(await sendRaw(server.url, lines))).toBe(404);
});
