import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  ADMIN,
  API_TOKEN,
  cookieOf,
  createRequest,
  startTestServer,
  type Request,
  type TestServer,
} from "./test-server.ts";

let server: TestServer;
let anonymous: Request;

beforeAll(async () => {
  server = await startTestServer();
  anonymous = server.anonymous;
});
afterAll(() => server.close());

const signedIn = {
  user: { id: expect.any(String), name: ADMIN.name, email: ADMIN.email },
  session: {
    id: expect.any(String),
    userId: expect.any(String),
    expiresAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  },
};
const signIn = (body: object, headers: Record<string, string> = {}) =>
  anonymous("POST", "/api/auth/sign-in/email", { body, headers });
const signUp = (body: object) => anonymous("POST", "/api/auth/sign-up/email", { body });

describe("signing in", () => {
  test("returns the contract's shape and sets a session cookie for seven days", async () => {
    const response = await signIn({ email: ADMIN.email, password: ADMIN.password });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(signedIn);
    const days = (Date.parse(response.body.session.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/; Max-Age=604800;.*HttpOnly;.*SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/);
  });

  test("ignores the case of the email", async () => {
    expect((await signIn({ email: ADMIN.email.toUpperCase(), password: ADMIN.password })).status).toBe(200);
  });

  test("responds to a wrong email and a wrong password alike", async () => {
    const wrongPassword = await signIn({ email: ADMIN.email, password: "not the password" });
    const wrongEmail = await signIn({ email: "nobody@example.com", password: "not the password" });
    const noEmail = await signIn({ email: "not an address", password: "x" });
    const tooLong = await signIn({ email: ADMIN.email, password: "x".repeat(1000) });
    expect(wrongPassword.status).toBe(401);
    expect(wrongPassword.body).toEqual({ statusCode: 401, statusMessage: "Unauthorized", message: expect.any(String) });
    for (const other of [wrongEmail, noEmail, tooLong]) {
      expect(other.status).toBe(401);
      expect(other.body).toEqual(wrongPassword.body);
      expect(other.headers.getSetCookie()).toEqual([]);
    }
  });

  test.each([
    [{}],
    [{ email: ADMIN.email }],
    [{ password: "x" }],
    [{ email: 1, password: 2 }],
    [{ email: "a\0@b.c", password: "x" }],
  ])("refuses %j with 400", async (body) => {
    expect((await signIn(body)).status).toBe(400);
  });
});

describe("the session", () => {
  test("gives access to the API, can be read, and ends everywhere on sign-out", async () => {
    const cookie = cookieOf((await signIn({ email: ADMIN.email, password: ADMIN.password })).headers);
    const api = createRequest(server.url, { Cookie: cookie });
    expect((await api("GET", "/api/tasks")).status).toBe(200);
    expect(await api("GET", "/api/auth/get-session")).toMatchObject({ status: 200, body: signedIn });
    expect((await api("GET", "/api/auth/get-session")).body).toEqual(signedIn);

    expect(await api("POST", "/api/auth/sign-out")).toMatchObject({ status: 200, body: { success: true } });
    expect((await api("GET", "/api/tasks")).status).toBe(401);
    expect(await api("GET", "/api/auth/get-session")).toMatchObject({ status: 200, body: null });
  });

  test("is null without a cookie, and without a valid one", async () => {
    expect(await anonymous("GET", "/api/auth/get-session")).toMatchObject({ status: 200, body: null });
    const cookie = cookieOf((await signIn({ email: ADMIN.email, password: ADMIN.password })).headers);
    for (const forged of [
      cookie.replace(/=(.)/, (_, first) => (first === "x" ? "=y" : "=x")),
      `${cookie.split(".").slice(0, -1).join(".")}.AAAA`,
      `${cookie}x`,
    ]) {
      const api = createRequest(server.url, { Cookie: forged });
      expect((await api("GET", "/api/tasks")).status).toBe(401);
    }
  });

  test("ends in all server processes within a moment, and immediately in the one that ended it", async () => {
    const other = await startTestServer({ DATABASE_URL: server.databaseUrl });
    const one = await startTestServer({ DATABASE_URL: server.databaseUrl });
    try {
      const response = await one.anonymous("POST", "/api/auth/sign-in/email", {
        body: { email: ADMIN.email, password: ADMIN.password },
      });
      const credentials = { Cookie: cookieOf(response.headers) };
      const [here, there] = [createRequest(one.url, credentials), createRequest(other.url, credentials)];
      expect((await here("GET", "/api/tasks")).status).toBe(200);
      expect((await there("GET", "/api/tasks")).status).toBe(200);
      await here("POST", "/api/auth/sign-out");
      expect((await here("GET", "/api/tasks")).status).toBe(401);
      await vi.waitFor(async () => expect((await there("GET", "/api/tasks")).status).toBe(401), {
        timeout: 5_000,
        interval: 5,
      });
    } finally {
      await one.close();
      await other.close();
    }
  });

  test("is renewed after a day of use, in the database and in the cookie", async () => {
    const cookie = cookieOf((await signIn({ email: ADMIN.email, password: ADMIN.password })).headers);
    const api = createRequest(server.url, { Cookie: cookie });
    expect((await api("GET", "/api/tasks")).headers.getSetCookie()).toEqual([]);
    await server.db.pool.query("UPDATE sessions SET expires_at = now() + interval '5 days 23 hours'");
    await vi.waitFor(
      async () => expect((await api("GET", "/api/tasks")).headers.getSetCookie()[0]).toMatch(/Max-Age=604800/),
      { timeout: 5_000 },
    );
    const { rows } = await server.db.pool.query<{ days: number }>(
      "SELECT max(extract(epoch FROM expires_at - now()) / 86400)::float8 AS days FROM sessions",
    );
    expect(rows[0]?.days).toBeGreaterThan(6.9);
  });

  test("ends when it expires", async () => {
    const cookie = cookieOf((await signIn({ email: ADMIN.email, password: ADMIN.password })).headers);
    const api = createRequest(server.url, { Cookie: cookie });
    expect((await api("GET", "/api/tasks")).status).toBe(200);
    await server.db.pool.query("UPDATE sessions SET expires_at = now() - interval '1 second'");
    await vi.waitFor(async () => expect((await api("GET", "/api/tasks")).status).toBe(401), {
      timeout: 5_000,
      interval: 5,
    });
  });

  test("cookies are secure if the public URL is https", async () => {
    const secure = await startTestServer({ SERVICE_AUTH_URL: "https://workspace.example.com" });
    try {
      const { headers } = await secure.anonymous("POST", "/api/auth/sign-in/email", {
        body: { email: ADMIN.email, password: ADMIN.password },
      });
      expect(headers.getSetCookie()[0]).toMatch(/^__Secure-.*; Secure/);
      const api = createRequest(secure.url, { Cookie: cookieOf(headers) });
      expect((await api("GET", "/api/tasks")).status).toBe(200);
    } finally {
      await secure.close();
    }
  });
});

describe("signing up", () => {
  test("creates a user, signs them in, and shares the workspace", async () => {
    const body = { name: "Grace", email: "Grace@Example.com", password: "12345678" };
    const response = await signUp(body);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      ...signedIn,
      user: { id: expect.any(String), name: "Grace", email: "grace@example.com" },
    });
    const grace = createRequest(server.url, { Cookie: cookieOf(response.headers) });
    const task = await grace("POST", "/api/tasks", { body: { title: "Grace's" } });
    expect(task.body.data.creator).toEqual({ id: response.body.user.id, name: "Grace" });
    const ada = await server.signIn();
    expect((await ada("GET", `/api/tasks/${task.body.data.id}`)).status).toBe(200);
  });

  test("refuses an email that is taken with 422", async () => {
    expect(await signUp({ name: "A", email: ADMIN.email.toUpperCase(), password: "12345678" })).toMatchObject({
      status: 422,
      body: { statusCode: 422, statusMessage: "Unprocessable Entity" },
    });
  });

  test.each([
    ["a short password", { name: "A", email: "a@example.com", password: "1234567" }, "password"],
    ["no email address", { name: "A", email: "a", password: "12345678" }, "email"],
    ["an empty name", { name: " ", email: "a@example.com", password: "12345678" }, "name"],
    ["a missing name", { email: "a@example.com", password: "12345678" }, "name"],
  ])("refuses %s with 400 and names the field", async (_what, body, path) => {
    expect(await signUp(body)).toMatchObject({ status: 400, body: { statusCode: 400, issues: [{ path }] } });
  });

  test("is 403 if it is closed", async () => {
    const closed = await startTestServer({ ACCESS_MODE: "any" });
    try {
      const body = { name: "A", email: "a@example.com", password: "12345678" };
      expect(await closed.anonymous("POST", "/api/auth/sign-up/email", { body })).toMatchObject({
        status: 403,
        body: { statusCode: 403 },
      });
    } finally {
      await closed.close();
    }
  });
});

describe("credentials", () => {
  test("the API token authenticates the first user", async () => {
    const { body } = await server.withToken("POST", "/api/tasks", { body: { title: "by token" } });
    expect(body.data.creator.name).toBe(ADMIN.name);
    for (const token of ["", "wrong", `${API_TOKEN}x`, API_TOKEN.slice(1)]) {
      expect((await anonymous("GET", "/api/tasks", { headers: { "X-API-Token": token } })).status).toBe(401);
    }
  });

  test("all paths but the open ones are 401 without them, including unknown ones", async () => {
    for (const path of [
      "/api/tasks",
      "/api/tasks/x",
      "/api/nothing",
      "/api",
      "/api/documents",
      "/api/trpc/tasks.list",
    ]) {
      expect((await anonymous("GET", path)).status).toBe(401);
    }
    expect((await anonymous("POST", "/api/tasks", { raw: { text: "{", type: "text/plain" } })).status).toBe(401);
    expect((await anonymous("GET", "/api/health")).status).toBe(200);
  });
});

describe("requests from pages of other sites", () => {
  const mutate = (api: Request, headers: Record<string, string>) =>
    api("POST", "/api/tasks", { body: { title: "forged" }, headers });

  test("are refused, regardless of their credentials", async () => {
    const api = await server.signIn();
    const own = new URL(server.url).origin;
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${own}0` },
      { Origin: "http://localhost:1" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { Origin: own, "Sec-Fetch-Site": "cross-site" },
    ]) {
      for (const request of [api, server.withToken, anonymous])
        expect((await mutate(request, headers)).status).toBe(403);
      expect((await signIn({ email: ADMIN.email, password: ADMIN.password }, headers)).status).toBe(403);
    }
    expect((await api("GET", "/api/tasks?search=forged")).body.data).toEqual([]);
  });

  test("but those of our own pages, and of other clients, pass", async () => {
    const api = await server.signIn();
    const { port } = new URL(server.url);
    for (const headers of [
      {},
      { Origin: `http://localhost:${port}`, "Sec-Fetch-Site": "same-origin" },
      { Origin: `http://127.0.0.1:${port}` },
      { "Sec-Fetch-Site": "none" },
    ]) {
      expect((await mutate(api, headers)).status).toBe(200);
    }
  });
});

describe("failed sign-ins", () => {
  test("are limited per account and address, and correct passwords do not count", async () => {
    const limited = await startTestServer();
    const attempt = (email: string, password: string) =>
      limited.anonymous("POST", "/api/auth/sign-in/email", { body: { email, password } });
    try {
      for (let count = 0; count < 10; count += 1) expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(200);
      for (let count = 0; count < 5; count += 1) expect((await attempt(ADMIN.email, "wrong")).status).toBe(401);
      const refused = await attempt(ADMIN.email, "wrong");
      expect(refused).toMatchObject({ status: 429, body: { statusCode: 429, statusMessage: "Too Many Requests" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

      for (let count = 0; count < 15; count += 1)
        expect((await attempt(`user${count}@example.com`, "wrong")).status).toBe(401);
      expect((await attempt("another@example.com", "wrong")).status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test("cannot evade the limit with forged proxy headers, and do not lock out the owner elsewhere", async () => {
    const behindProxy = await startTestServer({ TRUST_PROXY: "on" });
    const direct = await startTestServer();
    const attempt = (target: TestServer, password: string, address: string) =>
      target.anonymous("POST", "/api/auth/sign-in/email", {
        body: { email: ADMIN.email, password },
        headers: { "X-Forwarded-For": address },
      });
    try {
      const statuses = [];
      for (let count = 0; count < 7; count += 1)
        statuses.push((await attempt(direct, "wrong", `10.0.0.${count}`)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);

      for (let count = 0; count < 6; count += 1) await attempt(behindProxy, "wrong", "10.0.0.1");
      expect((await attempt(behindProxy, ADMIN.password, "10.0.0.1")).status).toBe(429);
      expect((await attempt(behindProxy, ADMIN.password, "1.1.1.1, 10.0.0.2")).status).toBe(200);
    } finally {
      await behindProxy.close();
      await direct.close();
    }
  });
});
