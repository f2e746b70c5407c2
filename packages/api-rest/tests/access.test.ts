import { capabilities, listOperations } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

/** The routes of `/api` that anyone may use; all others are for users: a session or the API token. */
const OPEN = ["GET /documents/{id}/public"];
/** What only people decide: a session of the first user, but not the API token, nor somebody who has just signed up. */
const SIGNED_IN = [
  "PUT /hooks/policy",
  "PUT /hooks/approval-settings",
  "PUT /settings/models",
  "PUT /settings/backups",
  "PUT /settings/retention",
  "POST /retention",
  "POST /settings/models/test",
  "DELETE /hooks/allowances/{id}",
  "POST /hooks/approvals/{id}/decision",
  "GET /push/key",
  "GET /push/devices",
  "POST /push/devices",
  "DELETE /push/devices/{id}",
  "POST /push/devices/{id}/test",
  "POST /hooks/sessions/{sessionId}/instructions",
  "POST /hooks/instructions/{id}/withdraw",
  "GET /hooks/sessions/{sessionId}/undo",
  "POST /hooks/sessions/{sessionId}/undo",
];
/** What only makes sense within a session. */
const OF_A_SESSION = ["POST /account/sessions/end-others"];

const routes = listOperations(capabilities, "api").map(({ route }) => `${route.method} ${route.path}`);

const ID = "00000000-0000-7000-8000-000000000000";
const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

let server: TestServer;
let callers: Record<"nobody" | "session" | "newcomer" | "token" | "forged session" | "wrong token", Request>;

const NEWCOMER = { email: "new@example.com", password: "correct horse battery" };

async function signUpNewcomer({ anonymous }: TestServer): Promise<void> {
  await anonymous("POST", "/api/auth/sign-up/email", { body: { name: "Owner", ...NEWCOMER } });
}

async function signInNewcomer({ url, anonymous }: TestServer): Promise<Request> {
  const { headers } = await anonymous("POST", "/api/auth/sign-in/email", { body: NEWCOMER });
  return createRequest(url, { Cookie: cookieOf(headers) });
}

beforeAll(async () => {
  server = await startTestServer();
  await signUpNewcomer(server);
  callers = {
    nobody: server.anonymous,
    session: await server.signIn(),
    newcomer: await signInNewcomer(server),
    token: server.withToken,
    "forged session": createRequest(server.url, { Cookie: "better-auth.session_token=forged.AAAA" }),
    "wrong token": createRequest(server.url, { "X-API-Token": "wrong" }),
  };
});
afterAll(() => server.close());

describe.each(routes)("%s", (route) => {
  const isOpen = OPEN.includes(route);
  const [method = "", template = ""] = route.split(" ");
  const path = `/api${template.replaceAll(/\{\w+\*?\}/g, ID)}`;
  const statusFor = async (caller: keyof typeof callers, headers: Record<string, string> = {}) =>
    (await callers[caller](method, path, { headers })).status;

  test(`is open to ${isOpen ? "anyone" : "users only"}`, async () => {
    for (const stranger of ["nobody", "forged session", "wrong token"] as const) {
      expect((await statusFor(stranger)) === UNAUTHENTICATED).toBe(!isOpen);
    }
    for (const user of ["session", "newcomer", "token"] as const) {
      const status = await statusFor(user);
      expect(status).not.toBe(UNAUTHENTICATED);
      expect(status).toBeLessThan(500);
      const isForbidden =
        (user !== "session" && SIGNED_IN.includes(route)) || (user === "token" && OF_A_SESSION.includes(route));
      expect(status === FORBIDDEN).toBe(isForbidden);
    }
  });

  // Another site's page may send a GET, which changes nothing, but the browser keeps the response from it.
  if (method === "GET") return;
  test("is refused to pages of other sites", async () => {
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      for (const caller of ["nobody", "session", "token"] as const) {
        expect(await statusFor(caller, headers)).toBe(FORBIDDEN);
      }
    }
  });
});

test("every user decides where nobody can sign up", async () => {
  const open = await startTestServer();
  await signUpNewcomer(open);
  const closed = await startTestServer({ DATABASE_URL: open.databaseUrl, SIGN_UP: "closed" });
  const withdraw = async (caller: Request) => (await caller("POST", `/api/hooks/instructions/${ID}/withdraw`)).status;
  try {
    expect(await withdraw(await signInNewcomer(open))).toBe(FORBIDDEN);
    expect(await withdraw(await signInNewcomer(closed))).toBe(404);
    expect(await withdraw(closed.withToken)).toBe(FORBIDDEN);
  } finally {
    await closed.close();
    await open.close();
  }
});
