import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let person: Request;
beforeAll(async () => {
  server = await startTestServer();
  person = await server.signIn();
});
afterAll(() => server.close());

/** Signs in with a browser of its own, and returns the response and requests of that session. */
async function signInFrom(userAgent: string, account: { email: string; password: string } = ADMIN, at = server) {
  const { email, password } = account;
  const headers = { "User-Agent": userAgent };
  const response = await at.anonymous("POST", "/api/auth/sign-in/email", { body: { email, password }, headers });
  const cookie = (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  return { response, request: createRequest(at.url, { Cookie: cookie }) };
}
const sessionsOf = async (request: Request): Promise<any[]> =>
  (await request("GET", "/api/account/sessions")).body.data;
const signInsOf = async (request: Request): Promise<any[]> => (await request("GET", "/api/account/sign-ins")).body.data;

describe("where one is signed in", () => {
  test("is listed with the browser and the address, the current one marked", async () => {
    const { request } = await signInFrom("Phone/1.0");
    const [newest, ...older] = await sessionsOf(request);
    expect(newest).toMatchObject({ isCurrent: true, userAgent: "Phone/1.0", address: "127.0.0.1" });
    expect(older.every(({ isCurrent }) => !isCurrent)).toBe(true);
    expect(JSON.stringify([newest, older])).not.toMatch(/token/i);
    expect((await sessionsOf(server.withToken)).some(({ isCurrent }) => isCurrent)).toBe(false);
  });

  test("ends there, and only there, when it is ended from elsewhere, in every process", async () => {
    const second = await startTestServer({ DATABASE_URL: server.databaseUrl });
    try {
      const { request } = await signInFrom("Lost/1.0", ADMIN, second);
      const [{ id }] = await sessionsOf(request);
      expect((await request("GET", "/api/tasks")).status).toBe(200);
      expect(await person("DELETE", `/api/account/sessions/${id}`)).toMatchObject({ body: { data: { ended: true } } });
      await expect.poll(async () => (await request("GET", "/api/tasks")).status).toBe(401);
      expect((await person("GET", "/api/tasks")).status).toBe(200);
      expect(await person("DELETE", `/api/account/sessions/${id}`)).toMatchObject({ status: 404 });
      expect(await person("DELETE", "/api/account/sessions/nothing")).toMatchObject({ status: 404 });
    } finally {
      await second.close();
    }
  });

  test("ends everywhere but here", async () => {
    const { request } = await signInFrom("Kept/1.0");
    const { request: other } = await signInFrom("Other/1.0");
    const { body } = await request("POST", "/api/account/sessions/end-others");
    expect(body.data.ended).toBeGreaterThan(1);
    await expect.poll(async () => (await other("GET", "/api/tasks")).status).toBe(401);
    expect(await sessionsOf(request)).toHaveLength(1);
    person = await server.signIn();
  });

  test("is nobody else's business", async () => {
    const account = { name: "Grace", email: "grace@example.com", password: "correct horse" };
    expect((await server.anonymous("POST", "/api/auth/sign-up/email", { body: account })).status).toBe(200);
    const { request: grace } = await signInFrom("Grace/1.0", account);
    const [mine] = await sessionsOf(person);
    expect(await grace("DELETE", `/api/account/sessions/${mine.id}`)).toMatchObject({ status: 404 });
    expect((await sessionsOf(grace)).map(({ id }) => id)).not.toContain(mine.id);
    expect((await signInsOf(grace)).map(({ outcome }) => outcome)).toEqual(["signed_in", "signed_up"]);
    const { body } = await grace("GET", "/api/members");
    expect(body.data).toMatchObject([
      { email: ADMIN.email, isFirst: true },
      { email: "grace@example.com", isFirst: false, lastSignInAt: expect.any(String) },
    ]);
  });
});

describe("the log of an account", () => {
  test("has what succeeded and what failed, but nothing of accounts that do not exist", async () => {
    await signInFrom("Guess/1.0", { ...ADMIN, password: "a wrong one" });
    await signInFrom("Guess/1.0", { email: "nobody@example.com", password: "a wrong one" });
    await expect
      .poll(async () => (await signInsOf(person))[0])
      .toMatchObject({
        outcome: "wrong_password",
        userAgent: "Guess/1.0",
        address: "127.0.0.1",
      });
    const { rows } = await server.db.pool.query("SELECT FROM sign_ins WHERE user_agent = 'Guess/1.0'");
    expect(rows).toHaveLength(1);
  });

  test("does not grow with every guess", async () => {
    const { rows: users } = await server.db.pool.query<{ id: string }>(
      "SELECT id FROM users ORDER BY created_at LIMIT 1",
    );
    await server.db.pool.query(
      `INSERT INTO sign_ins (id, user_id, outcome, created_at)
       SELECT gen_random_uuid(), $1, 'wrong_password', now() - interval '1 minute' FROM generate_series(1, 50)`,
      [users[0]?.id],
    );
    await signInFrom("Flood/1.0", { ...ADMIN, password: "a wrong one" });
    await signInFrom("After/1.0");
    await expect.poll(async () => (await signInsOf(person))[0]).toMatchObject({ userAgent: "After/1.0" });
    expect((await signInsOf(person)).filter(({ userAgent }) => userAgent === "Flood/1.0")).toEqual([]);
  });
});
