import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Provider, type AccountClaims } from "oidc-provider";

/** The client as which a workspace is known to the provider, and another one. */
export const CLIENT = { id: "workspace", secret: "the secret of the workspace" };
export const OTHER_CLIENT = { id: "another-client", secret: "the secret of another client" };

/** What the provider says of a person, besides their subject, which is what they enter as their user name. */
export type ProvidedClaims = Omit<AccountClaims, "sub">;

export type SignInProviderServer = Awaited<ReturnType<typeof startSignInProvider>>;

/**
 * An OpenID provider over real HTTP, with its own pages to sign in: a certified implementation that others wrote. Any password is
 * right.
 */
export async function startSignInProvider() {
  const people = new Map<string, ProvidedClaims>();
  const redirectUrls = new Set<string>();
  let alterTokens: ((tokens: Record<string, unknown>) => void) | undefined;
  let alterUserInfo: ((claims: Record<string, unknown>) => void) | undefined;
  let isBroken = false;

  const http = createServer();
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const issuer = `http://localhost:${port}`;

  const provider = new Provider(issuer, {
    clients: [CLIENT, OTHER_CLIENT].map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: ["http://localhost/callback"],
    })),
    jwks: { keys: [{ ...newKey(), use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomUUID()] },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
  });
  // Which port a workspace has is known only once it has started.
  provider.Client.prototype.redirectUriAllowed = (url) => redirectUrls.has(url);
  provider.use(async (ctx, next) => {
    if (isBroken) {
      ctx.status = 503;
      return;
    }
    await next();
    if (ctx.path === "/token" && ctx.status === 200) alterTokens?.(ctx.body);
    if (ctx.path === "/me" && ctx.status === 200) alterUserInfo?.(ctx.body);
  });
  const handle = provider.callback();
  http.on("request", (request, response) => void handle(request, response));

  return {
    issuer,
    /** The variables with which a workspace uses it. */
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    /** What it says of each person, by their user name. */
    people,
    /** To which addresses it sends browsers back. */
    redirectUrls,
    /** Changes what it responds for a code, from now on. */
    alterTokens(alter: ((tokens: Record<string, unknown>) => void) | undefined): void {
      alterTokens = alter;
    },
    /** Changes what it says of whoever has signed in, from now on. */
    alterUserInfo(alter: ((claims: Record<string, unknown>) => void) | undefined): void {
      alterUserInfo = alter;
    },
    /** Has it respond with errors, or no longer. */
    setBroken(isNow: boolean): void {
      isBroken = isNow;
    },
    async close(): Promise<void> {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

/** A browser without a window: keeps the cookies of each origin, and follows no redirect by itself. It sends these headers. */
export function createCookieJar(always: Readonly<Record<string, string>> = {}) {
  const cookies = new Map<string, string>();

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(url);
    const headers = new Headers({ ...always, ...Object.fromEntries(new Headers(init.headers)) });
    const own = [...cookies].flatMap(([key, value]) => {
      const [from = "", path = "", name = ""] = key.split(" ");
      return from === origin && pathname.startsWith(path) ? [`${name}=${value}`] : [];
    });
    headers.set("cookie", own.join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split(/;\s*/);
      const [name = "", ...value] = pair.split("=");
      const path = attributes.find((text) => /^path=/i.test(text))?.slice("path=".length) ?? "/";
      const isOver = value.join("=") === "" || attributes.some((text) => /^max-age=0$/i.test(text));
      if (isOver) cookies.delete(`${origin} ${path} ${name}`);
      else cookies.set(`${origin} ${path} ${name}`, value.join("="));
    }
    return response;
  }

  return { send };
}
export type CookieJar = ReturnType<typeof createCookieJar>;

/** Signs in at the provider, and agrees; returns the address to which it sends the browser back. */
export async function signInAtProvider({ send }: CookieJar, url: string, login: string): Promise<string> {
  const { origin } = new URL(url);
  let next = url;
  for (let step = 0; step < 12; step += 1) {
    const response = await send(next);
    const location = response.headers.get("location");
    if (location === null) {
      const form = new URLSearchParams({ prompt: promptOf(await response.text()), login, password: "any" });
      const submitted = await send(next, { method: "POST", body: form });
      next = new URL(submitted.headers.get("location") ?? "", next).href;
    } else {
      next = new URL(location, next).href;
    }
    if (new URL(next).origin !== origin) return next;
  }
  throw new Error(`The provider did not send the browser back: ${next}`);
}

function promptOf(page: string): string {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  if (prompt === undefined) throw new Error(`This is no page to sign in: ${page.slice(0, 2000)}`);
  return prompt;
}

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
