import { createAuthMiddleware } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import { betterAuth } from "better-auth/minimal";
import type { Deps } from "../../platform/deps.ts";
import { createAuthAdapter } from "./auth-adapter.ts";
import { withContextTracking } from "./context-tracking.ts";
import { createUserWithPassword, type NewUser } from "./first-user.ts";
import { createPasswordHashing } from "./password-hashing.ts";
import { createSessionCookie, type SessionCookie } from "./session-cookie.ts";

const DAY_S = 24 * 60 * 60;

/** The contract's session lifetime: 7 days, renewed at most once a day by active use. */
export const SESSION_LIFETIME_S = 7 * DAY_S;
export const SESSION_REFRESH_AGE_S = DAY_S;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export interface AuthOptions extends Deps<"db" | "ids" | "logger"> {
  /** Signs session cookies. */
  readonly secret: string;
  /** The public address; cookies are secure when it is https. */
  readonly baseUrl: string;
  readonly trustedOrigins: readonly string[];
  /** Whether anyone may create an account. {@link Auth.createUser} works either way. */
  readonly isSignUpOpen: boolean;
}

/** The few calls that the server makes to the authentication library. */
export interface Auth {
  /** Handles a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The response of `get-session`, which renews the session and its cookie when due. */
  getSession(headers: Headers): Promise<Response>;
  /** Creates a user who signs in with email and password, bypassing the sign-up policy. Throws if the email is taken. */
  createUser(user: NewUser): Promise<void>;
  /** The session cookie. */
  describeCookie(): Promise<SessionCookie>;
}

/**
 * The authentication library, configured to the contract: response shapes, lifetimes, password rules. Rate limits and the
 * origin check belong to the server, which applies one rule to all of its routes.
 */
export function createAuth(options: AuthOptions): Auth {
  const library = configureLibrary(options);
  return {
    handle: (request) => withContextTracking(() => library.handler(request)),
    getSession: (headers) => withContextTracking(() => library.api.getSession({ headers, asResponse: true })),
    createUser: (user) => withContextTracking(async () => createUserWithPassword(await library.$context, user)),
    async describeCookie() {
      const { authCookies, secret } = await library.$context;
      return createSessionCookie(authCookies.sessionToken.name, secret);
    },
  };
}

function configureLibrary({ db, ids, logger, secret, baseUrl, trustedOrigins, isSignUpOpen }: AuthOptions) {
  const settings: BetterAuthOptions = {
    secret,
    baseURL: baseUrl,
    basePath: "/api/auth",
    trustedOrigins: [...trustedOrigins],
    database: createAuthAdapter(db.pool),
    emailAndPassword: {
      enabled: true,
      // The server rejects sign-ups before it calls the library; this is a second line of defence.
      disableSignUp: !isSignUpOpen,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: createPasswordHashing(),
    },
    session: { expiresIn: SESSION_LIFETIME_S, updateAge: SESSION_REFRESH_AGE_S },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      database: { generateId: () => ids() },
      // Determined by the configured address, not by NODE_ENV.
      useSecureCookies: baseUrl.startsWith("https://"),
      disableCSRFCheck: true,
    },
    logger: {
      level: "warn",
      log: (level, message) => logger[level === "error" ? "error" : "debug"]({ component: "auth" }, message),
    },
    hooks: {
      after: createAuthMiddleware(async (ctx) => {
        switch (ctx.path) {
          case "/sign-up/email":
          case "/sign-in/email":
          case "/change-password":
          case "/update-user":
            return ctx.context.newSession ? ctx.json(toSignedIn(ctx.context.newSession)) : undefined;
          case "/get-session":
            return isSignedIn(ctx.context.returned) ? ctx.json(toSignedIn(ctx.context.returned)) : undefined;
          default:
            return undefined;
        }
      }),
    },
  };
  return betterAuth(settings);
}

interface SignedIn {
  user: { id: string; name: string; email: string };
  session: { id: string; userId: string; expiresAt: Date };
}

/** The contract's shape of a signed-in user, without the token and other fields that the library would add. */
function toSignedIn({ user, session }: SignedIn): SignedIn {
  return {
    user: { id: user.id, name: user.name, email: user.email },
    session: { id: session.id, userId: session.userId, expiresAt: session.expiresAt },
  };
}

function isSignedIn(value: unknown): value is SignedIn {
  return typeof value === "object" && value !== null && "user" in value && "session" in value;
}
