import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOperations, type Operation } from "./openapi-operations.ts";
import { createRequest, startTestServer, type Request, type RequestOptions, type TestServer } from "./test-server.ts";

const MAX_BYTES = 1000;
const SURFACES = [
  ["/api", "/openapi.json"],
  ["/api/v1", "/openapi.v1.json"],
] as const;

let server: TestServer;
let requests: Record<(typeof SURFACES)[number][0], Request>;

beforeAll(async () => {
  server = await startTestServer({ MAX_BODY_BYTES: String(MAX_BYTES), MAX_CONTENT_BYTES: String(MAX_BYTES) });
  const api = await server.signIn();
  const { body } = await api("POST", "/api/api-keys", { body: { name: "walk", scopes: API_KEY_SCOPES } });
  requests = { "/api": api, "/api/v1": createRequest(server.url, { Authorization: `Bearer ${body.data.key}` }) };
});
afterAll(() => server.close());

describeRefusal(403, "a change for a page elsewhere", { headers: { Origin: "https://elsewhere.example" } }, isChange);
describeRefusal(
  413,
  "a body that is too large",
  { raw: { text: `"${"x".repeat(MAX_BYTES)}"`, type: "application/json" } },
  takesJson,
);
describeRefusal(415, "a body that is not JSON", { raw: { text: "title=x", type: "text/plain" } }, takesJson);

/** Sends a request that is refused to each operation concerned. */
function describeRefusal(
  status: number,
  what: string,
  options: RequestOptions,
  isConcerned: (operation: Operation) => boolean,
): void {
  test.each(SURFACES)(`%s: ${what} is ${status}, and each operation says so`, async (base, document) => {
    const operations = await readOperations(server.anonymous, document);
    const concerned = operations.filter(isConcerned);
    expect(concerned.length).toBeGreaterThan(2);
    const wrong: unknown[] = [];
    for (const { method, path, statuses } of concerned) {
      const response = await requests[base](method, base + path.replaceAll(/\{\w+\}/g, "example"), options);
      if (response.status !== status || !statuses.includes(status))
        wrong.push([method, path, response.status, statuses]);
    }
    expect(wrong).toEqual([]);
  });
}

test.each([
  ["/api", "/openapi.json", "tasks:read"],
  ["/api/v1", "/openapi.v1.json", "hooks"],
])(
  "%s: a key without the scope is refused, and each operation that takes keys says so",
  async (base, document, scope) => {
    const { body } = await requests["/api"]("POST", "/api/api-keys", { body: { name: scope, scopes: [scope] } });
    const request = createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
    const operations = await readOperations(server.anonymous, document);
    // The skill is for any key.
    const concerned = operations.filter(({ schemes, path }) => schemes.includes("key") && path !== "/skill");
    expect(concerned.length).toBeGreaterThan(2);
    const wrong: unknown[] = [];
    for (const { method, path, statuses } of concerned) {
      const { status } = await request(method, base + path.replaceAll(/\{\w+\}/g, "example"));
      if (status !== 403 || !statuses.includes(403)) wrong.push([method, path, status, statuses]);
    }
    expect(wrong).toEqual([]);
  },
);

test("a read is documented with neither", async () => {
  const reads = (await readOperations(server.anonymous, "/openapi.json")).filter(({ method }) => method === "GET");
  expect(reads.filter(({ statuses }) => statuses.includes(415))).toEqual([]);
});

test("an entity tag is documented where one is sent", async () => {
  const { paths } = (await server.anonymous("GET", "/openapi.json")).body;
  const headersOf = (method: string, path: string, status: string) =>
    Object.keys(paths[path][method].responses[status].headers ?? {});
  const task = await requests["/api"]("POST", "/api/tasks", { body: { title: "t" } });
  const got = await requests["/api"]("GET", `/api/tasks/${task.body.data.id}`);
  const list = await requests["/api"]("GET", "/api/tasks");
  expect([got.headers.has("ETag"), list.headers.has("ETag")]).toEqual([true, false]);
  expect(headersOf("get", "/tasks/{id}", "200")).toEqual(["ETag"]);
  expect(headersOf("get", "/tasks/{id}", "304")).toEqual(["ETag"]);
  expect(headersOf("put", "/tasks/{id}", "200")).toEqual(["ETag"]);
  expect(headersOf("get", "/tasks", "200")).toEqual([]);
  expect(headersOf("get", "/fs/raw", "206")).toEqual(["ETag"]);
});

function isChange({ method }: Operation): boolean {
  return method !== "GET";
}

function takesJson({ method, path }: Operation): boolean {
  return !["GET", "DELETE"].includes(method) && !["/fs/raw", "/notes/import"].includes(path);
}
