import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_TOKEN } from "./credentials.ts";
import { sendRaw } from "./raw-http.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const headersOf = async (path: string, from = server) => (await from.withToken("GET", path)).headers;

describe("responses with data", () => {
  test.each([
    "/api/tasks",
    "/api/tasks/none",
    "/api/nothing",
    "/api/health",
    "/api/auth/get-session",
    "/api/v1/tasks",
    "/api/trpc/tasks.tags",
    "/openapi.json",
    "/asyncapi.json",
    "/mcp",
  ])("of %s may neither be taken for anything else nor run, load or be framed", async (path) => {
    const headers = await headersOf(path);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toBe(DATA_POLICY);
  });

  test("include the refusal of a WebSocket", async () => {
    const lines = ["GET /api/ws HTTP/1.1", "Host: localhost", "Upgrade: websocket"];
    const response = await sendRaw(server.url, [...lines, "Connection: upgrade"]);
    expect(response).toMatch(/^HTTP\/1.1 401 /);
    expect(response).toContain("\r\nX-Content-Type-Options: nosniff\r\n");
    expect(response).toContain(`\r\nContent-Security-Policy: ${DATA_POLICY}\r\n`);
  });
});

test.each(["/", "/tasks", "/docs"])("the page at %s only connects to this server", async (path) => {
  const policy = (await headersOf(path)).get("Content-Security-Policy") ?? "";
  const directives = new Map(policy.split("; ").map((directive) => [directive.split(" ")[0], directive] as const));
  expect(directives.get("connect-src")).toBe("connect-src 'self'");
  expect(directives.get("default-src")).toBe("default-src 'self'");
  expect(policy).not.toMatch(/https?:|wss?:|\*/);
});

describe("Strict-Transport-Security", () => {
  test("is omitted if the URL is http", async () => {
    expect((await headersOf("/")).get("Strict-Transport-Security")).toBeNull();
  });

  test("is sent with every response if the URL is https", async () => {
    const secure = await startTestServer({ SERVICE_AUTH_URL: "https://notes.example.com" });
    try {
      for (const path of ["/", "/api/tasks", "/api/nothing", "/docs", "/first-paint.js"]) {
        expect((await headersOf(path, secure)).get("Strict-Transport-Security")).toBe("max-age=31536000");
      }
      const refused = await sendRaw(secure.url, [
        "GET /api/ws HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: upgrade",
        `X-API-Token: ${API_TOKEN}-wrong`,
      ]);
      expect(refused).toContain("\r\nStrict-Transport-Security: max-age=31536000\r\n");
    } finally {
      await secure.close();
    }
  });
});
