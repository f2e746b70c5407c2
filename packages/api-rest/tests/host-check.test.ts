import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { API_TOKEN } from "./credentials.ts";
import { bodyOf, sendRaw, statusOf } from "./raw-http.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const MISDIRECTED = 421;

let server: TestServer;

const get = (path: string, ...lines: string[]) => sendRaw(server.url, [`GET ${path} HTTP/1.1`, ...lines]);

describe("a server for this machine alone", () => {
  beforeAll(async () => {
    server = await startTestServer({
      SERVICE_AUTH_URL: "https://notes.example.com",
      ALLOWED_ORIGINS: "http://desk.lan:8080",
    });
  });
  afterAll(() => server.close());

  test.each([
    "localhost",
    "LOCALHOST:80",
    "127.0.0.1:3000",
    "127.8.9.10",
    "[::1]:3000",
    "notes.example.com",
    "Notes.Example.com:8443",
    "desk.lan",
  ])("accepts requests to %s", async (host) => {
    expect(statusOf(await get("/api/health", `Host: ${host}`))).toBe(200);
  });

  test.each(["evil.example", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "192.168.1.5:3000"])(
    "refuses requests to %s wherever they go, so that no name can be rebound to it",
    async (host) => {
      for (const path of [
        "/api/health",
        "/api/tasks",
        "/api/auth/get-session",
        "/openapi.json",
        "/",
        "/first-paint.js",
      ]) {
        expect(statusOf(await get(path, `Host: ${host}`, `X-API-Token: ${API_TOKEN}`))).toBe(MISDIRECTED);
      }
      const headers = { Host: host, "X-API-Token": API_TOKEN };
      await expect(connectRealtime(server.url, { headers })).rejects.toMatchObject({ status: MISDIRECTED });
    },
  );

  test("names the setting that would allow the host", async () => {
    const response = await get("/api/tasks", "Host: evil.example");
    expect(JSON.parse(bodyOf(response))).toEqual({
      statusCode: MISDIRECTED,
      statusMessage: "Misdirected Request",
      message: expect.stringContaining("SERVICE_AUTH_URL"),
    });
  });

  test.each([
    ["two", ["Host: localhost", "Host: evil.example"]],
    ["two that agree", ["Host: localhost", "host: localhost"]],
    ["an empty", ["Host:"]],
    ["a list as", ["Host: localhost, evil.example"]],
    ["credentials in the", ["Host: localhost@evil.example"]],
    ["a path in the", ["Host: localhost/x"]],
    ["an unclosed", ["Host: [::1"]],
    ["a port that is none in the", ["Host: localhost:x"]],
    ["no", []],
  ])("refuses a request with %s Host header", async (_which, lines) => {
    expect(statusOf(await get("/api/health", ...lines))).toBe(400);
  });

  test("refuses an HTTP/1.0 request without a host", async () => {
    expect(statusOf(await sendRaw(server.url, ["GET /api/health HTTP/1.0"]))).toBe(400);
  });
});

describe("a server for everyone", () => {
  beforeAll(async () => {
    server = await startTestServer({ ACCESS_MODE: "any" });
  });
  afterAll(() => server.close());

  test("accepts any host, but never two", async () => {
    expect(statusOf(await get("/api/health", "Host: box.lan"))).toBe(200);
    expect(statusOf(await get("/api/health", "Host: box.lan", "Host: evil.example"))).toBe(400);
  });
});
