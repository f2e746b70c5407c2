import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startMailServer, type MailServer } from "@workspace/core/testing/mail-server";
import { startSignInProvider, type SignInProviderServer } from "@workspace/core/testing/sign-in-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, hrefsIn, multiget, propfind } from "./caldav-client.ts";
import { addPerson, CALLBACK, signIn, userOf, visit } from "./provider-visits.ts";
import { connectRealtime } from "./realtime-client.ts";
import { ADMIN, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const BASE = "/workspace";

let mail: MailServer;
let provider: SignInProviderServer;
let folder: string;
let server: TestServer;
let api: Request;
/** Requests without the base path, as of programs beside the server, or of a proxy that has removed it. */
let direct: Request;
let host: string;

beforeAll(async () => {
  mail = await startMailServer();
  provider = await startSignInProvider();
  folder = await mkdtemp(join(tmpdir(), "workspace-base-path-"));
  const vault = join(folder, "vault");
  await mkdir(vault);
  await writeFile(join(vault, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  await writeFile(join(vault, "shared.md"), "# Shared\n\n![dot](dot.png)\n\n```mermaid\ngraph TD; a-->b\n```\n");
  server = await startTestServer(
    { ...mail.env, ...provider.env, VAULT_PATH: vault, TRUST_PROXY: "on", SIGN_UP: "open" },
    BASE,
  );
  provider.redirectUrls.add(`${server.url}${CALLBACK}`);
  host = new URL(server.url).origin;
  direct = createRequest(host, {});
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await provider.close();
  await mail.close();
  await rm(folder, { recursive: true, force: true });
});

/** The paths at the host to which a page refers. */
const pathsIn = (html: string): string[] =>
  [...html.matchAll(/\b(?:src|href)="([^"#]*)[^"]*"/g)].map(([, url = ""]) => url).filter((url) => url !== "");

describe("below a base path", () => {
  test.each(["/", "/tasks", "/hooks/sessions/some-id"])("the page at %s finds its files", async (path) => {
    const page = await server.anonymous("GET", path, { headers: { Accept: "text/html" } });
    expect(page.status).toBe(200);
    const paths = pathsIn(page.body);
    expect(paths).toEqual(expect.arrayContaining([`${BASE}/manifest.webmanifest`, `${BASE}/first-paint.js`]));
    for (const file of paths) {
      expect(file).toMatch(/^\/workspace\//);
      expect([file, (await direct("GET", file)).status]).toEqual([file, 200]);
    }
    const tag = page.headers.get("etag") ?? "";
    expect((await server.anonymous("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(304);
    expect((await server.anonymous("GET", "/no/such/page", { headers: { Accept: "text/html" } })).body).toBe(page.body);
  });

  test("the path itself leads to its page, and no other path is taken for it", async () => {
    const { status, headers } = await direct("GET", `${BASE}?view=board`);
    expect([status, headers.get("location")]).toEqual([308, `${BASE}/?view=board`]);
    expect((await direct("GET", "/workspaces/api/health")).status).toBe(404);
    expect((await direct("GET", `${BASE}//example.com/`)).status).toBe(400);
    expect((await direct("GET", `${BASE}/../livez`)).status).toBe(200);
  });

  test("requests without it are served, too", async () => {
    for (const path of ["/livez", "/readyz", "/api/health"]) {
      expect((await direct("GET", path)).status).toBe(200);
      expect((await server.anonymous("GET", path)).status).toBe(200);
    }
  });

  test("cookies are for nothing else on the host", async () => {
    const body = { email: ADMIN.email, password: ADMIN.password };
    const { headers } = await server.anonymous("POST", "/api/auth/sign-in/email", { body });
    expect(headers.getSetCookie().map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])).toEqual([BASE]);
    const ended = await api("POST", "/api/auth/sign-out", { body: {} });
    expect(ended.headers.getSetCookie().every((cookie) => cookie.includes(`Path=${BASE};`))).toBe(true);
    api = await server.signIn();
  });

  test("WebSockets connect", async () => {
    const client = await connectRealtime(server.url);
    await client.waitFor(({ type }) => type === "connected");
    await client.close();
    await expect(connectRealtime(host, { path: "/workspaces/api/ws" })).rejects.toMatchObject({ status: 404 });
  });

  test("the documents for programs name it", async () => {
    const load = async (path: string) => (await server.anonymous("GET", path)).body;
    expect((await load("/openapi.v1.json")).servers).toEqual([{ url: `${BASE}/api/v1` }]);
    const openApi = await load("/openapi.json");
    expect([openApi.servers, openApi.paths["/livez"].get.servers]).toEqual([
      [{ url: `${BASE}/api` }],
      [{ url: `${BASE}/` }],
    ]);
    expect((await load("/asyncapi.json")).servers.workspace.pathname).toBe(BASE);
    const models = await load("/llms.txt");
    expect(models).toContain("](/workspace/docs)");
    expect(models.replaceAll(/\/workspace\/\S*/g, "")).not.toMatch(/[`(]\//);
    const page = await load("/docs");
    for (const path of pathsIn(page)) expect((await direct("GET", path)).status).toBe(200);
    expect(page).toContain("<code>/workspace/api/v1/tasks</code>");
  });

  test("the page of a shared document loads its images, its font and its diagrams", async () => {
    const { document } = (await api("POST", "/api/documents/by-path", { body: { path: "shared.md" } })).body.data;
    await api("PUT", `/api/documents/${document.id}/sharing`, { body: { shared: true } });
    const { body, headers } = await server.anonymous("GET", `/share/${document.id}`);
    const font = /url\("([^"]*)"\)/.exec(body)?.[1] ?? "";
    const paths = [...pathsIn(body), font].map((path) => path.replace(/#.*/, ""));
    expect(paths).toEqual([
      `${BASE}/favicon.svg`,
      `${BASE}/share/${document.id}/shown?path=dot.png`,
      `${BASE}/diagram`,
      `${BASE}/fonts/stix-two-math.woff2`,
    ]);
    for (const path of paths) expect([path, (await direct("GET", path)).status]).toEqual([path, 200]);
    const style = /<style>([^]*)<\/style>/.exec(body)?.[1] ?? "";
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(style))).toString("base64");
    expect(headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  });

  test("calendar programs are led to it, and read tasks by the paths that they are given", async () => {
    const discovery = await direct("GET", "/.well-known/caldav");
    expect([discovery.status, discovery.headers.get("location")]).toEqual([301, `${BASE}/caldav/`]);
    await api("POST", "/api/tasks", { body: { title: "Water the plants" } });
    const scopes = ["tasks:read", "tasks:write"];
    const { key } = (await api("POST", "/api/api-keys", { body: { name: "Phone", scopes } })).body.data;
    const dav = async (method: string, path: string, text: string, depth = "0"): Promise<string> => {
      const headers = { Authorization: basic(key), Depth: depth };
      return (await direct(method, path, { raw: { text, type: "application/xml" }, headers })).body;
    };
    const home = hrefsIn(await dav("PROPFIND", `${BASE}/caldav/`, propfind("d:current-user-principal")));
    expect(home).toEqual([`${BASE}/caldav/`, `${BASE}/caldav/principal/`]);
    const inList = await dav("PROPFIND", `${BASE}/caldav/tasks/no-project/`, propfind("d:getetag"), "1");
    const task = hrefsIn(inList).at(-1) ?? "";
    expect(task).toMatch(/^\/workspace\/caldav\/tasks\/no-project\/.+\.ics$/);
    for (const href of [task, `${host}${task}`]) {
      const found = await dav("REPORT", `${BASE}/caldav/tasks/no-project/`, multiget(href));
      expect(found).toContain("SUMMARY:Water the plants");
      expect(hrefsIn(found)).toEqual([href]);
    }
  });

  test("the official client of MCP finds where to ask for access, and works", async () => {
    const kept: { client?: any; tokens?: any; verifier?: string; authorizationUrl?: URL } = {};
    const redirectUrl = "http://localhost:3456/callback";
    const authProvider: OAuthClientProvider = {
      redirectUrl,
      clientMetadata: { client_name: "Test assistant", redirect_uris: [redirectUrl] },
      clientInformation: () => kept.client,
      saveClientInformation: (client) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      redirectToAuthorization: (url) => void (kept.authorizationUrl = url),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier ?? "",
    };
    const url = new URL(`${server.url}/mcp`);
    const refused = await fetch(url, { method: "POST" });
    expect(refused.headers.get("www-authenticate")).toContain(
      `resource_metadata="${host}/.well-known/oauth-protected-resource/workspace/mcp"`,
    );
    const about = await (await fetch(`${host}/.well-known/oauth-authorization-server/workspace`)).json();
    expect(about).toMatchObject({ issuer: server.url, token_endpoint: `${server.url}/oauth/token` });
    expect(await auth(authProvider, { serverUrl: url })).toBe("REDIRECT");
    const page = await fetch(kept.authorizationUrl ?? "", { redirect: "manual" });
    const decision = new URL(page.headers.get("location") ?? "");
    expect(decision.href).toMatch(`${server.url}/authorize?request=`);
    const request = decision.searchParams.get("request");
    const given = await api("POST", "/api/oauth/request", { body: { request, scopes: ["tasks:read"] } });
    const code = new URL(given.body.data.redirectUrl).searchParams.get("code") ?? "";
    expect(await auth(authProvider, { serverUrl: url, authorizationCode: code })).toBe("AUTHORIZED");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("tasks_list");
    await client.close();
  });

  test("a provider sends the browser back to it", async () => {
    const at = visit(server);
    const login = addPerson(provider, { name: "Grace" });
    expect(await signIn(at, login, { next: "/tasks?task=1" })).toBe(`${BASE}/tasks?task=1`);
    expect(await userOf(at)).toMatchObject({ name: "Grace" });
  });

  test("mails link to it, and the script for the command line works with it", async () => {
    await server.anonymous("POST", "/api/auth/request-password-reset", { body: { email: ADMIN.email } });
    await expect
      .poll(() => mail.received.at(-1)?.source, { timeout: 20_000 })
      .toContain(`${server.url}/reset-password#`);
    const { key } = (await api("POST", "/api/api-keys", { body: { name: "Script", scopes: ["tasks:read"] } })).body
      .data;
    const script = await server.anonymous("GET", "/api/v1/skill", { headers: { Authorization: `Bearer ${key}` } });
    expect(script.body).toContain(JSON.stringify(server.url));
  });
});
