import { execFile } from "node:child_process";
import { join } from "node:path";
import { codeOf, nextCodeOf } from "@workspace/core/testing";
import {
  createCookieJar,
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
  enterPassword,
  expectRefusal,
  follow,
  get,
  json,
  outcomesOf,
  PASSWORD,
  post,
  signIn,
  signUp,
  userOf,
  visit,
} from "./provider-visits.ts";
import { ADMIN, startTestServer, type TestServer } from "./test-server.ts";

const WORKSPACE = join(import.meta.dirname, "../dist/workspace.js");

let provider: SignInProviderServer;
/** One at which anyone may sign up, one at which nobody may, and one at which only a domain may. */
let open: TestServer;
let closed: TestServer;
let ofDomain: TestServer;

beforeAll(async () => {
  provider = await startSignInProvider();
  const env = { ...provider.env, OIDC_NAME: "Acme", TRUST_PROXY: "on" };
  [open, closed, ofDomain] = await Promise.all([
    startTestServer(env),
    startTestServer({ ...env, SIGN_UP: "closed" }),
    startTestServer({ ...env, SIGN_UP: "closed", OIDC_DOMAINS: "Example.org, example.net" }),
  ]);
  for (const { url } of [open, closed, ofDomain]) provider.redirectUrls.add(`${url}${CALLBACK}`);
});
afterEach(() => {
  provider.alterTokens(undefined);
  provider.setBroken(false);
});
afterAll(async () => {
  await Promise.all([open, closed, ofDomain].map((server) => server.close()));
  await provider.close();
});

const newPerson = (claims: object = {}): string => addPerson(provider, claims);

describe("whoever has no account", () => {
  test("continues at the page on which a program asks for access, in each of several windows", async () => {
    const at = visit(open);
    const login = newPerson();
    const pages = Array.from({ length: 3 }, (_, index) => `/authorize?request=v1.${index}${"~x".repeat(350)}`);
    const begun: string[] = [];
    for (const next of pages) begun.push(await begin(at, { next }));
    for (const [index, url] of begun.entries())
      expect(await follow(at, await signInAtProvider(at.jar, url, login))).toBe(pages[index]);
  });

  test("continues at a page with as long an address as that of such a page may be", async () => {
    const next = `/authorize?request=v1.${"x".repeat(3_570)}`;
    expect(await signIn(visit(open), newPerson(), { next })).toBe(next);
  });

  test("gets one where sign-up is open, without a password, and signs in with it from then on", async () => {
    const at = visit(open);
    const login = newPerson({ email: "Grace@Example.com", name: "Grace" });
    expect(await signIn(at, login, { next: "/tasks?task=1#top" })).toBe("/tasks?task=1#top");
    const user = await userOf(at);
    expect(user).toMatchObject({ name: "Grace", email: "grace@example.com" });
    expect(await get(at, "/api/account/sign-in-methods")).toEqual({
      hasPassword: false,
      needsCode: false,
      passkeys: [],
      provider: { name: "Acme", isLinked: true },
    });
    // By another address, as the provider says that it is the same person.
    provider.people.set(login, { email: "other@example.com", email_verified: false, name: "Other" });
    const again = visit(open);
    expect([await signIn(again, login), await userOf(again)]).toEqual(["/", user]);
    await expect.poll(() => outcomesOf(at)).toEqual(["signed_in_with_provider", "signed_up_with_provider"]);
  });

  test("leaves no token of the provider in the database", async () => {
    await signIn(visit(open), newPerson());
    const { rows } = await open.db.pool.query(
      `SELECT DISTINCT access_token, refresh_token, id_token FROM accounts WHERE provider_id <> 'credential'`,
    );
    expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }]);
  });

  test("is refused where sign-up is closed", async () => {
    const at = visit(closed);
    await expectRefusal(at, await beginAs(at, newPerson()), "sign_up_closed");
  });

  test.each([
    ["an address of the domain", "eve@example.org", true, null],
    ["one of another that is allowed, in capitals", "EVE@EXAMPLE.NET", true, null],
    ["one that ends alike", "eve@evil-example.org", true, "sign_up_closed"],
    ["one of a domain below it", "eve@mail.example.org", true, "sign_up_closed"],
    ["one in whose name the domain is", '"eve@example.org"@evil.com', true, "unverified_email"],
    ["one that is not verified", "mallory@example.org", false, "unverified_email"],
  ])("where a domain is allowed, and they have %s", async (_what, email, email_verified, refusal) => {
    const at = visit(ofDomain);
    const url = await beginAs(at, newPerson({ email, email_verified }));
    if (refusal !== null) return expectRefusal(at, url, refusal);
    expect([await follow(at, url), (await userOf(at)).email]).toEqual(["/", email.toLowerCase()]);
  });

  test.each([
    ["unverified", { email_verified: false }],
    ["of which nothing is said", { email_verified: undefined }],
    ["that is none", { email: "nobody" }],
    ["that is missing", { email: undefined }],
  ])("is refused with an address %s", async (_what, claims) => {
    const at = visit(open);
    await expectRefusal(at, await beginAs(at, newPerson(claims)), "unverified_email");
  });

  test("gets a name that can be stored", async () => {
    const at = visit(open);
    await signIn(at, newPerson({ name: `  ${"n".repeat(199)}\u{1f600} and more\0` }));
    expect((await userOf(at)).name).toBe(`${"n".repeat(199)}\ufffd`);
  });
});

describe("whoever has an account", () => {
  test("signs in by a verified address if whoever runs the workspace has given them the account", async () => {
    const at = visit(closed);
    const login = newPerson({ email: ADMIN.email.toUpperCase() });
    expect([await signIn(at, login), (await userOf(at)).email]).toEqual(["/", ADMIN.email]);
    // Somebody else there has the same address by now.
    const other = visit(closed);
    await expectRefusal(other, await beginAs(other, newPerson({ email: ADMIN.email })), "linked_elsewhere");
  });

  test("does not by an unverified one", async () => {
    const at = visit(open);
    await expectRefusal(
      at,
      await beginAs(at, newPerson({ email: ADMIN.email, email_verified: false })),
      "unverified_email",
    );
  });

  test("has to link it themselves if they have signed up, since anyone can sign up with an address", async () => {
    const login = newPerson();
    const email = `${login}@example.com`;
    await signUp(open, email);
    const stranger = visit(open);
    await expectRefusal(stranger, await beginAs(stranger, login), "not_linked");

    const at = visit(open);
    await enterPassword(at, email);
    const { url } = await json(await post(at, "oidc/link", { password: PASSWORD }));
    // Not whoever happens to be signed in there.
    expect(url).toMatch(/[?&](prompt=login|max_age=0)(&|$)/);
    expect(await follow(at, await signInAtProvider(at.jar, url, login))).toBe("/settings?view=account");
    expect((await get(at, "/api/account/sign-in-methods")).provider).toEqual({ name: "Acme", isLinked: true });
    const back = visit(open);
    expect([await signIn(back, login), (await userOf(back)).email]).toEqual(["/", email]);
    await expect
      .poll(() => outcomesOf(at))
      .toEqual(["signed_in_with_provider", "provider_linked", "signed_in", "signed_up"]);

    expect((await post(at, "oidc/unlink", {})).status).toBe(200);
    expect((await post(at, "oidc/unlink", {})).status).toBe(404);
    const late = visit(open);
    await expectRefusal(late, await beginAs(late, login), "not_linked");
    await expect.poll(() => outcomesOf(at)).toContain("provider_unlinked");
  });

  test("enters a code after it, if they do after a password", async () => {
    const login = newPerson();
    const email = `${login}@example.com`;
    const { request } = await signUp(open, email);
    const { body } = await request("POST", "/api/auth/two-factor/enable", { body: { password: PASSWORD } });
    const confirmed = await request("POST", "/api/auth/two-factor/confirm", { body: { code: codeOf(body.totpURI) } });
    expect(confirmed.status).toBe(200);
    await open.db.pool.query("UPDATE users SET email_verified = true WHERE email = $1", [email]);

    const at = visit(open);
    expect(await signIn(at, login, { next: "/chat" })).toBe("/sign-in?step=code&next=%2Fchat");
    expect(await userOf(at)).toBeNull();
    expect((await at.jar.send(`${open.url}/api/tasks`)).status).toBe(401);
    expect((await post(at, "two-factor/verify-totp", { code: "000000" })).status).toBe(401);
    const done = await post(at, "two-factor/verify-totp", { code: nextCodeOf(body.totpURI) });
    expect([done.status, (await userOf(at)).email]).toEqual([200, email]);
    await expect.poll(() => outcomesOf(at)).toContain("signed_in_with_code");
    expect(await outcomesOf(at)).not.toContain("signed_in_with_provider");
  });
});

describe("linking", () => {
  test("needs a session and the password", async () => {
    const { request } = await signUp(open, `${newPerson()}@example.com`);
    for (const caller of [open.anonymous, open.withToken]) {
      expect((await caller("POST", "/api/auth/oidc/link", { body: { password: ADMIN.password } })).status).toBe(401);
      expect((await caller("POST", "/api/auth/oidc/unlink", { body: {} })).status).toBe(401);
    }
    const wrong = await request("POST", "/api/auth/oidc/link", { body: { password: "not the password" } });
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, "password"]);
  });

  test("is not possible to two accounts, nor with two of the provider", async () => {
    const [taken, login] = [newPerson(), newPerson()];
    await signIn(visit(open), taken);
    await signUp(open, "two-links@example.com");
    const at = visit(open);
    await enterPassword(at, "two-links@example.com");
    const link = async (as: string) => {
      const { url } = await json(await post(at, "oidc/link", { password: PASSWORD }));
      // The provider would otherwise remember who has signed in there.
      const back = await signInAtProvider(createCookieJar(), url, as);
      return follow(at, back);
    };
    expect(await link(taken)).toBe("/settings?view=account&problem=linked_elsewhere");
    expect([await link(login), await link(login)]).toEqual(["/settings?view=account", "/settings?view=account"]);
    expect(await link(newPerson())).toBe("/settings?view=account&problem=linked_elsewhere");
  });

  test("fails if somebody else has signed in meanwhile, or nobody is", async () => {
    await signUp(open, "linking@example.com");
    for (const meanwhile of ["sign-in", "sign-out"]) {
      const at = visit(open);
      await enterPassword(at, "linking@example.com");
      const { url } = await json(await post(at, "oidc/link", { password: PASSWORD }));
      const back = await signInAtProvider(at.jar, url, newPerson());
      if (meanwhile === "sign-in") await enterPassword(at, ADMIN.email, ADMIN.password);
      else await post(at, "sign-out", {});
      const before = await countRows(open);
      expect(await follow(at, back)).toBe("/settings?view=account&problem=expired");
      expect(await countRows(open)).toEqual(before);
    }
  });

  test("cannot be undone by whoever has nothing else to sign in with", async () => {
    const at = visit(open);
    await signIn(at, newPerson());
    const refused = await post(at, "oidc/unlink", {});
    expect([refused.status, (await json(refused)).message]).toEqual([
      409,
      "You have nothing but Acme to sign in with. Set a password first.",
    ]);
    expect((await get(at, "/api/account/sign-in-methods")).provider.isLinked).toBe(true);
  });
});

describe("the provider", () => {
  test("is sent exactly one address, below the public URL", async () => {
    const server = await startTestServer({ ...provider.env, SERVICE_AUTH_URL: "https://workspace.example.com/" });
    try {
      const { body, headers } = await server.anonymous("POST", "/api/auth/oidc/begin", { body: {} });
      const sent = new URL(body.url).searchParams;
      expect(sent.get("redirect_uri")).toBe(`https://workspace.example.com${CALLBACK}`);
      expect([sent.get("code_challenge_method"), sent.get("response_type")]).toEqual(["S256", "code"]);
      expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^__Secure-.*; HttpOnly; Secure; SameSite=Lax$/)]);
      const elsewhere = await server.anonymous("POST", "/api/auth/oidc/begin", {
        body: {},
        headers: { origin: server.url },
      });
      expect([elsewhere.status, elsewhere.body.message]).toEqual([
        409,
        "Signing in with localhost works at https://workspace.example.com only. Open Workspace there.",
      ]);
    } finally {
      await server.close();
    }
  });

  test("may be away, which is said, and be back", async () => {
    provider.setBroken(true);
    const server = await startTestServer({ ...provider.env, OIDC_NAME: "Acme" });
    provider.redirectUrls.add(`${server.url}${CALLBACK}`);
    try {
      const refused = await server.anonymous("POST", "/api/auth/oidc/begin", { body: {} });
      expect([refused.status, refused.body.message]).toEqual([
        503,
        "Acme does not respond, or not as expected. Try again in a moment.",
      ]);
      expect((await server.signIn()).length).toBeGreaterThan(0);
      provider.setBroken(false);
      const at = visit(server);
      const back = await beginAs(at, newPerson());
      provider.setBroken(true);
      await expectRefusal(at, back, "unreachable");
      provider.setBroken(false);
      expect(await follow(at, back)).toBe("/");
    } finally {
      await server.close();
    }
  });

  test("is asked for its configuration by the doctor", async () => {
    const findProvider = () =>
      new Promise<object>((resolve) => {
        const env = { PATH: process.env["PATH"], DATABASE_URL: open.databaseUrl, ...provider.env, OIDC_NAME: "Acme" };
        const child = execFile(process.execPath, [WORKSPACE, "doctor", "--json"], { env }, (_error, stdout) =>
          resolve(JSON.parse(stdout).findings.find(({ subject }: { subject: string }) => subject.includes("Acme"))),
        );
        child.stdin?.end();
      });
    expect(await findProvider()).toMatchObject({ subject: "sign-in with Acme", state: "good" });
    provider.setBroken(true);
    expect(await findProvider()).toMatchObject({
      state: "bad",
      message: expect.stringContaining("responded with 503"),
    });
  });

  test("is named to whoever signs in, and nothing else of it", async () => {
    const { body } = await closed.anonymous("GET", "/api/auth/methods");
    expect(body).toEqual({ provider: { name: "Acme" }, isSignUpOpen: false, canResetPassword: false });
  });

  test("of another issuer has links of its own", async () => {
    const login = newPerson({ email: "issuer@example.com" });
    await signIn(visit(open), login);
    const other = await startSignInProvider();
    const server = await startTestServer({ ...other.env, DATABASE_URL: open.databaseUrl });
    other.redirectUrls.add(`${server.url}${CALLBACK}`);
    try {
      // The same subject, but another person.
      other.people.set(login, { email: "impostor@example.com", email_verified: true });
      const at = visit(server);
      expect([await signIn(at, login), (await userOf(at)).email]).toEqual(["/", "impostor@example.com"]);
    } finally {
      await server.close();
      await other.close();
    }
  });

  test("need not be there", async () => {
    const server = await startTestServer();
    try {
      expect((await server.anonymous("GET", "/api/auth/methods")).body.provider).toBeNull();
      const member = await server.signIn();
      for (const path of ["begin", "link", "unlink"]) {
        expect((await member("POST", `/api/auth/oidc/${path}`, { body: {} })).status).toBe(404);
      }
      expect((await member("GET", CALLBACK)).status).toBe(404);
      expect((await member("GET", "/api/account/sign-in-methods")).body.data.provider).toBeNull();
    } finally {
      await server.close();
    }
  });
});
