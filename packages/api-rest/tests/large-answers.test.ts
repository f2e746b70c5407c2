import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRawConnection, statusOf, type RawConnection } from "./raw-http.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const MIB = 1024 * 1024;
/** Escaped and plain characters, of one to four bytes, also where pieces meet. */
const TEXT = `a${'😀é"\\\n\u0001 <b> word\n'.repeat(40_000)}`;
/** What one process holds of large answers, and as much again for reading and building one. */
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

/** What of the server's process is in memory. */
function residentBytes(): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Asks for something without reading more of the answer than its status. */
async function askWithoutReading(path: string): Promise<{ connection: RawConnection; head: Promise<string> }> {
  const connection = await openRawConnection(server.url);
  connection.socket.once("data", () => connection.socket.pause());
  connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { connection, head: connection.waitFor("\r\n\r\n") };
}

test("a large text arrives as it is, in every answer that holds it", async () => {
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

test("HEAD of a large answer has its length and no body", async () => {
  const path = `/api/documents/${largeId}/public`;
  const options = { headers: { "Accept-Encoding": "identity" } };
  const [head, full] = [await server.anonymous("HEAD", path, options), await server.anonymous("GET", path, options)];
  expect(head.status).toBe(200);
  expect(head.headers.get("content-length")).toBe(full.headers.get("content-length"));
  expect(head.body).toBeNull();
});

test.each(["/api/documents/ID/public", "/share/ID"])(
  "answers that nobody reads are bounded, and others are served: %s",
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

    // What nobody waits for any more makes room.
    for (const { connection } of asked) connection.close();
    await expect.poll(async () => (await server.anonymous("GET", path)).status, { timeout: 10_000 }).toBe(200);
  },
);

test("a client that hangs up in the middle of an answer is no error", async () => {
  for (const path of [`/share/${largeId}`, `/api/documents/${largeId}/public`]) {
    const { connection, head } = await askWithoutReading(path);
    expect(statusOf(await head)).toBe(200);
    connection.close();
    await expect
      .poll(() => server.output.filter((line) => line.includes("hung up") && line.includes(path)).length)
      .toBeGreaterThan(0);
  }
  expect(server.output.filter((line) => /"level":50|Premature/.test(line))).toEqual([]);
});
