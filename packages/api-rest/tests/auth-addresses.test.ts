import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sendRaw } from "./raw-request.ts";
import { connectRealtime } from "./realtime-client.ts";
import { spellingsOf } from "./spellings.ts";
import { ADMIN, cookieOf, createRequest, startTestServer, type TestServer } from "./test-server.ts";

const SERVED = {
  "/api/auth/sign-up/email": "POST",
  "/api/auth/sign-in/email": "POST",
  "/api/auth/sign-out": "POST",
  "/api/auth/get-session": "GET",
  "/api/auth/change-password": "POST",
  "/api/auth/update-user": "POST",
  "/api/auth/two-factor/enable": "POST",
  "/api/auth/two-factor/confirm": "POST",
  "/api/auth/two-factor/disable": "POST",
  "/api/auth/two-factor/generate-backup-codes": "POST",
  "/api/auth/two-factor/verify-totp": "POST",
  "/api/auth/two-factor/verify-backup-code": "POST",
  "/api/auth/passkey/generate-register-options": "POST",
  "/api/auth/passkey/verify-registration": "POST",
  "/api/auth/passkey/delete-passkey": "POST",
  "/api/auth/passkey/verify-authentication": "POST",
  "/api/auth/oidc/begin": "POST",
  "/api/auth/oidc/link": "POST",
  "/api/auth/oidc/unlink": "POST",
  "/api/auth/oidc/callback": "GET",
  "/api/auth/methods": "GET",
  "/api/auth/request-password-reset": "POST",
  "/api/auth/reset-password": "POST",
} as const;
/** Served as well; it creates no session, but a challenge, in a cookie. */
const CHALLENGE = "/api/auth/passkey/generate-authenticate-options";

/** Other paths that the library would serve by itself. */
const NOT_SERVED = [
  "/api/auth",
  "/api/auth/",
  "/api/auth/ok",
  "/api/auth/error",
  "/api/auth/sign-in/social",
  "/api/auth/sign-in",
  "/api/auth/sign-up",
  "/api/auth/callback/google",
  "/api/auth/verify-password",
  "/api/auth/set-password",
  "/api/auth/reset-password/token",
  "/api/auth/forget-password",
  "/api/auth/verify-email",
  "/api/auth/send-verification-email",
  "/api/auth/change-email",
  "/api/auth/delete-user",
  "/api/auth/delete-user/callback",
  "/api/auth/list-sessions",
  "/api/auth/revoke-session",
  "/api/auth/revoke-sessions",
  "/api/auth/revoke-other-sessions",
  "/api/auth/update-session",
  "/api/auth/link-social",
  "/api/auth/unlink-account",
  "/api/auth/list-accounts",
  "/api/auth/account-info",
  "/api/auth/get-access-token",
  "/api/auth/refresh-token",
  "/api/auth/two-factor/get-totp-uri",
  "/api/auth/two-factor/view-backup-codes",
  "/api/auth/two-factor/generate-totp",
  "/api/auth/two-factor/send-otp",
  "/api/auth/two-factor/verify-otp",
  "/api/auth/totp/generate",
  "/api/auth/passkey/list-user-passkeys",
  "/api/auth/passkey/update-passkey",
  "/api/auth/passkey",
];

let closed: TestServer;

beforeAll(async () => {
  closed = await startTestServer({ ACCESS_MODE: "any" });
});
afterAll(() => closed.close());

async function countRows(server: TestServer, table: "users" | "sessions"): Promise<number> {
  const { rows } = await server.db.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? 0;
}

function isRefusal(status: number): boolean {
  return status === 0 || (status >= 400 && status < 500);
}

const stranger = { name: "Eve", email: "eve@example.com", password: "12345678", token: "x" };

test(
  "no spelling of any path creates an account or a session while sign-up is closed",
  { timeout: 120_000 },
  async () => {
    const [users, sessions] = [await countRows(closed, "users"), await countRows(closed, "sessions")];
    const { text: dashboard } = await sendRaw(closed.url, { method: "GET", target: "/" });
    let count = 0;
    for (const [path, method] of Object.entries(SERVED)) {
      for (const { name, target } of [{ name: path, target: path }, ...spellingsOf(path)]) {
        const { status, headers, text } = await sendRaw(closed.url, { method, target, body: stranger });
        count += 1;
        // These succeed without a session; signing out then clears the cookie.
        if (["/api/auth/sign-out", "/api/auth/get-session", "/api/auth/methods"].includes(target.split("?")[0] ?? ""))
          continue;
        const isDashboard = method === "GET" && text === dashboard;
        expect([name, isDashboard || isRefusal(status), headers.getSetCookie()]).toEqual([name, true, []]);
      }
    }
    expect(count).toBeGreaterThan(600);
    expect([await countRows(closed, "users"), await countRows(closed, "sessions")]).toEqual([users, sessions]);
  },
);

test("no spelling of the sign-in path evades its limits", async () => {
  const server = await startTestServer();
  try {
    const wrong = { email: ADMIN.email, password: "not the password" };
    const target = "/api/auth/sign-in/email";
    for (let count = 0; count < 5; count += 1) await sendRaw(server.url, { method: "POST", target, body: wrong });
    for (const spelling of spellingsOf(target)) {
      const right = { email: ADMIN.email, password: ADMIN.password };
      const { status, headers } = await sendRaw(server.url, { method: "POST", target: spelling.target, body: right });
      expect([spelling.name, isRefusal(status), headers.getSetCookie()]).toEqual([spelling.name, true, []]);
    }
    expect(await countRows(server, "sessions")).toBe(0);
  } finally {
    await server.close();
  }
});

test("headers that name another path or method have no effect", async () => {
  for (const headers of [
    { "X-Original-URL": "/api/auth/sign-up/email" },
    { "X-Rewrite-URL": "/api/auth/sign-up/email" },
    { "X-Forwarded-Uri": "/api/auth/sign-up/email" },
    { "X-HTTP-Method-Override": "POST" },
    { "X-HTTP-Method": "POST" },
    { "X-Method-Override": "POST" },
  ]) {
    for (const target of ["/api/auth/sign-up/email", "/api/auth/nothing", "/api/health"]) {
      for (const method of ["GET", "PUT"]) {
        const plain = await sendRaw(closed.url, { method, target, body: stranger });
        const { status } = await sendRaw(closed.url, { method, target, headers, body: stranger });
        expect([headers, method, target, status]).toEqual([headers, method, target, plain.status]);
      }
    }
  }
});

describe("other paths of the library", () => {
  test("are 404, signed in or not, with any method", async () => {
    const member = await closed.signIn();
    for (const path of NOT_SERVED) {
      for (const method of ["GET", "POST"]) {
        for (const request of [closed.anonymous, member]) {
          const { status, body } = await request(method, path, method === "POST" ? { body: stranger } : {});
          expect([method, path, status, body.statusCode]).toEqual([method, path, 404, 404]);
        }
      }
    }
  });
});

test("whatever the library offers is either served by this list or not at all", () => {
  const offered = new Set<string>();
  for (const { path } of Object.values(
    betterAuth({ secret: "of nothing at all, 32 characters", plugins: [twoFactor(), passkey()] }).api,
  )) {
    if (typeof path === "string" && path !== "") offered.add(`/api/auth${path}`);
  }
  const served = new Set([...Object.keys(SERVED), CHALLENGE]);
  const others = [...offered].filter((path) => !served.has(path) && !path.includes(":"));
  expect(others.filter((path) => !NOT_SERVED.includes(path))).toEqual([]);
});

test("a served path with another method is 405", async () => {
  for (const [path, method] of Object.entries(SERVED)) {
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => name !== method)) {
      const { status, headers } = await closed.anonymous(other, path);
      expect([other, path, status, headers.get("allow")]).toEqual([other, path, 405, method]);
    }
  }
});

describe("changing the name", () => {
  test("accepts a name by the rules of signing up, and nothing else", async () => {
    const member = await closed.signIn();
    const update = (body: object) => member("POST", "/api/auth/update-user", { body });
    const longest = "n".repeat(200);
    const response = await update({ name: ` ${longest} `, email: "other@example.com", image: "x".repeat(10_000) });
    expect(response).toMatchObject({ status: 200, body: { user: { name: longest, email: ADMIN.email } } });
    expect((await member("GET", "/api/auth/get-session")).body.user).toEqual(response.body.user);
    expect(
      (await closed.db.pool.query("SELECT image, email FROM users WHERE id = $1", [response.body.user.id])).rows,
    ).toEqual([{ image: null, email: ADMIN.email }]);
    const task = await member("POST", "/api/tasks", { body: { title: "by a new name" } });
    expect(task.body.data.creator.name).toBe(longest);
    expect((await update({ name: ADMIN.name })).status).toBe(200);
  });

  test.each([
    ["900,000 characters", { name: "n".repeat(900_000) }],
    ["a NUL character", { name: "a\0b" }],
    ["a lone surrogate", { name: "a\ud800" }],
    ["nothing but space", { name: "  " }],
    ["no name", { image: "x" }],
  ])("refuses %s with 400", async (_what, body) => {
    const member = await closed.signIn();
    expect(await member("POST", "/api/auth/update-user", { body })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "name" }] },
    });
  });

  test("needs a session", async () => {
    for (const request of [closed.anonymous, closed.withToken]) {
      expect((await request("POST", "/api/auth/update-user", { body: { name: "Eve" } })).status).toBe(401);
    }
  });
});

describe("changing the password", () => {
  const NEW_PASSWORD = "an entirely new password";
  const change = (currentPassword: unknown, newPassword: unknown, more: object = {}) => ({
    body: { currentPassword, newPassword, ...more },
  });

  test("ends all other sessions, regardless of the body, and keeps the caller signed in", async () => {
    const server = await startTestServer();
    try {
      const [here, elsewhere] = [await server.signIn(), await server.signIn()];
      for (const request of [here, elsewhere]) expect((await request("GET", "/api/tasks")).status).toBe(200);
      const options = change(ADMIN.password, NEW_PASSWORD, { revokeOtherSessions: false });
      const response = await here("POST", "/api/auth/change-password", options);
      expect(response).toMatchObject({ status: 200, body: { user: { email: ADMIN.email }, session: {} } });
      expect(Object.keys(response.body)).toEqual(["user", "session"]);
      for (const request of [here, elsewhere]) expect((await request("GET", "/api/tasks")).status).toBe(401);
      const renewed = createRequest(server.url, { Cookie: cookieOf(response.headers) });
      expect((await renewed("GET", "/api/tasks")).status).toBe(200);
      const signIn = (password: string) =>
        server.anonymous("POST", "/api/auth/sign-in/email", { body: { email: ADMIN.email, password } });
      expect((await signIn(ADMIN.password)).status).toBe(401);
      expect((await signIn(NEW_PASSWORD)).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  test("ends the other sessions in every server process, and their sockets", async () => {
    const shared = { SERVICE_SECRET: "a secret that several processes share" };
    const one = await startTestServer(shared);
    const other = await startTestServer({ ...shared, DATABASE_URL: one.databaseUrl });
    const credentials = { email: ADMIN.email, password: ADMIN.password };
    const stolen = await one.anonymous("POST", "/api/auth/sign-in/email", { body: credentials });
    const headers = { Cookie: cookieOf(stolen.headers) };
    const client = await connectRealtime(other.url, { headers });
    try {
      const isOpenTo = async (server: TestServer) => (await server.anonymous("GET", "/api/tasks", { headers })).status;
      expect([await isOpenTo(one), await isOpenTo(other)]).toEqual([200, 200]);
      const changed = await (
        await one.signIn()
      )("POST", "/api/auth/change-password", change(ADMIN.password, NEW_PASSWORD));
      expect([changed.status, await isOpenTo(one)]).toEqual([200, 401]);
      await vi.waitFor(async () => expect(await isOpenTo(other)).toBe(401), { timeout: 5_000, interval: 5 });
      expect(await client.closeCode()).toBe(4401);
    } finally {
      await client.close();
      await other.close();
      await one.close();
    }
  });

  test("counts wrong current passwords with failed sign-ins", async () => {
    const server = await startTestServer();
    try {
      const member = await server.signIn();
      const attempt = () => member("POST", "/api/auth/change-password", change("not the password", NEW_PASSWORD));
      for (let count = 0; count < 3; count += 1) {
        expect(await attempt()).toMatchObject({ status: 400, body: { issues: [{ path: "currentPassword" }] } });
      }
      const wrong = { email: ADMIN.email.toUpperCase(), password: "wrong" };
      for (let count = 0; count < 2; count += 1) {
        expect((await server.anonymous("POST", "/api/auth/sign-in/email", { body: wrong })).status).toBe(401);
      }
      const refused = await member("POST", "/api/auth/change-password", change(ADMIN.password, NEW_PASSWORD));
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
      expect((await server.anonymous("POST", "/api/auth/sign-in/email", { body: wrong })).status).toBe(429);
    } finally {
      await server.close();
    }
  });

  test.each([
    ["a short new password", "x", "1234567", "newPassword"],
    ["a long new password", "x", "x".repeat(129), "newPassword"],
    ["a current password that none can be", "x".repeat(129), "12345678", "currentPassword"],
    ["a current password of another type", 1, "12345678", "currentPassword"],
    ["no new password", "x", undefined, "newPassword"],
  ])("refuses %s with 400", async (_what, currentPassword, newPassword, path) => {
    const member = await closed.signIn();
    const response = await member("POST", "/api/auth/change-password", change(currentPassword, newPassword));
    expect(response).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });

  test("needs a session", async () => {
    for (const request of [closed.anonymous, closed.withToken]) {
      const options = change(ADMIN.password, NEW_PASSWORD);
      expect((await request("POST", "/api/auth/change-password", options)).status).toBe(401);
    }
  });
});
