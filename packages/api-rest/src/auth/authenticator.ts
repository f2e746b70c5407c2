import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  selectFirstUser,
  selectSession,
  SESSION_LIFETIME_S,
  SESSION_REFRESH_AGE_S,
  type Auth,
  type AuthCookies,
  type Clock,
  type SessionRecord,
  type UserPrincipal,
} from "@workspace/core";
import type { Db, Listener } from "@workspace/db";
import { createCredentialCache } from "./credential-cache.ts";

/**
 * Names the user whose page sends the request. A page may outlive their session while somebody else signs in with the same browser; it
 * must not act as them.
 */
const PAGE_USER_HEADER = "x-page-user";
const RENEWAL_THRESHOLD_MS = (SESSION_LIFETIME_S - SESSION_REFRESH_AGE_S) * 1000;

export interface AuthenticatorOptions {
  readonly auth: Auth;
  readonly db: Db;
  readonly clock: Clock;
  readonly listener: Listener;
  /** The configured API token; null to accept none. */
  readonly apiToken: string | null;
  /** Whether anyone who reaches the server can create an account. */
  readonly isSignUpOpen: boolean;
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

/**
 * Identifies the user of a request. A session that was seen before costs a lookup in memory: a trigger on its row notifies
 * every process when it ends, and while that channel is down, the database is queried each time.
 */
export async function createAuthenticator(options: AuthenticatorOptions) {
  const { auth, db, clock, listener, apiToken, isSignUpOpen } = options;
  const cookies = await auth.describeCookies();
  const apiTokenHash = apiToken === null ? null : sha256(apiToken);
  const sessions = await createCredentialCache<SessionRecord>({
    listener,
    isAbout: (change, { sessionId, user }) => change === `session:${sessionId}` || change === `user:${user.userId}`,
  });

  /** A forged cookie costs no query. */
  function findSession(cookie: string): Promise<SessionRecord | null> {
    return sessions.find(cookie, async () => {
      const token = await cookies.session.readValue(cookie);
      return token === null ? null : selectSession(db.pool, token);
    });
  }

  /** One of the cookies of a request, as a `Cookie` header; null without it. */
  function cookieOf(req: IncomingMessage, kind: keyof AuthCookies): string | null {
    const { name } = cookies[kind];
    const value = readCookie(req.headers.cookie, name);
    return value === null ? null : `${name}=${value}`;
  }

  /** Restarts the session's lifetime in the database and in the browser's cookie. */
  async function renew(cookie: string, res: ServerResponse): Promise<void> {
    const renewal = await auth.getSession(new Headers({ cookie }));
    const cookies = renewal.headers.getSetCookie();
    if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  }

  async function authenticateBySession(
    req: IncomingMessage,
    res: ServerResponse | null,
  ): Promise<UserPrincipal | null> {
    const cookie = cookieOf(req, "session");
    if (cookie === null) return null;
    const session = await findSession(cookie);
    const remainingMs = session === null ? 0 : Date.parse(session.expiresAt) - clock.now().getTime();
    if (session === null || remainingMs <= 0) return null;
    const pageUser = req.headers[PAGE_USER_HEADER];
    if (pageUser !== undefined && pageUser !== session.user.userId) return null;
    if (remainingMs < RENEWAL_THRESHOLD_MS && res !== null) await renew(cookie, res);
    return { ...session.user, canDecide: session.isFirstUser || !isSignUpOpen };
  }

  return {
    /**
     * The user of a valid API token or session cookie; null without either. May renew the session's cookie if there is a
     * response to set it in.
     */
    async authenticate(req: IncomingMessage, res: ServerResponse | null): Promise<UserPrincipal | null> {
      const token = req.headers["x-api-token"];
      if (typeof token === "string" && apiTokenHash !== null && timingSafeEqual(sha256(token), apiTokenHash)) {
        const user = await selectFirstUser(db.pool);
        if (user !== null) return user;
      }
      return authenticateBySession(req, res);
    },

    /** Like `authenticate`, by the session cookie alone. */
    authenticateBySession,

    /**
     * One of the cookies of sign-in, as a `Cookie` header; null without it. For the library, which would read the other of two
     * cookies with the same name.
     */
    cookieOf,

    /** Makes a change by this process take effect here immediately; the other processes are notified. */
    forgetSessions: sessions.forgetAll,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of the first cookie with this name, still encoded; null if it is missing. */
function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(";")) {
    const separator = pair.indexOf("=");
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}
