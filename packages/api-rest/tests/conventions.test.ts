import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { capabilities, listOperations } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer({ MAX_BODY_BYTES: "100000" });
  api = await server.signIn();
});
afterAll(() => server.close());

const apiError = (statusCode: number, statusMessage: string) => ({
  statusCode,
  statusMessage,
  message: expect.any(String),
});

describe("URLs", () => {
  test("an unknown path is 404 in the error shape", async () => {
    expect(await api("GET", "/api/nothing")).toMatchObject({ status: 404, body: apiError(404, "Not Found") });
  });

  test("a known path with another method is 405 and lists the allowed ones", async () => {
    const response = await api("DELETE", "/api/tasks");
    expect(response).toMatchObject({ status: 405, body: apiError(405, "Method Not Allowed") });
    expect(response.headers.get("allow")).toBe("GET, POST, HEAD");
  });

  test("a literal path never matches as an id, whatever the method", async () => {
    expect(await api("GET", "/api/tasks/tags")).toMatchObject({ status: 200, body: { data: [] } });
    const literal = listOperations(capabilities, "api").filter(({ route }) => !route.path.includes("{"));
    const allowed = new Map<string, string[]>();
    for (const { route } of literal) {
      allowed.set(route.path, [...(allowed.get(route.path) ?? []), route.method]);
    }
    for (const [path, methods] of allowed) {
      const expected = methods.includes("GET") ? [...methods, "HEAD"] : methods;
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (methods.includes(method)) continue;
        const { status, headers, body } = await api(method, `/api${path}`);
        expect([method, path, status, headers.get("allow")]).toEqual([method, path, 405, expected.join(", ")]);
        expect(body).toEqual(apiError(405, "Method Not Allowed"));
      }
    }
  });

  test("health, sign-in and pages are also 405 with another method", async () => {
    for (const [methods, path, allow] of [
      [["POST", "PUT", "PATCH", "DELETE"], "/api/health", "GET, HEAD"],
      [["GET", "PUT", "DELETE"], "/api/auth/sign-in/email", "POST"],
      [["GET"], "/api/auth/sign-up/email", "POST"],
      [["GET"], "/api/auth/sign-out", "POST"],
      [["POST", "DELETE"], "/api/auth/get-session", "GET"],
      [["POST", "PUT", "DELETE"], "/share/00000000-0000-7000-8000-000000000000", "GET, HEAD"],
      [["POST"], "/openapi.json", "GET, HEAD"],
      [["POST"], "/docs", "GET, HEAD"],
      [["POST"], "/tasks", "GET, HEAD"],
    ] as const) {
      for (const method of methods) {
        const { status, headers, body } = await server.anonymous(method, path);
        expect([method, path, status, headers.get("allow")]).toEqual([method, path, 405, allow]);
        expect(body).toEqual(apiError(405, "Method Not Allowed"));
      }
    }
  });

  test("an id that cannot be decoded or stored is like any malformed id", async () => {
    for (const id of ["%zz", "%", "%ff", "%c0%ae", "%00", "a%00b", "x".repeat(5000)]) {
      for (const path of ["tasks", "projects", "documents", "agents", "conversations", "memory", "secrets"]) {
        expect(await api("GET", `/api/${path}/${id}`)).toMatchObject({ status: 404, body: apiError(404, "Not Found") });
      }
      expect((await api("DELETE", `/api/memory/${id}`)).status).toBe(404);
      expect(await server.anonymous("GET", `/api/documents/${id}/public`)).toMatchObject({
        status: 400,
        body: apiError(400, "Bad Request"),
      });
    }
  });

  test("HEAD responds like GET without a body", async () => {
    expect(await api("HEAD", "/api/tasks")).toMatchObject({ status: 200, body: null });
  });
});

describe("bodies", () => {
  const send = (text: string | Uint8Array, type = "application/json") =>
    api("POST", "/api/tasks", { raw: { text, type } });

  test("malformed JSON is 400", async () => {
    for (const text of ["{", "{'title':1}", '{"title":"a"', "nul", '{"title":"\u0001"}']) {
      expect(await send(text)).toMatchObject({ status: 400, body: apiError(400, "Bad Request") });
    }
  });

  test("a body that is not an object is 400", async () => {
    for (const text of ["[]", "1", '"text"', "null", "true"]) expect((await send(text)).status).toBe(400);
  });

  test("bytes that are not UTF-8 are 400", async () => {
    expect((await send(new Uint8Array([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).status).toBe(400);
  });

  test("a compressed body is read, and one that is corrupt is 400", async () => {
    const text = Buffer.from('{"title":"compressed"}');
    for (const [encoding, compressed] of [
      ["gzip", gzipSync(text)],
      ["deflate", deflateSync(text)],
      ["br", brotliCompressSync(text)],
    ] as const) {
      const sendEncoded = (bytes: Uint8Array) =>
        api("POST", "/api/tasks", {
          raw: { text: bytes, type: "application/json" },
          headers: { "Content-Encoding": encoding },
        });
      expect((await sendEncoded(compressed)).status).toBe(200);
      for (const corrupt of [text, compressed.subarray(0, -6)]) {
        expect(await sendEncoded(corrupt)).toMatchObject({ status: 400, body: apiError(400, "Bad Request") });
      }
    }
    const signIn = { raw: { text, type: "application/json" }, headers: { "Content-Encoding": "gzip" } };
    expect((await server.anonymous("POST", "/api/auth/sign-in/email", signIn)).status).toBe(400);
  });

  test("another content type is 415", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      expect(await send('{"title":"a"}', type)).toMatchObject({
        status: 415,
        body: apiError(415, "Unsupported Media Type"),
      });
    }
  });

  test("a body above the limit is 413 and stores nothing", async () => {
    expect(await send(JSON.stringify({ title: "big", description: "x".repeat(100_001) }))).toMatchObject({
      status: 413,
      body: apiError(413, "Payload Too Large"),
    });
    expect((await api("GET", "/api/tasks?search=big")).body.data).toEqual([]);
  });

  test("excessive nesting is 400 and harmless", async () => {
    expect((await send("[".repeat(50_000))).status).toBe(400);
    expect((await send(`{"title":"a","x":${"[".repeat(40_000)}${"]".repeat(40_000)}}`)).status).toBe(400);
  });

  test("NUL and lone surrogates are 400 instead of being replaced", async () => {
    for (const title of ["a\\u0000b", "a\\ud800b"]) {
      expect(await send(`{"title":"${title}"}`)).toMatchObject({ status: 400, body: { issues: [{ path: "title" }] } });
    }
  });

  test("__proto__ and unknown fields are ignored", async () => {
    const { status, body } = await send('{"title":"proto","__proto__":{"status":"done"},"constructor":1,"extra":true}');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ title: "proto", status: "todo" });
    expect(body.data).not.toHaveProperty("extra");
  });

  test("nothing is coerced in a JSON body", async () => {
    for (const body of [
      { title: 5 },
      { title: "a", priority: "2" },
      { title: "a", tags: "x" },
      { title: "a", description: false },
    ]) {
      expect((await api("POST", "/api/tasks", { body })).status).toBe(400);
    }
  });
});

describe("query strings", () => {
  test("only true and false are booleans", async () => {
    expect((await api("GET", "/api/tasks?includeDeleted=true")).status).toBe(200);
    expect((await api("GET", "/api/tasks?includeDeleted=false")).status).toBe(200);
    for (const value of ["1", "yes", "TRUE", ""]) {
      expect((await api("GET", `/api/tasks?includeDeleted=${value}`)).status).toBe(400);
    }
  });

  test("only decimal numbers are numbers", async () => {
    expect((await api("GET", "/api/tasks?limit=10")).status).toBe(200);
    for (const value of ["", "abc", "1e2", "0x10", "1.5", "0", "1001", "-1", " 5"]) {
      expect((await api("GET", `/api/tasks?limit=${encodeURIComponent(value)}`)).status).toBe(400);
    }
  });

  test("an unknown enum value is 400 and the message lists the allowed ones", async () => {
    const { status, body } = await api("GET", "/api/tasks?status=todo&status=finished");
    expect(status).toBe(400);
    expect(body.message).toBe("status: expected one of todo, in_progress, done, blocked");
  });

  test("a parameter that may not be repeated is refused if it is", async () => {
    const { status, body } = await api("GET", "/api/tasks?search=a&search=b");
    expect([status, body.message]).toEqual([400, "search: is given more than once"]);
  });

  test("malformed percent-encoding is 400 everywhere, and never reinterpreted", async () => {
    for (const malformed of ["%fe", "%c0%ae", "%", "%zz", "%4", "%ed%a0%80"]) {
      for (const [method, path] of [
        ["GET", "/api/tasks?search="],
        ["GET", "/api/tasks?unknown="],
        ["POST", "/api/tasks?unknown="],
        ["GET", "/api/fs/list?path="],
        ["GET", "/api/fs/raw?path="],
        ["PUT", "/api/fs/raw?path=/col-"],
        ["GET", "/api/trpc/tasks.list?input="],
        ["GET", "/api/health?"],
        ["GET", "/api/auth/get-session?"],
      ] as const) {
        expect(await api(method, path + malformed)).toMatchObject({ status: 400, body: apiError(400, "Bad Request") });
      }
      const v1 = await api("GET", `/api/v1/tasks?search=${malformed}`);
      expect([v1.status, v1.body]).toEqual([400, { message: expect.any(String) }]);
    }
    expect((await api("GET", "/api/fs/list")).body.data).toEqual([]);
    expect((await api("GET", "/api/tasks?search=%c3%bc+%25")).status).toBe(200);
  });
});

describe("validation messages", () => {
  test("name the field and the allowed values", async () => {
    const { body } = await api("POST", "/api/tasks", { body: { title: "a", status: "finished" } });
    expect(body).toMatchObject({
      ...apiError(400, "Bad Request"),
      message: "status: expected one of todo, in_progress, done, blocked",
      issues: [{ path: "status", message: "expected one of todo, in_progress, done, blocked" }],
    });
  });

  test("name the options of a choice", async () => {
    for (const priority of [0, 4, "2", null]) {
      const { body } = await api("POST", "/api/tasks", { body: { title: "a", priority } });
      expect(body.message).toBe("priority: must be 1, 2 or 3");
    }
  });

  test("report a missing required field", async () => {
    expect((await api("POST", "/api/tasks", { body: {} })).body.message).toBe("title: is required");
  });
});

test("the typed endpoint validates and responds in the same way", async () => {
  const call = (path: string, input: unknown) => api("POST", `/api/trpc/${path}`, { body: input });
  expect(await call("tasks.create", { title: "typed" })).toMatchObject({
    status: 200,
    body: { result: { data: { data: { title: "typed", status: "todo" } } } },
  });
  const refused = await call("tasks.create", { title: "a", status: "finished" });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: "status: expected one of todo, in_progress, done, blocked", data: { httpStatus: 400 } } },
  });
  expect(JSON.stringify(refused.body)).not.toContain("stack");
  expect(refused.body.error).toMatchObject({ code: -32600, data: { code: "BAD_REQUEST" } });
  expect((await call("tasks.create", { title: "a\0b" })).status).toBe(400);
  expect((await server.anonymous("GET", "/api/trpc/tasks.list?input={}")).status).toBe(401);
  const missing = encodeURIComponent(JSON.stringify({ id: "00000000-0000-7000-8000-000000000000" }));
  expect(await api("GET", `/api/trpc/tasks.get?input=${missing}`)).toMatchObject({
    status: 404,
    body: { error: { code: -32004, data: { code: "NOT_FOUND", httpStatus: 404 } } },
  });
});

describe("the typed endpoint without credentials", () => {
  const refused = async (method: string, path: string) => (await server.anonymous(method, path)).status;

  test.each(["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"])(
    "is 401 for %s, and 405 with credentials",
    async (method) => {
      for (const path of ["/api/trpc/tasks.list", "/api/trpc/nothing", "/api/trpc"]) {
        expect(await refused(method, path)).toBe(401);
        const { status, headers } = await api(method, path);
        expect([status, headers.get("allow")]).toEqual([405, "GET, POST"]);
      }
    },
  );

  test("is 401 for unknown procedures and for those that are open in REST", async () => {
    for (const path of [
      "nothing",
      "tasks.nothing",
      "documents.public?input={}",
      "tasks.list,nothing?batch=1&input={}",
      "",
    ]) {
      expect([path, await refused("GET", `/api/trpc/${path}`)]).toEqual([path, 401]);
      expect([path, await refused("POST", `/api/trpc/${path}`)]).toEqual([path, 401]);
    }
    const { body } = await server.anonymous("GET", "/api/trpc/documents.public?input={}");
    expect(body.error).toMatchObject({ data: { code: "UNAUTHORIZED", httpStatus: 401 } });
  });
});

test("the OpenAPI document declares what is optional", async () => {
  const { paths } = (await server.anonymous("GET", "/openapi.json")).body;
  const bodyOf = (path: string) => paths[path].post.requestBody;
  expect(bodyOf("/documents/{id}/versions/{versionId}/restore").required).toBe(false);
  expect(bodyOf("/documents/{id}/restore").required).toBe(false);
  expect(bodyOf("/tasks").required).toBe(true);
  expect(bodyOf("/memory/extract").required).toBe(true);
});

test("the OpenAPI document is served to anyone", async () => {
  const { status, body } = await server.anonymous("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body.openapi).toBe("3.1.0");
  expect(Object.keys(body.paths)).toContain("/tasks/{id}/restore");
});
