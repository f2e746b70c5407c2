import { v1Operations } from "@workspace/api-v1";
import { API_KEY_SCOPES, capabilities, listOperations } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let v1: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = server.withToken;
  const { body } = await api("POST", "/api/api-keys", { body: { name: "test", scopes: API_KEY_SCOPES } });
  v1 = createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
});
afterAll(() => server.close());

const toPath = (path: string) => path.replaceAll(/\{\w+\}/g, "00000000-0000-7000-8000-000000000000");

test("all routes refuse unknown parameters, whatever the method", async () => {
  const targets: [Request, string, string][] = [
    ...listOperations(capabilities, "api").map(({ route }): [Request, string, string] => [
      api,
      route.method,
      `/api${route.path}`,
    ]),
    ...v1Operations.map(({ route }): [Request, string, string] => [v1, route.method, `/api/v1${route.path}`]),
    [api, "GET", "/api/health"],
    [api, "GET", "/api/fs/raw"],
    [api, "PUT", "/api/fs/raw"],
    [v1, "GET", "/api/v1/skill"],
  ];
  for (const [request, method, path] of targets) {
    const { status, body } = await request(method, `${toPath(path)}?unheard_of=1`);
    expect([method, path, status, body.message]).toEqual([
      method,
      path,
      400,
      expect.stringMatching(/^Unknown parameter "unheard_of"\. /),
    ]);
  }
});

test.each([
  ["/api/tasks?status[]=done", 'Unknown parameter "status[]". Did you mean "status"?'],
  ["/api/tasks?Status=done", 'Unknown parameter "Status". Did you mean "status"?'],
  ["/api/tasks?project_id=1", 'Unknown parameter "project_id". Did you mean "projectId"?'],
  ["/api/documents?file_type=text", 'Unknown parameter "file_type". Did you mean "fileType"?'],
  ["/api/fs/raw?path=/a&Download=true", 'Unknown parameter "Download". Did you mean "download"?'],
  ["/api/tasks/tags?_=1790000000000", expect.stringMatching(/^Unknown parameter "_"/)],
])("%s names the parameter that was probably meant", async (path, message) => {
  const { status, body } = await api("GET", path);
  expect([status, body.message]).toEqual([400, message]);
  expect(body.issues).toEqual([
    { path: expect.any(String), message: expect.stringMatching(/^is not a known parameter/) },
  ]);
});

test("what is wrong with a repeated parameter names it, and not the number of the value", async () => {
  const message = "expected one of todo, in_progress, done, blocked";
  for (const query of ["status=x", "status=x&status=done&status=y"]) {
    for (const { status, body } of [
      await api("GET", `/api/tasks?${query}`),
      await v1("GET", `/api/v1/tasks?${query}`),
    ]) {
      expect([status, body.message, body.issues]).toEqual([400, `status: ${message}`, [{ path: "status", message }]]);
    }
  }
});

test("an id in the query string does not replace the one in the path", async () => {
  const { body } = await api("POST", "/api/tasks", { body: { title: "one" } });
  expect((await api("GET", `/api/tasks/${body.data.id}?id=other`)).status).toBe(400);
});

test("HEAD refuses like GET, and a streamed ask like a plain one", async () => {
  expect((await api("HEAD", "/api/tasks?Status=done")).status).toBe(400);
  const headers = { Accept: "text/event-stream" };
  expect((await v1("POST", "/api/v1/agents/ask?stream=true", { headers, body: {} })).status).toBe(400);
});

test("the parameters are not revealed without credentials", async () => {
  expect((await server.anonymous("GET", "/api/tasks?Status=done")).status).toBe(401);
});

test("unknown body fields are still ignored", async () => {
  const { status } = await api("POST", "/api/tasks", { body: { title: "one", unheard_of: 1 } });
  expect(status).toBe(200);
});
