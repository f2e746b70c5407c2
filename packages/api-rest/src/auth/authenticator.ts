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

/** Where triggers announce that a session or a user changed, as `session:<id>` or `user:<id>`. */
const CREDENTIALS_CHANNEL = "workspace_credentials";
const MAX_CACHED_SESSIONS = 10_000;
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
  const sessions = new Map<string, SessionRecord>();
  const apiTokenHash = apiToken === null ? null : sha256(apiToken);
  let isListening = false;
  let forgottenCount = 0;

  function forgetSessions(): void {
    forgottenCount += 1;
    sessions.clear();
  }

  listener.onConnectionChange((connected) => {
    isListening = connected;
    forgetSessions();
  });
  await listener.listen(CREDENTIALS_CHANNEL, (payload) => {
    const id = payload.startsWith("session:") ? payload.slice("session:".length) : undefined;
    if (id === undefined) {
      forgetSessions();
      return;
    }
    forgottenCount += 1;
    for (const [cookie, session] of sessions) if (session.sessionId === id) sessions.delete(cookie);
  });

  async function findSession(cookie: string): Promise<SessionRecord | null> {
    const cached = sessions.get(cookie);
    if (cached !== undefined) return cached;
    const token = openSignedValue(cookie, secret);
    if (token === null) return null;
    const forgottenBefore = forgottenCount;
    const session = await selectSession(db.pool, token);
    // A session that ended while it was read must not be remembered.
    if (session !== null && isListening && forgottenCount === forgottenBefore) remember(cookie, session);
    return session;
  }

  function remember(cookie: string, session: SessionRecord): void {
    if (sessions.size >= MAX_CACHED_SESSIONS) sessions.clear();
    sessions.set(cookie, session);
  }

  /** Counts the session's lifetime anew in the database and in the browser's cookie. */
  async function renew(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const renewal = await auth.getSession(new Headers({ cookie: req.headers.cookie ?? "" }));
    const cookies = renewal.headers.getSetCookie();
    if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  }

  async function authenticateBySession(req: IncomingMessage, res: ServerResponse): Promise<UserPrincipal | null> {
    const cookie = readCookie(req.headers.cookie, cookieName);
    if (cookie === null) return null;
    const session = await findSession(cookie);
    const remainingMs = session === null ? 0 : Date.parse(session.expiresAt) - clock.now().getTime();
    if (session === null || remainingMs <= 0) return null;
    if (remainingMs < RENEWAL_THRESHOLD_MS) await renew(req, res);
    return session.user;
  }

  return {
    /** The user behind a valid API token or session cookie; null without either. May renew the session's cookie. */
    async authenticate(req: IncomingMessage, res: ServerResponse): Promise<UserPrincipal | null> {
      const token = req.headers["x-api-token"];
      if (typeof token === "string" && apiTokenHash !== null && timingSafeEqual(sha256(token), apiTokenHash)) {
        const user = await selectFirstUser(db.pool);
        if (user !== null) return user;
      }
      return authenticateBySession(req, res);
    },

    /** For this process to see at once what it just changed itself; the others hear of it in a moment. */
    forgetSessions,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of a cookie as the browser sent it, decoded; null where it is missing. */
function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(";")) {
    const separator = pair.indexOf("=");
    if (separator !== -1 && pair.slice(0, separator).trim() === name)
      return decodeCookie(pair.slice(separator + 1).trim());
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
