import { join } from "node:path";
import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileClient } from "./generated-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

/** Only compiles beside the generated client, so the type checker of this package leaves it out. */
const PROGRAM = join(import.meta.dirname, "v1-client.fixture.ts");

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a client generated from the served document compiles", async () => {
  const document = (await server.anonymous("GET", "/openapi.v1.json")).body;
  await compileClient(document, { program: PROGRAM, types: "v1-api.ts" });
});

test("and works", async () => {
  const api = await server.signIn();
  const created = await api("POST", "/api/api-keys", { body: { name: "client", scopes: API_KEY_SCOPES } });
  const { doARoundOfWork } = await import(PROGRAM);
  const { id, ...seen } = await doARoundOfWork(server.url, created.body.data.key);
  expect(seen).toEqual({
    completedAt: expect.any(String),
    listedIds: [id],
    storedStatus: 201,
    found: ["Typed clients help."],
    agents: [],
    files: [],
    refusal: ["status"],
  });
});
