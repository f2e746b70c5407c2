import {
  createCookieJar,
  OTHER_CLIENT,
  signInAtProvider,
  startSignInProvider,
  type SignInProviderServer,
} from "@workspace/core/testing/sign-in-provider";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  addPerson,
  begin,
  beginAs,
  CALLBACK,
  countRows,
  expectRefusal,
  follow,
  json,
  post,
  problem,
  signIn,
  signUp,
  visit,
} from "./provider-visits.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let provider: SignInProviderServer;
let open: TestServer;
beforeAll(async () => {
  provider = await startSignInProvider();
  open = await startTestServer({ ...provider.env, OIDC_NAME: "Acme", TRUST_PROXY: "on" });
  provider.redirectUrls.add(`${open.url}${CALLBACK}`);
});
afterEach(() => {
  provider.alterTokens(undefined);
  provider.alterUserInfo(undefined);
});
afterAll(async () => {
  await open.close();
  await provider.close();
});

const newPerson = (claims: object = {}): string => addPerson(provider, claims);

describe("attacks", () => {
  /** An address to which the provider has sent a browser back, with one of its parameters changed. */
  const altered = (url: string, name: string, value: string | null): string => {
    const parsed = new URL(url);
    if (value === null) parsed.searchParams.delete(name);
    else parsed.searchParams.set(name, value);
    return parsed.href;
  };

  test.each([
    ["with the state of nobody", "state", "another", "expired"],
    ["without a state", "state", null, "expired"],
    ["with another issuer", "iss", "https://evil.example.com", "failed"],
    ["without the issuer", "iss", null, "failed"],
    ["with another code", "code", "another", "failed"],
    ["without a code", "code", null, "failed"],
    ["with an error in the place of the code", "error", "access_denied", "refused"],
  ])("a response %s", async (_what, name, value, refusal) => {
    const at = visit(open);
    await expectRefusal(at, altered(await beginAs(at, newPerson()), name, value), refusal);
  });

  test("a response that was sent to another browser", async () => {
    const url = await beginAs(visit(open), newPerson());
    await expectRefusal(visit(open), url, "expired");
    // Not even in one that is signing in itself.
    const victim = visit(open);
    await begin(victim);
    await expectRefusal(victim, url, "expired");
  });

  test("a code that was used, with everything that belonged to it", async () => {
    const at = visit(open);
    const started = await post(at, "oidc/begin", {});
    const [cookie = ""] = started.headers.getSetCookie();
    const url = await signInAtProvider(at.jar, (await json(started)).url, newPerson());
    expect(await follow(at, url)).toBe("/");
    await expectRefusal(visit(open), url, "expired");
    const before = await countRows(open);
    const replayed = await fetch(url, { redirect: "manual", headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect([replayed.headers.get("location"), replayed.headers.getSetCookie()]).toEqual([problem("failed"), []]);
    expect(await countRows(open)).toEqual(before);
  });

  test("another signed cookie in the place of the one with which the sign-in was begun", async () => {
    const at = visit(open);
    const url = await beginAs(at, newPerson());
    const { cookie } = await signUp(open, `${newPerson()}@example.com`);
    const [, value = ""] = cookie.split("session_token=");
    const response = await fetch(url, { redirect: "manual", headers: { cookie: `better-auth.provider=${value}` } });
    expect([response.headers.get("location"), response.headers.getSetCookie()]).toEqual([problem("expired"), []]);
  });

  /** A token that the provider has signed for another client, in a sign-in with the same nonce. */
  async function tokenForAnotherClient(login: string, nonce: string): Promise<unknown> {
    const redirectUrl = "http://localhost/another";
    provider.redirectUrls.add(redirectUrl);
    const verifier = "v".repeat(43);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const query = new URLSearchParams({
      client_id: OTHER_CLIENT.id,
      response_type: "code",
      scope: "openid email",
      redirect_uri: redirectUrl,
      nonce,
      code_challenge: Buffer.from(digest).toString("base64url"),
      code_challenge_method: "S256",
    });
    const back = await signInAtProvider(createCookieJar(), `${provider.issuer}/auth?${query.toString()}`, login);
    const response = await fetch(`${provider.issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${OTHER_CLIENT.id}:${encodeURIComponent(OTHER_CLIENT.secret)}`)}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: new URL(back).searchParams.get("code") ?? "",
        redirect_uri: redirectUrl,
        code_verifier: verifier,
      }),
    });
    expect(response.status).toBe(200);
    return (await json(response)).id_token;
  }

  test("a token that was issued for another client", async () => {
    const [at, login] = [visit(open), newPerson()];
    const url = await begin(at);
    const token = await tokenForAnotherClient(login, new URL(url).searchParams.get("nonce") ?? "");
    const back = await signInAtProvider(at.jar, url, login);
    provider.alterTokens((tokens) => (tokens["id_token"] = token));
    await expectRefusal(at, back, "failed");
  });

  test("a token of another sign-in", async () => {
    const login = newPerson();
    let earlier: unknown;
    provider.alterTokens((tokens) => (earlier = tokens["id_token"]));
    await signIn(visit(open), login);
    expect(earlier).toBeTypeOf("string");
    const at = visit(open);
    const back = await beginAs(at, login);
    provider.alterTokens((tokens) => (tokens["id_token"] = earlier));
    await expectRefusal(at, back, "failed");
  });

  test.each([
    ["with another subject", (claims: object) => ({ ...claims, sub: "somebody-else" }), undefined],
    ["with a later end", (claims: object) => ({ ...claims, exp: 9_999_999_999 }), undefined],
    ["without a signature", (claims: object) => claims, { alg: "none" }],
    ["signed with the client's secret", (claims: object) => claims, { alg: "HS256" }],
  ])("a token %s", async (_what, change, header) => {
    const at = visit(open);
    const back = await beginAs(at, newPerson());
    provider.alterTokens((tokens) => {
      const [head = "", claims = "", signature = ""] = String(tokens["id_token"]).split(".");
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const changed = encode(change(JSON.parse(Buffer.from(claims, "base64url").toString())));
      tokens["id_token"] =
        `${header === undefined ? head : encode(header)}.${changed}.${header === undefined ? signature : ""}`;
    });
    await expectRefusal(at, back, "failed");
  });

  test("the address of somebody else", async () => {
    const at = visit(open);
    const back = await beginAs(at, newPerson());
    provider.alterUserInfo((claims) => (claims["sub"] = "somebody-else"));
    await expectRefusal(at, back, "failed");
  });

  test("no token at all", async () => {
    const at = visit(open);
    const back = await beginAs(at, newPerson());
    provider.alterTokens((tokens) => delete tokens["id_token"]);
    await expectRefusal(at, back, "failed");
  });

  test.each([
    "https://evil.example.com",
    "//evil.example.com",
    "/\\evil.example.com",
    "/\t/evil.example.com",
    "/\n/evil.example.com",
    "\\\\evil.example.com",
    "javascript:alert(1)",
    "tasks",
    "",
    `/${"x".repeat(3600)}`,
  ])("%j as the page to continue at", async (next) => {
    const { status, body } = await open.anonymous("POST", "/api/auth/oidc/begin", { body: { next } });
    expect([status, body.issues[0].path]).toEqual([400, "next"]);
  });

  test("a request of another site's page, or with parameters that the provider does not send", async () => {
    const foreign = await post(visit(open), "oidc/begin", {}, { origin: "https://evil.example.com" });
    expect(foreign.status).toBe(403);
    const at = visit(open);
    const url = await beginAs(at, newPerson());
    expect(await follow(at, `${url}&next=https://evil.example.com&callbackURL=//evil.example.com`)).toBe("/");
  });

  test("more sign-ins than a person begins", async () => {
    const server = await startTestServer(provider.env);
    try {
      const statuses = new Set<number>();
      for (let count = 0; count < 31; count += 1) {
        statuses.add((await server.anonymous("POST", "/api/auth/oidc/begin", { body: {} })).status);
      }
      expect([...statuses]).toEqual([200, 429]);
      const { headers } = await fetch(`${server.url}${CALLBACK}?code=x&state=y`, { redirect: "manual" });
      expect(headers.get("location")).toBe(problem("too_many"));
    } finally {
      await server.close();
    }
  });
});
