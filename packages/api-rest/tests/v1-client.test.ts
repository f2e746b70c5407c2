import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { API_KEY_SCOPES } from "@workspace/core";
import openapiTypescript, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const packageDir = join(import.meta.dirname, "..");
const run = promisify(execFile);
/** Only compiles beside the generated client, so the type checker of this package leaves it out. */
const PROGRAM = join(import.meta.dirname, "v1-client.fixture.ts");

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "workspace-client-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test("a client generated from the served document compiles", async () => {
  const document = (await server.anonymous("GET", "/openapi.v1.json")).body;
  await writeFile(join(folder, "v1-api.ts"), astToString(await openapiTypescript(document)));
  await copyFile(PROGRAM, join(folder, "program.ts"));
  await symlink(join(packageDir, "node_modules"), join(folder, "node_modules"));
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "ESNext",
        moduleResolution: "Bundler",
        allowImportingTsExtensions: true,
        lib: ["ES2023", "DOM"],
        types: [],
      },
      include: ["program.ts"],
    }),
  );
  await run(join(packageDir, "node_modules/.bin/tsc"), ["-p", folder]).catch((error: { stdout?: string }) => {
    throw new Error(`The program does not compile:\n${error.stdout ?? ""}`);
  });
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
