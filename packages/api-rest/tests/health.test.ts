import { rm } from "node:fs/promises";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let vault: string;

beforeAll(async () => {
  vault = await mkdtemp(join(tmpdir(), "workspace-vault-"));
  server = await startTestServer({ VAULT_PATH: vault });
});
afterAll(() => server.close());

test("health is open to anyone and reports the state of each part", async () => {
  const { status, body } = await server.anonymous("GET", "/api/health");
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      status: "ok",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      timestamp: expect.stringMatching(/Z$/),
      database: {
        configured: true,
        deployment: "external",
        available: true,
        latencyMs: expect.any(Number),
        problem: null,
      },
      vault: { available: true, historyAvailable: true, historyProblem: null },
      mirror: { leader: expect.any(Boolean), lastLookAgeMs: expect.toSatisfy((age) => age === null || age >= 0) },
      scheduler: { running: expect.any(Boolean) },
      embeddings: { configured: false, problem: null },
    },
  });
});

test("health has the documented fields", async () => {
  const { body } = await server.anonymous("GET", "/api/health");
  const { paths } = (await server.anonymous("GET", "/openapi.json")).body;
  const { data } = paths["/health"].get.responses["200"].content["application/json"].schema.properties;
  expect(Object.keys(data.properties)).toEqual(Object.keys(body.data));
  expect(Object.keys(data.properties.vault.properties)).toEqual(Object.keys(body.data.vault));
  expect(data.properties.vault.required).toEqual(Object.keys(body.data.vault));
});

test("liveness and readiness are open to anyone and read-only", async () => {
  expect(await server.anonymous("GET", "/livez")).toMatchObject({ status: 200, body: { data: { status: "ok" } } });
  const ready = { status: 200, body: { data: { status: "ready", missing: [] } } };
  expect(await server.anonymous("GET", "/readyz")).toMatchObject(ready);
  for (const path of ["/livez", "/readyz"]) {
    expect((await server.anonymous("HEAD", path)).status).toBe(200);
    expect((await server.anonymous("POST", path)).status).toBe(405);
  }
});

test("a missing vault makes it degraded", async () => {
  await rm(vault, { recursive: true });
  expect((await server.anonymous("GET", "/api/health")).body.data).toMatchObject({
    status: "degraded",
    vault: { available: false, historyAvailable: false, historyProblem: "The vault is not available." },
  });
  const unready = { status: 503, body: { data: { status: "unavailable", missing: ["vault"] } } };
  expect(await server.anonymous("GET", "/readyz")).toMatchObject(unready);
  expect((await server.anonymous("GET", "/livez")).status).toBe(200);
});
