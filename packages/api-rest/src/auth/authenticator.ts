import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  selectFirstUser,
  selectSession,
  SESSION_LIFETIME_S,
  SESSION_REFRESH_AGE_S,
  type Auth,
  type Clock,
  type SessionRecord,
  type UserPrincipal,
} from "@workspace/core";
import type { Db, Listener } from "@workspace/db";
import { createCredentialCache } from "./credential-cache.ts";

const RENEWAL_THRESHOLD_MS = (SESSION_LIFETIME_S - SESSION_REFRESH_AGE_S) * 1000;

export interface AuthenticatorOptions {
  readonly auth: Auth;
  readonly db: Db;
  readonly clock: Clock;
  readonly listener: Listener;
  /** The configured API token; null switches it off. */
  readonly apiToken: string | null;
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

/**
 * Finds out which user a request comes from. A session that was seen before costs a look-up in memory: its row's trigger
 * tells every process of the moment it ends, and while that channel is down the database is asked each time.
 */
export async function createAuthenticator({ auth, db, clock, listener, apiToken }: AuthenticatorOptions) {
  const { name: cookieName, secret } = await auth.describeCookie();
  const apiTokenHash = apiToken === null ? null : sha256(apiToken);
  const sessions = await createCredentialCache<SessionRecord>({
    listener,
    isAbout: (change, { sessionId, user }) => change === `session:${sessionId}` || change === `user:${user.userId}`,
  });

  /** A forged cookie costs no look-up. */
  function findSession(cookie: string): Promise<SessionRecord | null> {
    return sessions.find(cookie, async () => {
      const token = openSignedValue(cookie, secret);
      return token === null ? null : selectSession(db.pool, token);
    });
  }

  /** Restarts the session's lifetime in the database and in the browser's cookie. */
  async function renew(cookie: string, res: ServerResponse): Promise<void> {
    const renewal = await auth.getSession(new Headers({ cookie: `${cookieName}=${cookie}` }));
    const cookies = renewal.headers.getSetCookie();
    if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  }

  async function authenticateBySession(
    req: IncomingMessage,
    res: ServerResponse | null,
  ): Promise<UserPrincipal | null> {
    const cookie = readCookie(req.headers.cookie, cookieName);
    if (cookie === null) return null;
    const decoded = decodeCookie(cookie);
    const session = decoded === null ? null : await findSession(decoded);
    const remainingMs = session === null ? 0 : Date.parse(session.expiresAt) - clock.now().getTime();
    if (session === null || remainingMs <= 0) return null;
    if (remainingMs < RENEWAL_THRESHOLD_MS && res !== null) await renew(cookie, res);
    return session.user;
  }

  return {
    /**
     * The user behind a valid API token or session cookie; null without either. May renew the session's cookie where there
     * is a response to set it in.
     */
    async authenticate(req: IncomingMessage, res: ServerResponse | null): Promise<UserPrincipal | null> {
      const token = req.headers["x-api-token"];
      if (typeof token === "string" && apiTokenHash !== null && timingSafeEqual(sha256(token), apiTokenHash)) {
        const user = await selectFirstUser(db.pool);
        if (user !== null) return user;
      }
      return authenticateBySession(req, res);
    },

    /** As `authenticate`, by the session cookie alone. */
    authenticateBySession,

    /**
     * The one session cookie that this reads, as a `Cookie` header; null without it. For the library, which of two cookies
     * with the same name would read the other one.
     */
    sessionCookieOf(req: IncomingMessage): string | null {
      const cookie = readCookie(req.headers.cookie, cookieName);
      return cookie === null ? null : `${cookieName}=${cookie}`;
    },

    /** For this process to see at once what it just changed itself; the others hear of it in a moment. */
    forgetSessions: sessions.forgetAll,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of the first cookie with this name, still encoded; null where it is missing. */
function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(";")) {
    const separator = pair.indexOf("=");
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

function decodeCookie(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Opens the library's `<value>.<base64 HMAC-SHA-256>`; null where the signature does not fit. */
function openSignedValue(signed: string, secret: string): string | null {
  const separator = signed.lastIndexOf(".");
  if (separator < 1) return null;
  const value = signed.slice(0, separator);
  const given = Buffer.from(signed.slice(separator + 1));
  const expected = Buffer.from(createHmac("sha256", secret).update(value).digest("base64"));
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}
