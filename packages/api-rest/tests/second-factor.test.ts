import { codeOf, nextCodeOf } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPasskeyDevice, type Ceremony } from "./passkey-device.ts";
import { ADMIN, cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const PASSWORD = "correct horse battery";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Person {
  readonly email: string;
  readonly cookie: string;
  readonly request: Request;
}

let people = 0;
async function signUp(): Promise<Person> {
  people += 1;
  const email = `person-${people}@example.com`;
  const body = { name: "Person", email, password: PASSWORD };
  const { status, headers } = await server.anonymous("POST", "/api/auth/sign-up/email", { body });
  expect(status).toBe(200);
  const cookie = cookieOf(headers);
  return { email, cookie, request: createRequest(server.url, { Cookie: cookie }) };
}

const auth = (request: Request, path: string, body: object) => request("POST", `/api/auth/${path}`, { body });
const signIn = (email: string, password = PASSWORD) => auth(server.anonymous, "sign-in/email", { email, password });

/** Turns codes on; returns what the app has scanned, the recovery codes, and requests of the session that continues. */
async function turnOn({ request }: Person) {
  const { status, body } = await auth(request, "two-factor/enable", { password: PASSWORD });
  expect(status).toBe(200);
  const confirmed = await auth(request, "two-factor/confirm", { code: codeOf(body.totpURI) });
  expect(confirmed).toMatchObject({ status: 200, body: { enabled: true } });
  const session = createRequest(server.url, { Cookie: cookieOf(confirmed.headers) });
  return { uri: String(body.totpURI), recoveryCodes: body.backupCodes as string[], session };
}

/** Signs in up to the code. */
async function challenge(email: string): Promise<Request> {
  const { status, body, headers } = await signIn(email);
  expect([status, body]).toEqual([200, { twoFactorRedirect: true, twoFactorMethods: ["totp"] }]);
  return createRequest(server.url, { Cookie: cookieOf(headers) });
}

const outcomesOf = async (request: Request): Promise<string[]> =>
  (await request("GET", "/api/account/sign-ins")).body.data.map(({ outcome }: { outcome: string }) => outcome);

describe("codes of an app", () => {
  test("are asked for once one was confirmed, and complete the sign-in", async () => {
    const person = await signUp();
    const { body } = await auth(person.request, "two-factor/enable", { password: PASSWORD });
    expect((await signIn(person.email)).body).toMatchObject({ user: { email: person.email }, session: {} });
    expect(await auth(person.request, "two-factor/confirm", { code: "000000" })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "code" }] },
    });
    const confirmed = await auth(person.request, "two-factor/confirm", { code: codeOf(body.totpURI) });
    expect(confirmed.body).toEqual({ enabled: true });
    const pending = await challenge(person.email);
    expect((await pending("GET", "/api/tasks")).status).toBe(401);
    expect((await pending("GET", "/api/auth/get-session")).body).toBeNull();
    const done = await auth(pending, "two-factor/verify-totp", { code: ` ${nextCodeOf(body.totpURI)} ` });
    expect([done.status, Object.keys(done.body)]).toEqual([200, ["user", "session"]]);
    const session = createRequest(server.url, { Cookie: cookieOf(done.headers) });
    expect((await session("GET", "/api/tasks")).status).toBe(200);
    expect((await session("GET", "/api/account/sign-in-methods")).body.data).toEqual({
      hasPassword: true,
      needsCode: true,
      passkeys: [],
      provider: null,
    });
    await expect
      .poll(() => outcomesOf(session))
      .toEqual(["signed_in_with_code", "codes_turned_on", "signed_in", "signed_up"]);
  });

  test("sign in once each, and only who has entered the password", async () => {
    const person = await signUp();
    const { uri } = await turnOn(person);
    const code = nextCodeOf(uri);
    expect((await auth(server.anonymous, "two-factor/verify-totp", { code })).status).toBe(401);
    const forged = createRequest(server.url, { Cookie: "better-auth.two_factor=2fa-forged.AAAA" });
    expect((await auth(forged, "two-factor/verify-totp", { code })).status).toBe(401);
    const pending = await challenge(person.email);
    expect((await auth(pending, "two-factor/verify-totp", { code })).status).toBe(200);
    expect((await auth(pending, "two-factor/verify-totp", { code })).status).toBe(401);
    expect((await auth(await challenge(person.email), "two-factor/verify-totp", { code })).status).toBe(401);
  });

  test("do not sign in if one has turned them on", async () => {
    const person = await signUp();
    const { body } = await auth(person.request, "two-factor/enable", { password: PASSWORD });
    const code = codeOf(body.totpURI);
    expect((await auth(person.request, "two-factor/confirm", { code })).status).toBe(200);
    expect((await auth(await challenge(person.email), "two-factor/verify-totp", { code })).status).toBe(401);
  });

  test("do not complete a sign-in with a password that was changed meanwhile", async () => {
    const person = await signUp();
    const { uri, recoveryCodes, session } = await turnOn(person);
    const pending = await challenge(person.email);
    const change = { currentPassword: PASSWORD, newPassword: "another horse battery" };
    expect((await auth(session, "change-password", change)).status).toBe(200);
    expect((await auth(pending, "two-factor/verify-totp", { code: nextCodeOf(uri) })).status).toBe(401);
    expect((await auth(pending, "two-factor/verify-backup-code", { code: recoveryCodes[0] })).status).toBe(401);
    const { headers } = await signIn(person.email, change.newPassword);
    const again = createRequest(server.url, { Cookie: cookieOf(headers) });
    expect((await auth(again, "two-factor/verify-totp", { code: nextCodeOf(uri) })).status).toBe(200);
  });

  test("of one person complete no sign-in of another", async () => {
    const [victim, thief] = [await signUp(), await signUp()];
    await turnOn(victim);
    const { uri } = await turnOn(thief);
    const pending = await challenge(victim.email);
    expect((await auth(pending, "two-factor/verify-totp", { code: nextCodeOf(uri) })).status).toBe(401);
  });

  test("are replaced by a recovery code, once, however it is typed", async () => {
    const person = await signUp();
    const { recoveryCodes, session } = await turnOn(person);
    expect(recoveryCodes).toHaveLength(10);
    const code = ` ${(recoveryCodes[0] ?? "").replace("-", " ").toUpperCase()} `;
    const done = await auth(await challenge(person.email), "two-factor/verify-backup-code", { code });
    expect([done.status, Object.keys(done.body)]).toEqual([200, ["user", "session"]]);
    const again = await auth(await challenge(person.email), "two-factor/verify-backup-code", { code });
    expect(again.status).toBe(401);
    const replaced = await auth(session, "two-factor/generate-backup-codes", { password: PASSWORD });
    expect(replaced.body.backupCodes).toHaveLength(10);
    const old = { code: recoveryCodes[1] ?? "" };
    expect((await auth(await challenge(person.email), "two-factor/verify-backup-code", old)).status).toBe(401);
  });

  test("are turned off with the password, and then not asked for", async () => {
    const person = await signUp();
    const { session } = await turnOn(person);
    expect(await auth(session, "two-factor/disable", { password: "a wrong one" })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "password" }] },
    });
    expect((await auth(session, "two-factor/enable", { password: PASSWORD })).status).toBe(409);
    const off = await auth(session, "two-factor/disable", { password: PASSWORD });
    expect(off.status).toBe(200);
    expect((await signIn(person.email)).body).toHaveProperty("session");
    const still = createRequest(server.url, { Cookie: cookieOf(off.headers) });
    expect((await still("GET", "/api/account/sign-in-methods")).body.data.needsCode).toBe(false);
    expect((await auth(still, "two-factor/generate-backup-codes", { password: PASSWORD })).status).toBe(409);
  });

  test("count with wrong passwords when they are wrong", async () => {
    const person = await signUp();
    const { uri } = await turnOn(person);
    const pending = await challenge(person.email);
    const wrong = () => auth(pending, "two-factor/verify-totp", { code: "not one" });
    for (let count = 0; count < 3; count += 1) expect((await wrong()).status).toBe(401);
    for (let count = 0; count < 2; count += 1) expect((await signIn(person.email, "wrong")).status).toBe(401);
    const refused = await auth(pending, "two-factor/verify-totp", { code: nextCodeOf(uri) });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await auth(pending, "two-factor/verify-backup-code", { code: "abcde-fghjk" })).status).toBe(429);
    expect((await signIn(person.email)).status).toBe(429);
  });

  test("are refused after ten wrong ones in a row, from whatever address, for a while", async () => {
    const person = await signUp();
    const { uri } = await turnOn(person);
    await server.db.pool.query(
      "UPDATE two_factors SET failed_verification_count = 9 WHERE user_id = (SELECT id FROM users WHERE email = $1)",
      [person.email],
    );
    const pending = await challenge(person.email);
    expect((await auth(pending, "two-factor/verify-totp", { code: "000000" })).status).toBe(401);
    expect(await auth(pending, "two-factor/verify-totp", { code: nextCodeOf(uri) })).toMatchObject({
      status: 429,
      body: { message: "Too many wrong codes. Try again in a quarter of an hour." },
    });
  });

  test("cannot be guessed more often by sending guesses from many addresses at the same time", async () => {
    const own = await startTestServer({ TRUST_PROXY: "on" });
    try {
      const from = (address: number) => createRequest(own.url, { "X-Forwarded-For": `203.0.113.${address}` });
      const body = { name: "Person", email: "person@example.com", password: PASSWORD };
      const { headers } = await auth(from(0), "sign-up/email", body);
      const request = createRequest(own.url, { Cookie: cookieOf(headers) });
      const { body: app } = await auth(request, "two-factor/enable", { password: PASSWORD });
      expect((await auth(request, "two-factor/confirm", { code: codeOf(app.totpURI) })).status).toBe(200);
      const guesses: (() => Promise<number>)[] = [];
      for (let address = 1; address <= 15; address += 1) {
        const cookie = cookieOf((await auth(from(address), "sign-in/email", body)).headers);
        const send = createRequest(own.url, { Cookie: cookie, "X-Forwarded-For": `203.0.113.${address}` });
        guesses.push(async () => (await auth(send, "two-factor/verify-totp", { code: `wrong ${address}` })).status);
      }
      const statuses = await Promise.all(guesses.map((guess) => guess()));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    } finally {
      await own.close();
    }
  });

  test("are turned on by nobody but who knows the password", async () => {
    const { request } = await signUp();
    expect((await auth(request, "two-factor/enable", { password: "a wrong one" })).status).toBe(400);
    expect((await auth(request, "two-factor/confirm", { code: "000000" })).status).toBe(409);
    for (const path of ["enable", "confirm", "disable", "generate-backup-codes"]) {
      for (const other of [server.anonymous, server.withToken]) {
        expect((await auth(other, `two-factor/${path}`, { password: PASSWORD, code: "000000" })).status).toBe(401);
      }
    }
  });

  test("are stored so that who reads the database cannot compute them", async () => {
    const { uri, recoveryCodes } = await turnOn(await signUp());
    const { rows } = await server.db.pool.query("SELECT secret, backup_codes FROM two_factors");
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(new URL(uri).searchParams.get("secret"));
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });
});

describe("passkeys", () => {
  test("are added with the password and a session only", async () => {
    const { request } = await signUp();
    const begin = (password: string, from = request) => auth(from, "passkey/generate-register-options", { password });
    expect((await begin("a wrong one")).status).toBe(400);
    for (const other of [server.anonymous, server.withToken]) expect((await begin(PASSWORD, other)).status).toBe(401);
    const { status, body } = await begin(PASSWORD);
    expect([status, body.rp, body.authenticatorSelection.userVerification]).toEqual([
      200,
      { name: "Workspace", id: "localhost" },
      "required",
    ]);
  });

  test.each([
    ["no response", { name: "Key" }],
    ["a name of another type", { name: 1, response: {} }],
    ["no name", { response: {} }],
    ["bytes that are none", { name: "Key", response: { id: "!", rawId: "!", type: "public-key" } }],
  ])("are not added from %s", async (_what, body) => {
    const { request } = await signUp();
    expect((await auth(request, "passkey/verify-registration", body)).status).toBe(400);
    expect((await request("GET", "/api/account/sign-in-methods")).body.data.passkeys).toEqual([]);
  });

  test("sign nobody in by what is made up", async () => {
    const begun = await auth(server.anonymous, "passkey/generate-authenticate-options", {});
    expect(begun.body.challenge).toEqual(expect.any(String));
    const request = createRequest(server.url, { Cookie: cookieOf(begun.headers) });
    const response = {
      id: "AAAA",
      rawId: "AAAA",
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" },
    };
    expect((await auth(request, "passkey/verify-authentication", { response })).status).toBe(401);
    expect((await auth(server.anonymous, "passkey/verify-authentication", { response })).status).toBe(401);
    const person = await signUp();
    await turnOn(person);
    const otherCookie = cookieOf((await signIn(person.email)).headers).replace("two_factor=", "passkey=");
    const misled = createRequest(server.url, { Cookie: otherCookie });
    expect((await auth(misled, "passkey/verify-authentication", { response })).status).toBe(401);
  });

  /** Begins to add a passkey; returns what completes it. */
  async function beginToAdd(cookie: string) {
    const begun = await auth(createRequest(server.url, { Cookie: cookie }), "passkey/generate-register-options", {
      password: PASSWORD,
    });
    const request = createRequest(server.url, { Cookie: `${cookie}; ${cookieOf(begun.headers)}` });
    return (device = createPasskeyDevice(), ceremony: Partial<Ceremony> = {}) => {
      const response = device.register({ challenge: begun.body.challenge, origin: server.url, ...ceremony });
      return auth(request, "passkey/verify-registration", { name: "Key", response });
    };
  }

  async function signInWith(device: ReturnType<typeof createPasskeyDevice>, ceremony: Partial<Ceremony> = {}) {
    const begun = await auth(server.anonymous, "passkey/generate-authenticate-options", {});
    const request = createRequest(server.url, { Cookie: cookieOf(begun.headers) });
    const response = device.sign({ challenge: begun.body.challenge, origin: server.url, ...ceremony });
    return auth(request, "passkey/verify-authentication", { response });
  }

  const OTHERS: readonly Partial<Ceremony>[] = [
    { origin: "https://elsewhere.example" },
    { site: "elsewhere.example" },
    { isVerified: false },
    { challenge: "AAAA" },
  ];

  test("sign in on this site only, and only who the device has verified", async () => {
    const { email, cookie } = await signUp();
    const device = createPasskeyDevice();
    for (const other of OTHERS) expect((await (await beginToAdd(cookie))(device, other)).status).toBe(400);
    expect((await (await beginToAdd(cookie))(device)).status).toBe(200);
    for (const other of OTHERS) expect((await signInWith(device, other)).status).toBe(401);
    expect((await signInWith(createPasskeyDevice())).status).toBe(401);
    expect(await signInWith(device)).toMatchObject({ status: 200, body: { user: { email } } });
  });

  test("are never more than are shown, also if many are added at the same time", async () => {
    const { email, cookie, request } = await signUp();
    await server.db.pool.query(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
       SELECT gen_random_uuid(), u.id, 'Phone', replace(u.id::text, '-', '') || n, 'def', 0, 'multiDevice', true
       FROM users u, generate_series(1, 18) n WHERE u.email = $1`,
      [email],
    );
    const additions: (() => Promise<{ readonly status: number }>)[] = [];
    for (let count = 0; count < 6; count += 1) additions.push(await beginToAdd(cookie));
    const statuses = (await Promise.all(additions.map((add) => add()))).map(({ status }) => status);
    const added = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(added).toBeLessThanOrEqual(2);
    const { passkeys } = (await request("GET", "/api/account/sign-in-methods")).body.data;
    expect(passkeys).toHaveLength(18 + added);
  });

  test("are removed by nobody but their owner", async () => {
    const [owner, other] = [await signUp(), await signUp()];
    const { rows } = await server.db.pool.query<{ id: string }>(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
       SELECT gen_random_uuid(), id, 'Phone', 'abc', 'def', 0, 'multiDevice', true FROM users WHERE email = $1
       RETURNING id`,
      [owner.email],
    );
    const body = { id: rows[0]?.id };
    expect((await auth(other.request, "passkey/delete-passkey", body)).status).toBe(404);
    expect((await owner.request("GET", "/api/account/sign-in-methods")).body.data.passkeys).toMatchObject([
      { id: body.id, name: "Phone", isSynced: true },
    ]);
    expect((await auth(owner.request, "passkey/delete-passkey", body)).body).toEqual({ removed: true });
    expect((await auth(owner.request, "passkey/delete-passkey", body)).status).toBe(404);
  });

  test("are not asked for without limit by strangers", async () => {
    const own = await startTestServer({ TRUST_PROXY: "on" });
    try {
      const begin = (address: string) =>
        own.anonymous("POST", "/api/auth/passkey/generate-authenticate-options", {
          body: {},
          headers: { "X-Forwarded-For": address },
        });
      for (let count = 0; count < 20; count += 1) expect((await begin("203.0.113.7")).status).toBe(200);
      expect((await begin("203.0.113.7")).status).toBe(429);
      expect((await begin("203.0.113.8")).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

test("a sign-in without a second factor is what it was", async () => {
  const { status, body, headers } = await signIn(ADMIN.email, ADMIN.password);
  expect([status, Object.keys(body), headers.getSetCookie().length]).toEqual([200, ["user", "session"], 1]);
});
