import { capabilities, listOperations } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

/** Who may use a route: `user` is a session or the API token, `open` is anyone. */
type Access = "user" | "open";

/** All routes of `/api` that are procedures. A route without a row fails below. */
const ACCESS: Readonly<Record<string, Access>> = {
  "GET /tasks": "user",
  "POST /tasks": "user",
  "GET /tasks/tags": "user",
  "GET /tasks/{id}": "user",
  "PUT /tasks/{id}": "user",
  "DELETE /tasks/{id}": "user",
  "POST /tasks/{id}/restore": "user",
  "GET /projects": "user",
  "POST /projects": "user",
  "GET /projects/{id}": "user",
  "PUT /projects/{id}": "user",
  "DELETE /projects/{id}": "user",
  "GET /api-keys": "user",
  "POST /api-keys": "user",
  "DELETE /api-keys/{id}": "user",
  "GET /credits": "user",
  "POST /credits": "user",
  "GET /credits/entries": "user",
  "GET /documents": "user",
  "GET /documents/search": "user",
  "GET /documents/mirror": "user",
  "POST /documents/mirror/accept": "user",
  "POST /documents/by-path": "user",
  "GET /documents/{id}": "user",
  "PUT /documents/{id}": "user",
  "DELETE /documents/{id}": "user",
  "PUT /documents/{id}/sharing": "user",
  "POST /documents/{id}/restore": "user",
  "GET /documents/{id}/public": "open",
  "GET /documents/{id}/links": "user",
  "GET /documents/{id}/versions": "user",
  "GET /documents/{id}/versions/{versionId}": "user",
  "POST /documents/{id}/versions/{versionId}/restore": "user",
  "GET /fs/list": "user",
  "POST /fs/read": "user",
  "POST /fs/write": "user",
  "POST /fs/mkdir": "user",
  "POST /fs/rename": "user",
  "POST /fs/delete": "user",
  "POST /fs/move": "user",
  "GET /agents": "user",
  "POST /agents": "user",
  "GET /agents/stats": "user",
  "GET /agents/tools": "user",
  "GET /agents/next-runs": "user",
  "POST /agents/enabled": "user",
  "GET /agents/{id}": "user",
  "PATCH /agents/{id}": "user",
  "DELETE /agents/{id}": "user",
  "POST /agents/{id}/run": "user",
  "POST /agents/{id}/cancel": "user",
  "GET /agents/{id}/next-runs": "user",
  "GET /agents/{id}/runs": "user",
  "GET /agents/{id}/runs/{runId}": "user",
  "GET /agents/{id}/stats": "user",
  "GET /conversations": "user",
  "GET /conversations/{id}": "user",
  "DELETE /conversations/{id}": "user",
  "GET /usage": "user",
  "GET /usage/stats": "user",
  "GET /usage/budget": "user",
  "GET /memory/search": "user",
  "GET /memory/context": "user",
  "GET /memory/project": "user",
  "POST /memory/injections": "user",
  "GET /memory/{id}/injections": "user",
  "PUT /memory/{id}/injections": "user",
  "GET /memory/citations": "user",
  "POST /memory/citations/checks": "user",
  "POST /memory/{id}/confirm": "user",
  "POST /memory/review": "user",
  "GET /memory/review-settings": "user",
  "PUT /memory/review-settings": "user",
  "POST /memory/store": "user",
  "POST /memory/extract": "user",
  "GET /memory": "user",
  "POST /memory/merge": "user",
  "POST /memory/delete": "user",
  "POST /memory/restore": "user",
  "GET /memory/{id}": "user",
  "PUT /memory/{id}": "user",
  "DELETE /memory/{id}": "user",
  "GET /memory/{id}/recall": "user",
  "GET /hooks/events": "user",
  "POST /hooks/events": "user",
  "POST /hooks/events/batch": "user",
  "GET /hooks/stats": "user",
  "GET /hooks/sessions/search": "user",
  "GET /hooks/sessions/{sessionId}": "user",
  "GET /hooks/sessions/{sessionId}/transcript": "user",
  "POST /hooks/sessions/{sessionId}/transcript": "user",
  "GET /hooks/extraction": "user",
  "POST /hooks/key/revoke": "user",
  "POST /hooks/secrets": "user",
  "POST /hooks/why": "user",
  "GET /hooks/policy": "user",
  "PUT /hooks/policy": "user",
  "GET /hooks/memory-settings": "user",
  "PUT /hooks/memory-settings": "user",
  "POST /hooks/assistant-usage": "user",
  "GET /hooks/assistant-usage/stats": "user",
  "GET /secrets": "user",
  "POST /secrets": "user",
  "POST /secrets/rotate": "user",
  "GET /secrets/{key}": "user",
  "PUT /secrets/{key}": "user",
  "DELETE /secrets/{key}": "user",
  "GET /secrets/{key}/accesses": "user",
  "GET /secrets/{key}/grants": "user",
  "POST /secrets/{key}/grants": "user",
  "DELETE /secrets/{key}/grants/{id}": "user",
};

const ID = "00000000-0000-7000-8000-000000000000";
const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

let server: TestServer;
let callers: Record<"nobody" | "session" | "token" | "forged session" | "wrong token", Request>;

beforeAll(async () => {
  server = await startTestServer();
  callers = {
    nobody: server.anonymous,
    session: await server.signIn(),
    token: server.withToken,
    "forged session": createRequest(server.url, { Cookie: "better-auth.session_token=forged.AAAA" }),
    "wrong token": createRequest(server.url, { "X-API-Token": "wrong" }),
  };
});
afterAll(() => server.close());

test("the table contains exactly the existing routes", () => {
  const routes = listOperations(capabilities, "api").map(({ route }) => `${route.method} ${route.path}`);
  expect(routes.toSorted()).toEqual(Object.keys(ACCESS).toSorted());
});

describe.each(Object.entries(ACCESS))("%s", (route, access) => {
  const [method = "", template = ""] = route.split(" ");
  const path = `/api${template.replaceAll(/\{\w+\*?\}/g, ID)}`;
  const statusFor = async (caller: keyof typeof callers, headers: Record<string, string> = {}) =>
    (await callers[caller](method, path, { headers })).status;

  test(`is open to ${access === "open" ? "anyone" : "users only"}`, async () => {
    for (const stranger of ["nobody", "forged session", "wrong token"] as const) {
      expect((await statusFor(stranger)) === UNAUTHENTICATED).toBe(access === "user");
    }
    for (const user of ["session", "token"] as const) {
      const status = await statusFor(user);
      expect(status).not.toBe(UNAUTHENTICATED);
      expect(status).toBeLessThan(500);
    }
  });

  test.runIf(method !== "GET")("is refused to pages of other sites", async () => {
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
