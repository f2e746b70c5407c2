import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

/** What is said to programs, and to people, of requests for access that are refused. */

const REDIRECT_URI = "http://localhost:3456/callback";

let server: TestServer;
let clientId: string;

beforeAll(async () => {
  server = await startTestServer();
  const { body } = await server.anonymous("POST", "/oauth/register", { body: { redirect_uris: [REDIRECT_URI] } });
  clientId = body.client_id;
});
afterAll(() => server.close());

async function refuse(parameters: Record<string, string>): Promise<string> {
  const url = `${server.url}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
  const response = await fetch(url, { redirect: "manual" });
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

test("a registration, a code and a key are refused in a sentence", async () => {
  const describe = async (path: string, fields: object) =>
    (await server.anonymous("POST", path, { body: fields })).body.error_description;
  expect(await describe("/oauth/register", { client_name: 5 })).toBe(
    "redirect_uris: is required; client_name: expected a string",
  );
  const postForm = async (path: string) => {
    const body = new URLSearchParams({ client_id: clientId });
    return ((await (await fetch(new URL(path, server.url), { method: "POST", body })).json()) as any).error_description;
  };
  expect(await postForm("/oauth/token")).toBe("grant_type: is required");
  expect(await postForm("/oauth/revoke")).toBe("token: is required");
});

test("metadata that is not used is ignored in a registration", async () => {
  const nothing = { client_uri: "", logo_uri: null, tos_uri: "none", contacts: "none", jwks_uri: 5, grant_types: null };
  const metadata = { client_name: null, redirect_uris: [REDIRECT_URI], ...nothing };
  const { status, body } = await server.anonymous("POST", "/oauth/register", { body: metadata });
  expect([status, body]).toEqual([201, { ...body, client_name: "A program", redirect_uris: [REDIRECT_URI] }]);
  for (const other of [[], "text", null])
    expect((await server.anonymous("POST", "/oauth/register", { body: other as any })).status).toBe(400);
});

test("a program on this machine learns in a sentence what is wrong, with its state, and from whom", async () => {
  const asked = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: "code", state: "its state" };
  const told = async (parameters: object) =>
    Object.fromEntries(new URL(await refuse({ ...asked, ...parameters })).searchParams);
  const answer = { state: "its state", iss: server.url };
  expect(await told({ code_challenge_method: "S256" })).toEqual({
    ...answer,
    error: "invalid_request",
    error_description: "code_challenge: is required",
  });
  const challenge = { code_challenge: "x", code_challenge_method: "S256" };
  expect(await told({ ...challenge, scope: "nothing" })).toEqual({
    ...answer,
    error: "invalid_scope",
    error_description: "None of these scopes is known here.",
  });
  expect(await told({ ...challenge, response_type: "token" })).toMatchObject({
    ...answer,
    error: "unsupported_response_type",
    error_description: expect.stringMatching(/^response_type: [^"\\\n]+$/),
  });
});

test("a person is shown a page if the program, or where it wants the answer, is unknown", async () => {
  const page = `${server.url}/authorize?problem=`;
  expect(await refuse({ client_id: crypto.randomUUID(), redirect_uri: REDIRECT_URI })).toBe(`${page}client`);
  expect(await refuse({ client_id: "https://program.example/about.json" })).toBe(`${page}client_document`);
  expect(await refuse({ redirect_uri: REDIRECT_URI })).toBe(`${page}invalid_request`);
  for (const uri of ["https://evil.example/", "http://localhost:3456/other", "http://127.0.0.1:3456/callback"])
    expect(await refuse({ client_id: clientId, redirect_uri: uri, response_type: "code" })).toBe(`${page}redirect_uri`);
});
