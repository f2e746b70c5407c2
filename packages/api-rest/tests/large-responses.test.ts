import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRawConnection, statusOf, type RawConnection } from "./raw-http.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const MIB = 1024 * 1024;
/** Escaped and plain characters of one to four bytes, also at the boundaries of pieces. */
const TEXT = `a${'😀é"\\\n\u0001 <b> word\n'.repeat(40_000)}`;
/** How much memory one process uses for large responses, and as much again for reading and building one. */
const MOST_GROWTH_BYTES = 2.5 * 128 * MIB;

let server: TestServer;
let api: Request;
let largeId: string;

beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: "debug" });
  api = server.withToken;
  largeId = await share("large.md", "word\n".repeat(5 * MIB));
});
afterAll(() => server.close());

async function share(path: string, content: string): Promise<string> {
  await api("PUT", `/api/fs/raw?path=/${path}`, { raw: { text: content, type: "application/octet-stream" } });
  const { body } = await api("POST", "/api/documents/by-path", { body: { path } });
  const { id } = body.data.document;
  await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true, shareType: "public" } });
  return id;
}

/** The resident memory of the server's process. */
function residentBytes(): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Sends a request and only reads the status of the response. */
async function askWithoutReading(path: string): Promise<{ connection: RawConnection; head: Promise<string> }> {
  const connection = await openRawConnection(server.url);
  connection.socket.once("data", () => connection.socket.pause());
  connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { connection, head: connection.waitFor("\r\n\r\n") };
}

test("several large texts arrive intact in one response of the typed endpoint, alongside short ones and failures", async () => {
  await share("one.md", TEXT);
  await share("other.md", `${TEXT}.`);
  await share("short.md", "short");
  const names = ["/one.md", "/missing.md", "/other.md", "/short.md"];
  const input = JSON.stringify(Object.fromEntries(names.map((path, index) => [index, { path }])));
  const { body } = await api(
    "GET",
    `/api/trpc/${names.map(() => "fs.read").join()}?batch=1&input=${encodeURIComponent(input)}`,
  );
  const contents = body.map(
    (part: { result?: { data: { data: { content: string } } } }) => part.result?.data.data.content,
  );
  expect(contents[0] === TEXT).toBe(true);
  expect(body[1].error.data.httpStatus).toBe(404);
  expect(contents[2] === `${TEXT}.`).toBe(true);
  expect(contents[3]).toBe("short");
});

test("a large text arrives intact in all responses that contain it", async () => {
  const id = await share("mixed.md", TEXT);
  const publicView = await server.anonymous("GET", `/api/documents/${id}/public`);
  expect(publicView.body.data.content === TEXT).toBe(true);
  const byPath = await api("POST", "/api/documents/by-path", { body: { path: "mixed.md" } });
  expect(byPath.body.data.body === TEXT).toBe(true);
  const read = await api("POST", "/api/fs/read", { body: { path: "/mixed.md" } });
  expect(read.body.data.content === TEXT).toBe(true);
  for (const coding of ["br", "gzip", "identity"]) {
    const coded = await server.anonymous("GET", `/api/documents/${id}/public`, {
      headers: { "Accept-Encoding": coding },
    });
    expect(coded.body.data.content === TEXT).toBe(true);
  }
});

test("HEAD of a large response has its length and no body", async () => {
  const path = `/api/documents/${largeId}/public`;
  const options = { headers: { "Accept-Encoding": "identity" } };
  const [head, full] = [await server.anonymous("HEAD", path, options), await server.anonymous("GET", path, options)];
  expect(head.status).toBe(200);
  expect(head.headers.get("content-length")).toBe(full.headers.get("content-length"));
  expect(head.body).toBeNull();
});

test.each(["/api/documents/ID/public", "/share/ID"])(
  "unread responses are bounded, and others are served: %s",
  async (template) => {
    const path = template.replace("ID", largeId);
    const before = residentBytes();
    const asked = await Promise.all(Array.from({ length: 60 }, () => askWithoutReading(path)));
    const heads = Promise.all(asked.map(({ head }) => head));
    const state = { isAnswered: false };
    void heads.finally(() => (state.isAnswered = true));
    let highest = before;
    while (!state.isAnswered) {
      expect((await server.anonymous("GET", "/livez")).status).toBe(200);
      highest = Math.max(highest, residentBytes());
    }
    expect(highest - before).toBeLessThan(MOST_GROWTH_BYTES);

    const refused = (await heads).filter((head) => statusOf(head) === 503);
    expect(refused.length).toBeGreaterThan(50);
    for (const head of refused) expect(head).toMatch(/\r\nRetry-After: \d+\r\n/);
    expect((await server.anonymous("GET", path)).status).toBe(503);
    const read = await api("POST", "/api/fs/read", { body: { path: "/large.md" } });
    expect([read.status, read.headers.get("retry-after"), read.body.message]).toEqual([
      503,
      "5",
      expect.stringMatching(/^Too many large responses .*\. Try again in a moment\.$/),
    ]);

    // Responses whose clients have disconnected free their memory.
    for (const { connection } of asked) connection.close();
    await expect.poll(async () => (await server.anonymous("GET", path)).status, { timeout: 10_000 }).toBe(200);
  },
);

test("a client that disconnects during a response is not an error", async () => {
  for (const path of [`/share/${largeId}`, `/api/documents/${largeId}/public`]) {
    const { connection, head } = await askWithoutReading(path);
    expect(statusOf(await head)).toBe(200);
    connection.close();
    await expect
      .poll(() => server.output.filter((line) => line.includes("disconnected") && line.includes(path)).length)
      .toBeGreaterThan(0);
  }
  expect(server.output.filter((line) => /"level":50|Premature/.test(line))).toEqual([]);
});
