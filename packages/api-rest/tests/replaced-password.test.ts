import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startMailServer, type MailServer } from "@workspace/core/testing/mail-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf, createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const OLD = "correct horse battery";
const NEW = "an entirely new password";

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
function post(path: string, body: object, request = server.anonymous): ReturnType<Request> {
  callers += 1;
  return request("POST", `/api/auth/${path}`, { body, headers: { "X-Forwarded-For": `198.51.100.${callers % 250}` } });
}
const requestAs = (headers: Headers): Request => createRequest(server.url, { Cookie: cookieOf(headers) });
const signIn = (email: string, password: string) => post("sign-in/email", { email, password });

async function signUp(email: string): Promise<Request> {
  return requestAs((await post("sign-up/email", { name: "Person", email, password: OLD })).headers);
}

async function askForToken(email: string): Promise<string | undefined> {
  await post("request-password-reset", { email });
  const source = () => mail.received.find(({ to }) => to.includes(email))?.source ?? "";
  await expect.poll(source, { timeout: 20_000 }).toContain("/reset-password#");
  return /#([A-Za-z0-9]+)/.exec(source())?.[1];
}

async function resetByMail(email: string): Promise<void> {
  const token = await askForToken(email);
  expect((await post("reset-password", { token, newPassword: NEW })).status).toBe(200);
}

async function resetByCommand(email: string): Promise<void> {
  const workspace = join(import.meta.dirname, "../dist/workspace.js");
  const env = { PATH: process.env["PATH"], DATABASE_URL: server.databaseUrl };
  const run = promisify(execFile)(process.execPath, [workspace, "user", "reset-password", email], { env });
  run.child.stdin?.end();
  await run;
}

/** Does something over and over, several at a time, while something else happens; it says itself when it is of no more use. */
async function during(work: () => Promise<void>, attempt: () => Promise<boolean>): Promise<void> {
  const state = { isOver: false };
  const loop = async (): Promise<void> => {
    while ((await attempt()) && !state.isOver);
  };
  const loops = Promise.all([loop(), loop(), loop()]);
  await work().finally(() => (state.isOver = true));
  await loops;
}

test.each([
  ["by a mail", resetByMail],
  ["by the command", resetByCommand],
])("whoever signs in with the old password while it is replaced %s is signed out", async (how, reset) => {
  const email = `${how.replaceAll(" ", "-")}@example.com`;
  await signUp(email);
  const sessions: Request[] = [];
  await during(
    () => reset(email),
    async () => {
      const { status, headers } = await signIn(email, OLD);
      if (status === 200) sessions.push(requestAs(headers));
      return status === 200;
    },
  );
  expect(sessions.length).toBeGreaterThan(0);
  const statuses = await Promise.all(sessions.map(async (request) => (await request("GET", "/api/tasks")).status));
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test("of a change of the old password and a mail at the same time, one replaces it", async () => {
  const email = "changed@example.com";
  const owner = await signUp(email);
  const token = await askForToken(email);
  const body = { currentPassword: OLD, newPassword: "another password" };
  const [reset, change] = await Promise.all([
    post("reset-password", { token, newPassword: NEW }),
    post("change-password", body, owner),
  ]);
  expect([reset.status, change.status]).toSatisfy(([first, second]) => (first === 200) !== (second === 200));
  expect((await signIn(email, NEW)).status).toBe(reset.status === 200 ? 200 : 401);
  expect((await signIn(email, body.newPassword)).status).toBe(change.status === 200 ? 200 : 401);
});
