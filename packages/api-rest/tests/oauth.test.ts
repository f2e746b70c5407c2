import { createHash, randomBytes } from "node:crypto";
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const REDIRECT_URI = "http://localhost:3456/callback";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

/** What an assistant keeps, as the official client needs it. */
function createMemory() {
  const kept: { client?: any; tokens?: any; verifier?: string; authorizationUrl?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: "Test assistant", redirect_uris: [REDIRECT_URI] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.authorizationUrl = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    state: () => "state-of-the-client",
  };
  return { kept, provider };
}

const send = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, server.url), { redirect: "manual", ...init });
const postForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(path, { method: "POST", body: new URLSearchParams(fields), headers });
const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });

async function register(redirectUris: readonly string[] = [REDIRECT_URI], name = "Test assistant"): Promise<string> {
  const response = await postJson("/oauth/register", { client_name: name, redirect_uris: redirectUris });
  expect(response.status).toBe(201);
  const client: any = await response.json();
  expect(client).not.toHaveProperty("client_secret");
  return client.client_id;
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

const newVerifier = () => randomBytes(40).toString("base64url");

/** The sealed request with which the browser comes to the page on which the user decides. */
async function ask(clientId: string, parameters: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challengeOf("unused"),
    code_challenge_method: "S256",
    ...parameters,
  });
  const response = await send(`/oauth/authorize?${query.toString()}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "").searchParams.get("request") ?? "";
}

async function approve(request: string, scopes = ["tasks:read"], more: object = {}): Promise<URL> {
  const { status, body } = await api("POST", "/api/oauth/request", { body: { request, scopes, ...more } });
  expect(status).toBe(200);
  return new URL(body.data.redirectUrl);
}

/** A code, and what exchanges it. */
async function obtainCode(scopes?: string[]) {
  const clientId = await register();
  const verifier = newVerifier();
  const url = await approve(await ask(clientId, { code_challenge: challengeOf(verifier) }), scopes);
  const code = url.searchParams.get("code") ?? "";
  const fields = { grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier };
  return { clientId, fields: { ...fields, redirect_uri: REDIRECT_URI } };
}

const keyCount = async (): Promise<number> => (await api("GET", "/api/api-keys")).body.data.length;

test("the official client is given access by the user, works, and is stopped by revoking its key", async () => {
  const { kept, provider } = createMemory();
  const url = new URL("/mcp", server.url);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(UnauthorizedError);

  // The browser is sent to the page of the dashboard on which the user decides.
  const page = await send(kept.authorizationUrl?.href ?? "");
  const request = new URL(page.headers.get("location") ?? "").searchParams.get("request") ?? "";
  const asked = (await api("GET", `/api/oauth/request?${new URLSearchParams({ request }).toString()}`)).body.data;
  expect(asked).toMatchObject({ clientName: "Test assistant", redirectUri: REDIRECT_URI });
  expect(asked.scopes).toEqual(expect.arrayContaining(["tasks:read", "tasks:write", "knowledge:read"]));
  expect(asked.scopes).not.toContain("hooks");
  const issuer = new URLSearchParams({ iss: server.url }).toString();
  expect(asked.cancelUrl).toBe(`${REDIRECT_URI}?error=access_denied&state=state-of-the-client&${issuer}`);

  const back = await approve(request, ["tasks:read", "tasks:write"]);
  expect(back.searchParams.get("state")).toBe("state-of-the-client");
  expect(back.searchParams.get("iss")).toBe(server.url);
  await transport.finishAuth(back.searchParams.get("code") ?? "");
  expect(kept.tokens).toMatchObject({ token_type: "Bearer", scope: "tasks:read tasks:write" });

  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("tasks_create");
  expect(names).not.toContain("memory_search");

  const key = (await api("GET", "/api/api-keys")).body.data[0];
  expect(key).toMatchObject({
    name: "Test assistant",
    scopes: ["tasks:read", "tasks:write"],
    creator: { name: "Ada" },
  });
  await api("DELETE", `/api/api-keys/${key.id}`);
  expect(await auth(provider, { serverUrl: url, scope: "tasks:read" })).toBe("REDIRECT");
  await client.close();
});

describe("a program", () => {
  test("reads where to ask from the response that refuses it", async () => {
    const refused = await postJson("/mcp", {});
    expect(refused.status).toBe(401);
    const [, metadataUrl = ""] =
      /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
    const resource: any = await (await send(metadataUrl)).json();
    expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] });
    const about: any = await (await send("/.well-known/oauth-authorization-server")).json();
    expect(about).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    const expired = await postJson("/mcp", {}, { Authorization: `Bearer wsk_${"a".repeat(43)}` });
    expect(expired.headers.get("www-authenticate")).toMatch(/error="invalid_token"$/);
  });

  test("registers with addresses to which a browser can safely be sent, and no others", async () => {
    for (const uri of ["https://example.com/cb", "http://127.0.0.1/cb", "http://[::1]:1/cb", "cursor://callback/x"])
      await register([uri]);
    const refused = [
      "http://example.com/cb",
      "http://localhost.example.com/cb",
      "javascript:alert(1)",
      "JavaScript://%0aalert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "blob:https://example.com/x",
      "https://example.com/#x",
      "https://user:pass@example.com/",
      `${server.url}/share/page`,
      "https://example.com/\u0000",
      "/callback",
      "",
    ];
    for (const uri of refused) {
      const response = await postJson("/oauth/register", { redirect_uris: [uri] });
      expect([uri, response.status]).toEqual([uri, 400]);
      expect(((await response.json()) as any).error).toMatch(/^invalid_/);
    }
    for (const uris of [[], Array.from({ length: 11 }, () => REDIRECT_URI)])
      expect((await postJson("/oauth/register", { redirect_uris: uris })).status).toBe(400);
    expect(
      (await send("/oauth/register", { method: "POST", body: "{", headers: { "Content-Type": "application/json" } }))
        .status,
    ).toBe(400);
  });

  test("has a name without what is not seen", async () => {
    const clientId = await register([REDIRECT_URI], `\u202eedualC\u0000 Code ${"x".repeat(500)}`);
    const request = await ask(clientId);
    const { clientName } = (await api("GET", `/api/oauth/request?${new URLSearchParams({ request }).toString()}`)).body
      .data;
    expect(clientName).toMatch(/^edualC Code x+$/);
    expect(clientName).toHaveLength(200);
    for (const [name, shown] of [
      ["\u3164\u2800\u115f\ufe0f", "A program"],
      [`Cod${"e\u0301\u0302".repeat(2)}${"\u0303".repeat(50)}`, `Code\u0301\u0302e\u0301\u0302\u0303\u0303`],
    ] as const) {
      const sealed = new URLSearchParams({ request: await ask(await register([REDIRECT_URI], name)) }).toString();
      expect((await api("GET", `/api/oauth/request?${sealed}`)).body.data.clientName).toBe(shown);
    }
  });

  test("is refused by the page of another site", async () => {
    for (const path of ["/oauth/register", "/oauth/token", "/oauth/revoke"])
      expect((await postJson(path, { redirect_uris: [REDIRECT_URI] }, { Origin: "https://evil.example" })).status).toBe(
        403,
      );
  });

  test("is limited in how often it registers from one address", async () => {
    const behindProxy = await startTestServer({ TRUST_PROXY: "on" });
    try {
      const statuses: number[] = [];
      for (let index = 0; index < 22; index++) {
        const { status } = await behindProxy.anonymous("POST", "/oauth/register", {
          body: { redirect_uris: [REDIRECT_URI] },
          headers: { "X-Forwarded-For": "203.0.113.7" },
        });
        statuses.push(status);
      }
      expect(statuses.filter((status) => status === 201)).toHaveLength(20);
      expect(statuses.slice(20)).toEqual([429, 429]);
    } finally {
      await behindProxy.close();
    }
  });
});

describe("a request", () => {
  test("comes from the same program at another port of the same machine (RFC 8252)", async () => {
    expect(await ask(await register(), { redirect_uri: "http://localhost:9999/callback" })).toMatch(/^v1\./);
  });

  test.each([
    ["without PKCE", { code_challenge: "", code_challenge_method: "plain" }, "invalid_request"],
    ["for a token in the URL", { response_type: "token" }, "unsupported_response_type"],
    ["for nothing that is known", { scope: "admin hooks" }, "invalid_scope"],
    ["for another server", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["with a long state", { state: "s".repeat(2_001) }, "invalid_request"],
    ["with a state longer than headers may be", { state: "s".repeat(60_000) }, "invalid_request"],
  ])(
    "%s is refused: a program on this machine learns why, any other address is not opened",
    async (_, fields, error) => {
      const refuse = async (redirectUri: string) => {
        const parameters = {
          response_type: "code",
          client_id: await register([redirectUri]),
          redirect_uri: redirectUri,
          code_challenge: "x",
          code_challenge_method: "S256",
          state: "s",
          ...fields,
        };
        const { status, headers } = await postForm("/oauth/authorize", parameters);
        expect(status).toBe(302);
        return headers.get("location") ?? "";
      };
      const page = `${server.url}/authorize?problem=${error}`;
      const isTooLong = "state" in fields && fields.state.length > 8_000;
      expect((await refuse(REDIRECT_URI)).startsWith(isTooLong ? page : `${REDIRECT_URI}?error=${error}&`)).toBe(true);
      for (const uri of ["https://evil.example/cb", "cursor://callback", "https://localhost.evil.example/"])
        expect(await refuse(uri)).toBe(page);
    },
  );

  test("is decided by users who have signed in, and by no key", async () => {
    const request = await ask(await register());
    const { key } = (await api("POST", "/api/api-keys", { body: { name: "k", scopes: ["tasks:write"] } })).body.data;
    const path = `/api/oauth/request?${new URLSearchParams({ request }).toString()}`;
    for (const headers of [{}, { Authorization: `Bearer ${key}` }]) {
      expect((await send(path, { headers })).status).toBe(401);
      expect((await postJson("/api/oauth/request", { request, scopes: ["tasks:read"] }, headers)).status).toBe(401);
    }
  });

  test("that was changed, or is not from here, is refused", async () => {
    const request = await ask(await register());
    const changed = `${request.slice(0, -2)}${request.endsWith("AA") ? "BB" : "AA"}`;
    for (const sealed of [changed, "x", `${request}x`]) {
      const { status } = await api("POST", "/api/oauth/request", { body: { request: sealed, scopes: ["tasks:read"] } });
      expect(status).toBe(400);
    }
    expect((await api("POST", "/api/oauth/request", { body: { request, scopes: [] } })).status).toBe(400);
    const narrow = await ask(await register(), { scope: "tasks:read" });
    const more = await api("POST", "/api/oauth/request", { body: { request: narrow, scopes: ["tasks:write"] } });
    expect(more.status).toBe(400);
    expect(
      (await api("POST", "/api/oauth/request", { body: { request, scopes: ["tasks:read"], folder: "x" } })).status,
    ).toBe(400);
  });
});

describe("a code", () => {
  test("is exchanged once; a second time revokes the key of the first", async () => {
    const { fields } = await obtainCode();
    const first: any = await (await postForm("/oauth/token", fields)).json();
    const me = () => send("/api/v1/tasks", { headers: { Authorization: `Bearer ${first.access_token}` } });
    expect((await me()).status).toBe(200);
    const second = await postForm("/oauth/token", fields);
    expect([second.status, ((await second.json()) as any).error]).toEqual([400, "invalid_grant"]);
    expect((await me()).status).toBe(401);
  });

  test("is exchanged once by ten at the same time", async () => {
    const before = await keyCount();
    const { fields } = await obtainCode();
    const responses = await Promise.all(Array.from({ length: 10 }, () => postForm("/oauth/token", fields)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await keyCount()).toBe(before);
  });

  test("is worth nothing to another program, at another address, or without the verifier", async () => {
    const before = await keyCount();
    const { fields } = await obtainCode();
    const other = await register();
    for (const wrong of [
      { client_id: other },
      { code_verifier: newVerifier() },
      { redirect_uri: "http://localhost:3456/other" },
      { code: fields.code.slice(1) },
      { grant_type: "refresh_token", refresh_token: fields.code },
      { grant_type: "password" },
      { resource: "https://other.example/mcp" },
    ]) {
      const response = await postForm("/oauth/token", { ...fields, ...wrong });
      expect([wrong, response.status]).toEqual([wrong, 400]);
    }
    expect(await keyCount()).toBe(before);
    expect((await postForm("/oauth/token", fields)).status).toBe(200);
  });

  test("gives what the user chose: scopes, a folder and an end", async () => {
    const clientId = await register();
    const verifier = newVerifier();
    const request = await ask(clientId, {
      code_challenge: challengeOf(verifier),
      scope: "knowledge:read unknown:scope",
    });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const url = await approve(request, ["knowledge:read"], { folder: "garden", expiresAt });
    const fields = {
      grant_type: "authorization_code",
      client_id: clientId,
      code: url.searchParams.get("code") ?? "",
      code_verifier: verifier,
    };
    const token: any = await (await postForm("/oauth/token", fields)).json();
    expect(token).toMatchObject({ token_type: "Bearer", scope: "knowledge:read" });
    expect(token.expires_in).toBeGreaterThan(3_500);
    expect(token.expires_in).toBeLessThanOrEqual(3_600);
    expect((await api("GET", "/api/api-keys")).body.data[0]).toMatchObject({ folder: "garden", expiresAt });
  });
});

test("a program revokes its own key, and no other", async () => {
  const { fields, clientId } = await obtainCode();
  const { access_token: token }: any = await (await postForm("/oauth/token", fields)).json();
  const status = async () => (await send("/api/v1/tasks", { headers: { Authorization: `Bearer ${token}` } })).status;
  expect((await postForm("/oauth/revoke", { client_id: await register(), token })).status).toBe(200);
  expect(await status()).toBe(200);
  expect((await postForm("/oauth/revoke", { client_id: clientId, token })).status).toBe(200);
  expect(await status()).toBe(401);
});
