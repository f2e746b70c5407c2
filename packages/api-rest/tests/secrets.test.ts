import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const MAIN = join(import.meta.dirname, "../dist/main.js");
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let folder: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-secrets-"));
  server = await startTestServer({ DATA_DIR: folder });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const create = (key: string, value: string) => api("POST", "/api/secrets", { body: { key, value } });

describe("creating", () => {
  test("is 201 and does not return the value", async () => {
    const { status, body } = await api("POST", "/api/secrets", {
      body: { key: "GITHUB_TOKEN", value: "ghp_x", description: "CI" },
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      key: "GITHUB_TOKEN",
      description: "CI",
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test("with an existing key is 409 and changes nothing", async () => {
    expect((await create("GITHUB_TOKEN", "other")).status).toBe(409);
    expect((await api("GET", "/api/secrets/GITHUB_TOKEN")).body.data).toEqual({ key: "GITHUB_TOKEN", value: "ghp_x" });
  });

  test.each([
    ["no key", { value: "v" }],
    ["no value", { key: "K" }],
    ["an empty value", { key: "K", value: "" }],
    ["a key in lower case", { key: "token", value: "v" }],
    ["a key that begins with a digit", { key: "1K", value: "v" }],
    ["a key with a hyphen", { key: "A-B", value: "v" }],
    ["a key that is too long", { key: "K".repeat(256), value: "v" }],
    ["a value that is no text", { key: "K", value: 5 }],
    ["a value above 64 KiB", { key: "K", value: "ä".repeat(32_769) }],
  ])("with %s is 400", async (_what, body) => {
    expect((await api("POST", "/api/secrets", { body })).status).toBe(400);
  });

  test("accepts a value of exactly 64 KiB", async () => {
    const value = "ä".repeat(32_768);
    expect((await create("LARGE", value)).status).toBe(201);
    expect((await api("GET", "/api/secrets/LARGE")).body.data.value).toBe(value);
  });
});

test("the list contains no values", async () => {
  const { body } = await api("GET", "/api/secrets");
  expect(body.data.map((secret: any) => secret.key)).toEqual(["GITHUB_TOKEN", "LARGE"]);
  for (const secret of body.data)
    expect(Object.keys(secret).toSorted()).toEqual(["createdAt", "description", "id", "key", "updatedAt"]);
});

test("a secret is read, changed and deleted, and each is recorded", async () => {
  await create("TO_CHANGE", "first value");
  const put = (body: object) => api("PUT", "/api/secrets/TO_CHANGE", { body });
  expect((await put({ value: "second value" })).body.data).toMatchObject({
    key: "TO_CHANGE",
    description: null,
    updatedAt: expect.any(String),
  });
  expect((await put({ description: "d" })).body.data).toMatchObject({ description: "d" });
  expect((await put({ value: "" })).status).toBe(400);
  expect((await put({ value: "x".repeat(65_537) })).status).toBe(400);
  expect((await api("GET", "/api/secrets/TO_CHANGE")).body.data.value).toBe("second value");
  expect(await api("DELETE", "/api/secrets/TO_CHANGE")).toMatchObject({
    status: 200,
    body: { data: { deleted: true } },
  });
  const accesses = (await api("GET", "/api/secrets/TO_CHANGE/accesses")).body.data;
  expect(accesses.map((access: any) => access.action)).toEqual(["delete", "reveal", "update", "update", "create"]);
  for (const method of ["GET", "PUT", "DELETE"]) {
    expect((await api(method, "/api/secrets/TO_CHANGE")).status).toBe(404);
    expect((await api(method, "/api/secrets/lower-case")).status).toBe(404);
    expect((await api(method, "/api/secrets/")).status).toBe(400);
  }
});

test("nothing is accessible without credentials, or with a key", async () => {
  const { body } = await api("POST", "/api/api-keys", {
    body: { name: "k", scopes: ["hooks", "memory:read", "tasks:read"] },
  });
  const key = createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
  for (const [method, path] of [
    ["GET", "/api/secrets"],
    ["POST", "/api/secrets"],
    ["POST", "/api/secrets/rotate"],
    ["GET", "/api/secrets/GITHUB_TOKEN"],
    ["PUT", "/api/secrets/GITHUB_TOKEN"],
    ["DELETE", "/api/secrets/GITHUB_TOKEN"],
    ["GET", "/api/secrets/GITHUB_TOKEN/accesses"],
  ] as const) {
    expect((await server.anonymous(method, path)).status).toBe(401);
    expect([401, 403]).toContain((await key(method, path)).status);
  }
  expect((await server.withToken("GET", "/api/secrets")).status).toBe(200);
});

test("a value is not stored in plain text in hook events, memories or the database", async () => {
  const value = "a-value-that-must-not-leak";
  await create("NO_LEAK", value);
  await api("POST", "/api/hooks/events", {
    body: { eventType: "PreToolUse", eventData: { command: `curl -H "X: ${value}"` }, blockReason: value },
  });
  await api("POST", "/api/memory/store", {
    body: { content: `The token is ${value}`, chunkType: "fact", sourceExcerpt: value },
  });
  expect(JSON.stringify((await api("GET", "/api/hooks/events")).body)).toContain("[secret NO_LEAK]");
  const { rows } = await server.db.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) {
    const found = await server.db.pool.query(`SELECT FROM "${name}" AS t WHERE t::text LIKE $1`, [`%${value}%`]);
    expect({ name, found: found.rowCount }).toEqual({ name, found: 0 });
  }
});

describe("the encryption key", () => {
  const keyFile = () => readFile(join(folder, "encryption-key"), "utf8");

  test("is created on first start, readable only by its owner", async () => {
    expect((await keyFile()).trim()).toMatch(/^[\w-]{43}$/);
    expect((await stat(join(folder, "encryption-key"))).mode & 0o777).toBe(0o600);
  });

  test("is replaced by rotation, and the secrets are re-encrypted", async () => {
    const [before, envelopes] = [await keyFile(), await selectEnvelopes()];
    const { status, body } = await api("POST", "/api/secrets/rotate");
    expect(status).toBe(200);
    expect(body.data).toEqual({ rotated: envelopes.length, keyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(await keyFile()).not.toBe(before);
    expect((await keyFile()).trim().split("\n")).toHaveLength(1);
    expect((await stat(join(folder, "encryption-key"))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect((await selectEnvelopes()).some((envelope) => envelopes.includes(envelope))).toBe(false);
    expect((await api("GET", "/api/secrets/GITHUB_TOKEN")).body.data.value).toBe("ghp_x");
  });

  test("that does not decrypt the secrets prevents the start, with a clear message", async () => {
    const { code, stderr } = await runMain([], { SERVICE_ENCRYPTION_KEY: "another key of more than 32 characters" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/stored secrets do not open with the configured encryption key: .*SERVICE_ENCRYPTION_KEY/s);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("can be rotated by the command", async () => {
    const [oldKey, newKey] = [(await keyFile()).trim(), "a new key of more than 32 characters"];
    const refused = await runMain(["rotate-secrets"], { SERVICE_ENCRYPTION_KEY: oldKey });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("SERVICE_ENCRYPTION_KEY_PREVIOUS") });
    const env = { SERVICE_ENCRYPTION_KEY: newKey, SERVICE_ENCRYPTION_KEY_PREVIOUS: oldKey };
    const rotated = await runMain(["rotate-secrets"], env);
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Re-encrypted secrets: \d+\./) });
    // The server that still has the old key reports it, and does not return wrong values.
    expect((await api("GET", "/api/secrets/GITHUB_TOKEN")).status).toBe(503);
    expect((await create("LATER", "value")).status).toBe(503);
    expect(
      await runMain(["rotate-secrets"], { SERVICE_ENCRYPTION_KEY: oldKey, SERVICE_ENCRYPTION_KEY_PREVIOUS: newKey }),
    ).toMatchObject({ code: 0 });
    expect((await api("GET", "/api/secrets/GITHUB_TOKEN")).body.data.value).toBe("ghp_x");
  });

  test("an unknown command is refused", async () => {
    expect(await runMain(["rotate"], {})).toMatchObject({ code: 1, stderr: expect.stringContaining("rotate-secrets") });
  });
});

async function selectEnvelopes(): Promise<string[]> {
  const { rows } = await server.db.pool.query<{ envelope: string }>("SELECT envelope FROM secrets");
  return rows.map((row) => row.envelope);
}

/** Runs the program on the server's database, with its own data directory, until it ends. */
async function runMain(args: string[], env: Record<string, string>) {
  const dataDir = await mkdtemp(join(folder, "command-"));
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: dataDir,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PORT: "0",
      LOG_LEVEL: "error",
      DATA_DIR: dataDir,
      DATABASE_URL: server.databaseUrl,
      ...env,
    },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (output.stderr += String(chunk)));
  const [code] = await once(child, "close");
  return { code: Number(code), ...output };
}
