import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_TOKEN } from "./credentials.ts";
import { compileClient } from "./generated-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const PROGRAM = join(import.meta.dirname, "api-client.fixture.ts");
const TAGS = ["Tasks", "Projects", "Notes", "Search"];
/** What takes an archive instead of JSON, which the generator knows no type for. */
const OTHERS = ["POST /notes/import"];

let server: TestServer;
let document: any;

beforeAll(async () => {
  server = await startTestServer();
  document = (await server.anonymous("GET", "/openapi.json")).body;
});
afterAll(() => server.close());

test("a client generated from the document of /api compiles", async () => {
  await compileClient(document, { program: PROGRAM, types: "api.ts" });
});

test("and calls every operation of tasks, projects, notes and the search, with responses as the document says", async () => {
  const { useEverything } = await import(PROGRAM);
  const received = await useEverything(server.url, { "X-API-Token": API_TOKEN });
  const operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags = [] }]) => TAGS.some((tag) => tags.includes(tag)))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const called = new Set<string>(received.map(({ operation }: { operation: string }) => operation));
  expect(operations.filter((operation) => !called.has(operation) && !OTHERS.includes(operation))).toEqual([]);

  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, "api");
  const wrong: unknown[] = [];
  for (const { operation, status, body } of received) {
    const [method = "", path = ""] = operation.split(" ");
    const pointer = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      String(status),
      "content",
      "application/json",
      "schema",
    ]
      .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
      .join("/");
    const validate = ajv.getSchema(`api#/${encodeURI(pointer)}`);
    if (validate === undefined) wrong.push([operation, status, "has no schema"]);
    else if (!validate(body)) wrong.push([operation, validate.errors]);
  }
  expect(wrong).toEqual([]);
}, 120_000);
