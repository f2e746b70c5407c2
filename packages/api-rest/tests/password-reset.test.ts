import { execFile } from "node:child_process";
import { join } from "node:path";
import { codeOf } from "@workspace/core/testing";
import { startMailServer, type MailServer } from "@workspace/core/testing/mail-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "an entirely new password";
const REQUEST = "/api/auth/request-password-reset";
const RESET = "/api/auth/reset-password";

let mail: MailServer;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ ...mail.env, TRUST_PROXY: "on" });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

let callers = 0;
/** Each call comes from an address of its own, since those from one are limited. */
function post(path: string, body: object): ReturnType<Request> {
  callers += 1;
  return server.anonymous("POST", path, { body, headers: { "X-Forwarded-For": `198.51.100.${callers}` } });
}

let people = 0;
async function signUp(): Promise<{ email: string; request: Request }> {
  people += 1;
  const email = `person-${people}@example.com`;
  const { status, headers } = await post("/api/auth/sign-up/email", { name: "Person", email, password: PASSWORD });
  expect(status).toBe(200);
  return { email, request: createRequest(server.url, { Cookie: cookieOf(headers) }) };
}
const signIn = (email: string, password: string) => post("/api/auth/sign-in/email", { email, password });
const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));

/** What is behind the `#` of the page in the newest mail to somebody. */
async function askForToken(email: string): Promise<string> {
  const before = mailsTo(email).length;
  expect((await post(REQUEST, { email })).body).toEqual({ requested: true });
  await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(before + 1);
  const token = /\/reset-password#([A-Za-z0-9]+)\s/.exec(mailsTo(email).at(-1)?.source ?? "")?.[1];
  expect(token).toBeDefined();
  return token ?? "";
}
const set = (token: string, newPassword = NEW_PASSWORD) => post(RESET, { token, newPassword });
const NOT_VALID = { status: 400, body: { issues: [{ path: "token" }] } };

const outcomesOf = async (request: Request): Promise<string[]> =>
  (await request("GET", "/api/account/sign-ins")).body.data.map(({ outcome }: { outcome: string }) => outcome);

async function countVerifications(): Promise<number> {
  const { rows } = await server.db.pool.query<{ count: number }>("SELECT count(*)::int AS count FROM verifications");
  return rows[0]?.count ?? 0;
}

describe("a mail", () => {
  test("sets a new password once, and ends all sessions", async () => {
    const { email, request } = await signUp();
    const token = await askForToken(email);
    const [received] = mailsTo(email);
    expect(received).toMatchObject({ from: "workspace@example.com", to: [email] });
    expect(received?.source).toContain("From: Workspace <workspace@example.com>");
    expect(received?.source).toContain(`${server.url}/reset-password#${token}`);
    expect((await request("GET", "/api/tasks")).status).toBe(200);

    const done = await set(token);
    expect([done.status, done.body, done.headers.getSetCookie()]).toEqual([200, { reset: true }, []]);
    expect((await request("GET", "/api/tasks")).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const { status, headers } = await signIn(email, NEW_PASSWORD);
    expect(status).toBe(200);
    expect(await set(token, "another password")).toMatchObject(NOT_VALID);
    const session = createRequest(server.url, { Cookie: cookieOf(headers) });
    await expect
      .poll(() => outcomesOf(session))
      .toEqual(["signed_in", "wrong_password", "password_reset", "password_reset_requested", "signed_up"]);
  });

  test("leaves codes and whatever else there is to sign in as it is", async () => {
    const { email, request } = await signUp();
    const { body } = await request("POST", "/api/auth/two-factor/enable", { body: { password: PASSWORD } });
    await request("POST", "/api/auth/two-factor/confirm", { body: { code: codeOf(body.totpURI) } });
    const pending = await signIn(email, PASSWORD);
    expect((await set(await askForToken(email))).status).toBe(200);
    expect((await signIn(email, NEW_PASSWORD)).body).toMatchObject({ twoFactorRedirect: true });
    // A sign-in that waited for a code is over.
    const waiting = createRequest(server.url, { Cookie: cookieOf(pending.headers) });
    const late = await waiting("POST", "/api/auth/two-factor/verify-totp", { body: { code: codeOf(body.totpURI) } });
    expect(late.status).toBe(401);
  });

  test("gives one to whoever has none, as they have signed in with a provider", async () => {
    const { email } = await signUp();
    await server.db.pool.query(
      "DELETE FROM accounts WHERE provider_id = 'credential' AND user_id = (SELECT id FROM users WHERE email = $1)",
      [email],
    );
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await set(await askForToken(email))).status).toBe(200);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  test("is no longer valid after an hour", async () => {
    const { email } = await signUp();
    const token = await askForToken(email);
    const { rows } = await server.db.pool.query<{ seconds: number }>(
      "SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM verifications",
    );
    expect(rows[0]?.seconds).toBeGreaterThan(3_500);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(3_600);
    await server.db.pool.query("UPDATE verifications SET expires_at = now() - interval '1 second'");
    expect(await set(token)).toMatchObject(NOT_VALID);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  test("is no longer valid after another one was used, or the password was changed otherwise", async () => {
    const { email } = await signUp();
    const [first, second] = [await askForToken(email), await askForToken(email)];
    expect([(await set(second)).status, (await set(first)).status]).toEqual([200, 400]);
    const third = await askForToken(email);
    const { headers } = await signIn(email, NEW_PASSWORD);
    const session = createRequest(server.url, { Cookie: cookieOf(headers) });
    const change = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD };
    expect((await session("POST", "/api/auth/change-password", { body: change })).status).toBe(200);
    expect(await set(third)).toMatchObject(NOT_VALID);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  test("cannot be read from the database", async () => {
    const { email } = await signUp();
    const token = await askForToken(email);
    const { rows } = await server.db.pool.query<{ identifier: string; value: string }>(
      "SELECT * FROM verifications ORDER BY created_at DESC LIMIT 1",
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const identifier = rows[0]?.identifier ?? "";
    for (const guess of [identifier, identifier.replaceAll(/[^A-Za-z0-9]/g, "")]) {
      expect(await set(guess)).toMatchObject(NOT_VALID);
    }
  });

  test("comes once the mail server is back", { timeout: 60_000 }, async () => {
    const { email } = await signUp();
    mail.refuse(451);
    expect((await post(REQUEST, { email })).status).toBe(200);
    await expect.poll(() => mail.refusals.includes(email), { timeout: 20_000 }).toBe(true);
    mail.refuse(null);
    await expect.poll(() => mailsTo(email).length, { timeout: 40_000 }).toBe(1);
  });
});

describe("whoever asks", () => {
  test("does not learn whether there is such an account", async () => {
    const { email } = await signUp();
    const known = await post(REQUEST, { email });
    await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
    const before = await countVerifications();
    const unknown = await post(REQUEST, { email: "nobody@example.com" });
    const withoutTime = (headers: Headers) => [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
    expect([unknown.status, unknown.body, withoutTime(unknown.headers)]).toEqual([
      known.status,
      known.body,
      withoutTime(known.headers),
    ]);
    // What is done for the next one is done after that for this one.
    await askForToken(email);
    expect([mailsTo("nobody@example.com"), await countVerifications()]).toEqual([[], before + 1]);
  });

  test("does not count as somebody who has signed in", async () => {
    const { email, request } = await signUp();
    const lastSignIn = async () =>
      (await request("GET", "/api/members?limit=100")).body.data.find(
        (member: { email: string }) => member.email === email,
      ).lastSignInAt;
    await expect.poll(() => outcomesOf(request)).toEqual(["signed_up"]);
    const before = await lastSignIn();
    await askForToken(email);
    await expect.poll(() => outcomesOf(request)).toEqual(["password_reset_requested", "signed_up"]);
    expect(await lastSignIn()).toBe(before);
  });

  test("is limited by the account, from whatever address, and by their address", async () => {
    const { email } = await signUp();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await post(REQUEST, { email: count % 2 === 0 ? email : email.toUpperCase() })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const { status, headers } = await post(REQUEST, { email });
    expect([status, Number(headers.get("retry-after")) > 3_000]).toEqual([429, true]);
    const fromOne: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const body = { email: `nobody-${count}@example.com` };
      const from = { "X-Forwarded-For": "203.0.113.9" };
      fromOne.push((await server.anonymous("POST", REQUEST, { body, headers: from })).status);
    }
    expect(fromOne).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  test.each(["nobody", "a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com", "", 1, undefined])(
    "is refused with %j",
    async (email) => {
      expect(await post(REQUEST, { email })).toMatchObject({ status: 400, body: { issues: [{ path: "email" }] } });
    },
  );

  test("does not choose where the page in the mail is", async () => {
    const { email } = await signUp();
    const headers = { "X-Forwarded-Host": "evil.example.com", Forwarded: "host=evil.example.com" };
    const body = { email, redirectTo: "https://evil.example.com", callbackURL: "https://evil.example.com" };
    expect((await server.anonymous("POST", REQUEST, { body, headers })).status).toBe(200);
    await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
    expect(mailsTo(email)[0]?.source).not.toContain("evil");
  });
});

test.each([
  ["a token that nobody has", { token: "a".repeat(24), newPassword: NEW_PASSWORD }, "token"],
  ["another kind of text", { token: "../../x", newPassword: NEW_PASSWORD }, "token"],
  ["no token", { newPassword: NEW_PASSWORD }, "token"],
  ["a short password", { token: "a".repeat(24), newPassword: "short" }, "newPassword"],
  ["a long one", { token: "a".repeat(24), newPassword: "p".repeat(129) }, "newPassword"],
])("a password is not set with %s", async (_what, body, path) => {
  expect(await post(RESET, body)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
});

test("tokens cannot be guessed for long", async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 21; count += 1) {
    const body = { token: "a".repeat(24), newPassword: NEW_PASSWORD };
    statuses.add(
      (await server.anonymous("POST", RESET, { body, headers: { "X-Forwarded-For": "203.0.113.7" } })).status,
    );
  }
  expect([...statuses]).toEqual([400, 429]);
});

test("a short password does not use the mail up", async () => {
  const { email } = await signUp();
  const token = await askForToken(email);
  expect((await set(token, "short")).status).toBe(400);
  expect((await set(token)).status).toBe(200);
});

test("without mail, nobody is promised one", async () => {
  const without = await startTestServer();
  try {
    expect((await without.anonymous("GET", "/api/auth/methods")).body.canResetPassword).toBe(false);
    for (const path of [REQUEST, RESET]) {
      const body = { email: ADMIN.email, token: "x", newPassword: NEW_PASSWORD };
      expect((await without.anonymous("POST", path, { body })).status).toBe(404);
    }
    expect((await server.anonymous("GET", "/api/auth/methods")).body.canResetPassword).toBe(true);
  } finally {
    await without.close();
  }
});

test("the doctor signs in to the mail server", async () => {
  const workspace = join(import.meta.dirname, "../dist/workspace.js");
  const findMail = (url: string) =>
    new Promise<object>((resolve) => {
      const env = { PATH: process.env["PATH"], DATABASE_URL: server.databaseUrl, ...mail.env, SMTP_URL: url };
      const child = execFile(process.execPath, [workspace, "doctor", "--json"], { env }, (_error, stdout) =>
        resolve(JSON.parse(stdout).findings.find(({ subject }: { subject: string }) => subject.startsWith("mail"))),
      );
      child.stdin?.end();
    });
  expect(await findMail(mail.env.SMTP_URL)).toMatchObject({ state: "good" });
  expect(await findMail(mail.wrongUrl)).toMatchObject({ state: "bad", message: expect.stringMatching(/wrong user/) });
});
