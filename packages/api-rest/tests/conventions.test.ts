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

describe("addresses", () => {
  test("an unknown path is 404 in the error shape", async () => {
    expect(await api("GET", "/api/nothing")).toMatchObject({ status: 404, body: apiError(404, "Not Found") });
  });

  test("a known path with another method is 405 and says which it answers", async () => {
    const answer = await api("DELETE", "/api/tasks");
    expect(answer).toMatchObject({ status: 405, body: apiError(405, "Method Not Allowed") });
    expect(answer.headers.get("allow")).toBe("GET, POST, HEAD");
  });

  test("a literal path is never taken for an id", async () => {
    expect(await api("GET", "/api/tasks/tags")).toMatchObject({ status: 200, body: { data: [] } });
  });

  test("a path that is no valid encoding does no harm", async () => {
    expect((await api("GET", "/api/tasks/%zz")).status).toBe(404);
    expect((await api("GET", "/api/tasks/%00")).status).toBe(400);
  });

  test("HEAD answers like GET without a body", async () => {
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

  test("a body that is no object is 400", async () => {
    for (const text of ["[]", "1", '"text"', "null", "true"]) expect((await send(text)).status).toBe(400);
  });

  test("bytes that are not UTF-8 are 400", async () => {
    expect((await send(new Uint8Array([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).status).toBe(400);
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

  test("nesting beyond all reason is 400 and harmless", async () => {
    expect((await send("[".repeat(50_000))).status).toBe(400);
    expect((await send(`{"title":"a","x":${"[".repeat(40_000)}${"]".repeat(40_000)}}`)).status).toBe(400);
  });

  test("NUL and lone surrogates are 400, not stored as something else", async () => {
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

  test("an enum value outside the list is 400 and the message lists what is allowed", async () => {
    const { status, body } = await api("GET", "/api/tasks?status=todo&status=finished");
    expect(status).toBe(400);
    expect(body.message).toBe("status.1: expected one of todo, in_progress, done, blocked");
  });

  test("a parameter that may be given once is refused twice", async () => {
    expect((await api("GET", "/api/tasks?search=a&search=b")).status).toBe(400);
  });
});

describe("validation messages", () => {
  test("name the field and what is allowed", async () => {
    const { body } = await api("POST", "/api/tasks", { body: { title: "a", status: "finished" } });
    expect(body).toMatchObject({
      ...apiError(400, "Bad Request"),
      message: "status: expected one of todo, in_progress, done, blocked",
      issues: [{ path: "status", message: "expected one of todo, in_progress, done, blocked" }],
    });
  });

  test("say that a required field is missing", async () => {
    expect((await api("POST", "/api/tasks", { body: {} })).body.message).toBe("title: is required");
  });
});

test("the typed endpoint validates and answers the same", async () => {
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
  expect((await call("tasks.create", { title: "a\0b" })).status).toBe(400);
  expect((await server.anonymous("GET", "/api/trpc/tasks.list?input={}")).status).toBe(401);
  const missing = encodeURIComponent(JSON.stringify({ id: "00000000-0000-7000-8000-000000000000" }));
  expect((await api("GET", `/api/trpc/tasks.get?input=${missing}`)).status).toBe(404);
});

test("the OpenAPI document is served to anyone", async () => {
  const { status, body } = await server.anonymous("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body.openapi).toBe("3.1.0");
  expect(Object.keys(body.paths)).toContain("/tasks/{id}/restore");
});
