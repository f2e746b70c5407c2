import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_TOKEN } from "./credentials.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

interface Encoded {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const body = (index: number) => ({ title: `Task ${index}`, description: "Water the plants. ".repeat(20) });
  for (let index = 0; index < 30; index += 1) await server.withToken("POST", "/api/tasks", { body: body(index) });
  const values = Array.from({ length: 30 }, (_, index) => ({
    key: `KEY_${index}`,
    value: "v",
    description: "d".repeat(200),
  }));
  for (const value of values) await server.withToken("POST", "/api/secrets", { body: value });
});
afterAll(() => server.close());

/** Sends a request whose response is not decompressed. */
async function get(path: string, acceptEncoding?: string, method = "GET"): Promise<Encoded> {
  const headers = {
    "X-API-Token": API_TOKEN,
    ...(acceptEncoding !== undefined && { "Accept-Encoding": acceptEncoding }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, server.url), { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    request.on("error", reject).end();
  });
}

describe("a large response", () => {
  test.each([
    ["br", "gzip, deflate, br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["gzip", "br;q=0, gzip;q=0.5", gunzipSync],
  ])("is sent as %s to those who accept %s", async (coding, accepted, decompress) => {
    for (const path of ["/api/tasks", "/openapi.json", "/api/trpc/tasks.list?input={}"]) {
      const plain = await get(path);
      const { headers, bytes } = await get(path, accepted);
      expect(headers["content-encoding"]).toBe(coding);
      expect(headers.vary).toBe("Accept-Encoding");
      expect(headers["content-length"]).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      // An assertion on buffers compares them byte by byte, which takes seconds.
      expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test.each([undefined, "identity", "gzip;q=0", "deflate"])(
    "is sent as it is to those who accept %s",
    async (accepted) => {
      const { headers, bytes } = await get("/api/tasks", accepted);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headers.vary).toBe("Accept-Encoding");
      expect(JSON.parse(bytes.toString()).data).toHaveLength(30);
    },
  );

  test("with secrets is never compressed, however its URL is spelled", async () => {
    const batch = "/api/trpc/tasks.list,%73ecrets.list?batch=1&input={}";
    for (const path of ["/api/secrets", "/api/%73ecrets", "/api/trpc/secrets.list?input={}", batch]) {
      expect((await get(path, "gzip")).headers["content-encoding"]).toBeUndefined();
    }
    expect((await get("/api/secrets", "gzip")).bytes.length).toBeGreaterThan(4096);
  });

  test("with an entity tag is sent uncompressed, so that the tag matches the bytes", async () => {
    const path = "/api/fs/raw?path=/long.txt";
    await server.withToken("PUT", path, { raw: { text: "line\n".repeat(5000), type: "text/plain" } });
    const { headers, bytes } = await get(path, "gzip, br");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(bytes.length).toBe(25_000);
    const read = await server.withToken("POST", "/api/fs/read", { body: { path: "/long.txt" } });
    expect(read.headers.get("ETag")).toBe(headers.etag);
    expect(read.headers.get("Content-Encoding")).toBeNull();
  });

  test("to HEAD has no body", async () => {
    const { headers, bytes } = await get("/api/tasks", "gzip", "HEAD");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(bytes.length).toBe(0);
  });
});

test("a small response is sent uncompressed", async () => {
  const { headers } = await get("/api/health", "gzip, br");
  expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
});

test.each(["/docs", "/docs/style.css"])("%s is only compressed for clients that accept it", async (path) => {
  const plain = await get(path);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const { headers, bytes } = await get(path, "gzip");
  expect([headers["content-encoding"], headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
  expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
  expect((await get(path, "gzip;q=0, br")).headers["content-encoding"]).toBeUndefined();
});
