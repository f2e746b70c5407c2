import {
  createCookieJar,
  signInAtProvider,
  type CookieJar,
  type SignInProviderServer,
} from "@workspace/core/testing/sign-in-provider";
import { expect } from "vitest";
import { cookieOf, createRequest, type Request, type TestServer } from "./test-server.ts";

export const PASSWORD = "correct horse battery";
export const CALLBACK = "/api/auth/oidc/callback";

let people = 0;
/** Somebody whom the provider knows. */
export function addPerson(provider: SignInProviderServer, claims: object = {}): string {
  people += 1;
  const login = `person-${people}`;
  const all = { email: `${login}@example.com`, email_verified: true, name: `Person ${people}`, ...claims };
  provider.people.set(login, all);
  return login;
}

export interface Visit {
  readonly server: TestServer;
  readonly jar: CookieJar;
}
let visits = 0;
/** From an address of its own, since beginnings from one are limited. */
export function visit(server: TestServer): Visit {
  visits += 1;
  return { server, jar: createCookieJar({ "X-Forwarded-For": `192.0.2.${visits}` }) };
}

export const post = ({ server, jar }: Visit, path: string, body: object, headers = {}) =>
  jar.send(`${server.url}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

export async function begin(at: Visit, body: object = {}): Promise<string> {
  const response = await post(at, "oidc/begin", body);
  expect(response.status).toBe(200);
  const { url } = await json(response);
  return url;
}

/** Signs in at the provider; returns the address to which it sends the browser back. */
export async function beginAs(at: Visit, login: string, body: object = {}): Promise<string> {
  return signInAtProvider(at.jar, await begin(at, body), login);
}

/** Goes to an address of the server; returns to where it sends the browser on. */
export async function follow({ jar }: Visit, url: string): Promise<string> {
  const response = await jar.send(url);
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

export const signIn = async (at: Visit, login: string, body: object = {}) => follow(at, await beginAs(at, login, body));
export const json = async (response: Response): Promise<any> => response.json();
export const userOf = async ({ server, jar }: Visit) =>
  (await json(await jar.send(`${server.url}/api/auth/get-session`)))?.user ?? null;
export const get = async ({ server, jar }: Visit, path: string) =>
  (await json(await jar.send(`${server.url}${path}`))).data;
export const outcomesOf = async (at: Visit): Promise<string[]> =>
  (await get(at, "/api/account/sign-ins")).map(({ outcome }: { outcome: string }) => outcome);
export const problem = (name: string, next = "/") =>
  `/sign-in?${new URLSearchParams({ problem: name, next }).toString()}`;

export async function countRows(server: TestServer): Promise<number[]> {
  const { rows } = await server.db.pool.query<{ users: number; links: number; sessions: number }>(`
    SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM sessions) AS sessions,
      (SELECT count(*)::int FROM accounts WHERE provider_id <> 'credential') AS links`);
  return Object.values(rows[0] ?? {});
}

/** Nobody gets in, and nothing is stored. */
export async function expectRefusal(at: Visit, url: string, name: string): Promise<void> {
  const before = await countRows(at.server);
  expect(await follow(at, url)).toBe(problem(name));
  expect([await userOf(at), await countRows(at.server)]).toEqual([null, before]);
}

/** Somebody who has signed up with a password. */
export async function signUp(server: TestServer, email: string): Promise<{ request: Request; cookie: string }> {
  const body = { name: "Person", email, password: PASSWORD };
  const { status, headers } = await server.anonymous("POST", "/api/auth/sign-up/email", { body });
  expect(status).toBe(200);
  const cookie = cookieOf(headers);
  return { cookie, request: createRequest(server.url, { Cookie: cookie }) };
}

export async function enterPassword(at: Visit, email: string, password = PASSWORD): Promise<void> {
  expect((await post(at, "sign-in/email", { email, password })).status).toBe(200);
}
