import { rm } from "node:fs/promises";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, startModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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
      backups: { problem: null },
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

test("an embedding model that does not respond makes it degraded, and memories are still stored and found", async () => {
  const model = await startModelDouble();
  onTestFinished(() => model.close());
  model.replyToEmbeddings(() => ({ fault: { kind: "disconnect" } }));
  const other = await startTestServer({ EMBEDDINGS_MODEL: "vectors", EMBEDDINGS_BASE_URL: model.baseUrl });
  onTestFinished(() => other.close());
  const health = async () => (await other.anonymous("GET", "/api/health")).body.data;
  const memory = { content: "We use pnpm in every project", chunkType: "fact" };
  expect((await other.withToken("POST", "/api/memory/store", { body: memory })).status).toBe(201);
  const found = await other.withToken("GET", "/api/memory/search?query=what+do+we+use+in+projects");
  expect(found.body.data).toMatchObject([memory]);
  await eventually(async () => (await health()).status === "degraded");
  expect((await health()).embeddings).toEqual({ configured: true, problem: "unavailable" });
  expect((await other.anonymous("GET", "/readyz")).status).toBe(200);

  model.replyToEmbeddings(() => ({}));
  // A search that failed is not tried again for ten seconds.
  await eventually(async () => (await health()).status === "ok", 30_000);
  expect((await health()).embeddings).toEqual({ configured: true, problem: null });
}, 60_000);
