import { APIError, createAuthMiddleware } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import type { PasswordReset } from "../mail/password-reset-mail.ts";
import type { SignInProvider } from "../sign-in-provider/sign-in-provider.ts";
import { createAuthAdapter } from "./auth-adapter.ts";
import { deleteUserChallenges, lockPassword, selectChallengedUser } from "./auth.queries.ts";
import { withContextTracking } from "./context-tracking.ts";
import { createUserWithPassword, type NewUser } from "./first-user.ts";
import { createPasswordHashing } from "./password-hashing.ts";
import { readProviderFlows, type ProviderFlow } from "./provider-flow.ts";
import { createRecoveryCodes } from "./recovery-codes.ts";
import { createSignedCookie, type SignedCookie } from "./signed-cookie.ts";

const DAY_S = 24 * 60 * 60;

/** The contract's session lifetime: 7 days, renewed at most once a day by active use. */
export const SESSION_LIFETIME_S = 7 * DAY_S;
export const SESSION_REFRESH_AGE_S = DAY_S;

/** What authenticator apps and password managers show. */
const APP_NAME = "Workspace";

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export interface AuthOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  /** Signs session cookies. */
  readonly secret: string;
  /** The public address; cookies are secure when it is https. */
  readonly baseUrl: string;
  readonly trustedOrigins: readonly string[];
  /** Whether anyone may create an account. {@link Auth.createUser} works either way. */
  readonly isSignUpOpen: boolean;
  /** Null if people sign in with accounts of this workspace only. */
  readonly signInProvider: SignInProvider | null;
  /** Sends somebody what they set a new password with; null if no mail can be sent. */
  readonly sendPasswordReset: ((reset: PasswordReset) => void) | null;
}

/** The cookies in which a browser carries its session, and what is between the steps of signing in. */
export interface AuthCookies {
  readonly session: SignedCookie;
  /** After the password of somebody who also enters a code. */
  readonly secondFactor: SignedCookie;
  /** Until a passkey has signed. */
  readonly passkey: SignedCookie;
  /** While somebody signs in with the provider. */
  readonly provider: SignedCookie;
}

/** The few calls that the server makes to the authentication library. */
export interface Auth {
  /** Handles a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The response of `get-session`, which renews the session and its cookie when due. */
  getSession(headers: Headers): Promise<Response>;
  /** Creates a user who signs in with email and password, bypassing the sign-up policy. Throws if the email is taken. */
  createUser(user: NewUser): Promise<void>;
  describeCookies(): Promise<AuthCookies>;
  /** The email of whoever has entered their password and not yet a code, by a `Cookie` header; null without one that is valid. */
  findChallengedEmail(cookieHeader: string): Promise<string | null>;
  /** What the sign-in with the provider that has this state was begun with, by a `Cookie` header; null if it is over. */
  findProviderFlow(cookieHeader: string, state: string | null): Promise<ProviderFlow | null>;
  /** The email of the user whose password can be set with this token; null if it is not valid, or no longer. */
  findResetEmail(token: string): Promise<string | null>;
  /** Whether this is the password of the user behind a session. */
  isPassword(headers: Headers, password: string): Promise<boolean>;
}

const PASSWORD_PATH = "/api/auth/sign-in/email";
const PASSKEY_PATHS = "/api/auth/passkey/";
const PASSKEY_COOKIE = "passkey";
const PROVIDER_PATHS = "/api/auth/oidc/";
const PROVIDER_COOKIE = "provider";
/** To which a provider sends browsers back; it has to be told of it. */
export const PROVIDER_CALLBACK_PATH = "/api/auth/oidc/callback";
/** As the library names it. */
const SECOND_FACTOR_COOKIE = "two_factor";
const SECOND_FACTOR_PREFIX = "2fa-";
/** As the library names it. */
const RESET_PREFIX = "reset-password:";
const RESET_LIFETIME_S = 60 * 60;

const credentials = z.object({ email: z.string() });

/**
 * The authentication library, configured to the contract: response shapes, lifetimes, password rules. Rate limits and the
 * origin check belong to the server, which applies one rule to all of its routes.
 */
export function createAuth(options: AuthOptions): Auth {
  const settings = createSettings(options);
  const library = betterAuth(settings);
  // What they depend on takes a tenth of the memory of a server in which nobody may use them.
  let passkeyLibrary: Promise<Pick<typeof library, "handler">> | undefined;
  let providerLibrary: Promise<Pick<typeof library, "handler">> | undefined;

  function libraryFor(path: string): Pick<typeof library, "handler"> | Promise<Pick<typeof library, "handler">> {
    if (path.startsWith(PASSKEY_PATHS)) return (passkeyLibrary ??= createPasskeyLibrary(settings, options));
    if (path.startsWith(PROVIDER_PATHS)) return (providerLibrary ??= createProviderLibrary(settings, options));
    return library;
  }

  /** Signs in with the password that somebody has when they are signed in, and not with one that was replaced meanwhile. */
  async function signInWithPassword(request: Request): Promise<Response> {
    const { email } = credentials.parse(await request.clone().json());
    const password = await lockPassword(options.db.pool, email);
    const response = await library.handler(request.clone());
    if (!response.ok || (await lockPassword(options.db.pool, email)) === password) return response;
    // Whoever has replaced it ended what they found; this may have come later.
    await undo(response);
    return signInWithPassword(request);
  }

  /** Ends the session, or the sign-in that waits for a code, that begins with a response. */
  async function undo(response: Response): Promise<void> {
    const { session, secondFactor } = await describeCookies();
    const { internalAdapter } = await library.$context;
    const given = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
    const token = await session.readValue(given.join("; "));
    const challenge = await secondFactor.readValue(given.join("; "));
    if (token !== null) await internalAdapter.deleteSession(token);
    if (challenge !== null) await internalAdapter.deleteVerificationByIdentifier(challenge);
  }

  async function describeCookies(): Promise<AuthCookies> {
    const { authCookies, createAuthCookie, secret } = await library.$context;
    return {
      session: createSignedCookie(authCookies.sessionToken.name, secret),
      secondFactor: createSignedCookie(createAuthCookie(SECOND_FACTOR_COOKIE).name, secret),
      passkey: createSignedCookie(createAuthCookie(PASSKEY_COOKIE).name, secret),
      provider: createSignedCookie(createAuthCookie(PROVIDER_COOKIE).name, secret),
    };
  }

  return {
    handle: (request) =>
      withContextTracking(async () => {
        const { pathname } = new URL(request.url);
        if (pathname === PASSWORD_PATH) return signInWithPassword(request);
        return (await libraryFor(pathname)).handler(request);
      }),
    getSession: (headers) => withContextTracking(() => library.api.getSession({ headers, asResponse: true })),
    createUser: (user) => withContextTracking(async () => createUserWithPassword(await library.$context, user)),
    describeCookies,
    async findChallengedEmail(cookieHeader) {
      const challenge = await (await describeCookies()).secondFactor.readValue(cookieHeader);
      return challenge === null ? null : selectChallengedUser(options.db.pool, challenge);
    },
    findResetEmail: (token) =>
      withContextTracking(async () => {
        const { internalAdapter } = await library.$context;
        const found = await internalAdapter.findVerificationValue(`${RESET_PREFIX}${token}`);
        if (found === null || found.expiresAt <= options.clock.now()) return null;
        return (await internalAdapter.findUserById(found.value))?.email ?? null;
      }),
    findProviderFlow: async (cookieHeader, state) => {
      const value = await (await describeCookies()).provider.readValue(cookieHeader);
      return readProviderFlows(value, options.clock.now()).find((flow) => flow.state === state) ?? null;
    },
    isPassword: (headers, password) =>
      withContextTracking(async () => {
        const response = await library.api.verifyPassword({ headers, body: { password }, asResponse: true });
        if (response.status >= 500) throw new Error("The authentication library could not verify a password.");
        return response.ok;
      }),
  };
}

function createSettings({
  db,
  ids,
  logger,
  secret,
  baseUrl,
  trustedOrigins,
  isSignUpOpen,
  sendPasswordReset,
}: AuthOptions): BetterAuthOptions {
  const { origin, pathname } = new URL(baseUrl);
  return {
    secret,
    // Its paths are those within the server, whatever is before them in public URLs.
    baseURL: origin,
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
      ...(sendPasswordReset !== null && {
        sendResetPassword: async ({ user: { email }, token }) => sendPasswordReset({ email, token }),
      }),
      resetPasswordTokenExpiresIn: RESET_LIFETIME_S,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => deleteUserChallenges(db.pool, user.id),
    },
    // Whoever reads the database must not be able to set a password.
    verification: { storeIdentifier: { default: "plain", overrides: { [RESET_PREFIX]: "hashed" } } },
    // Whatever needs a fresh session there needs the password here.
    session: { expiresIn: SESSION_LIFETIME_S, updateAge: SESSION_REFRESH_AGE_S, freshAge: 0 },
    appName: APP_NAME,
    plugins: [createCodePlugin()],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      database: { generateId: () => ids() },
      // Determined by the configured address, not by NODE_ENV.
      useSecureCookies: baseUrl.startsWith("https://"),
      // Others on the same host get no cookies of this server's.
      defaultCookieAttributes: { path: pathname },
      disableCSRFCheck: true,
    },
    logger: {
      level: "warn",
      log: (level, message) => logger[level === "error" ? "error" : "debug"]({ component: "auth" }, message),
    },
    hooks: {
      after: createAuthMiddleware(async (ctx) => {
        // What was sent or begun before the change is not to undo it.
        if (ctx.path === "/change-password" && ctx.context.newSession !== null) {
          await deleteUserChallenges(db.pool, ctx.context.newSession.user.id);
        }
        switch (ctx.path) {
          case "/sign-up/email":
          case "/sign-in/email":
          case "/change-password":
          case "/update-user":
          case "/two-factor/verify-totp":
          case "/two-factor/verify-backup-code":
          case "/passkey/verify-authentication":
            return ctx.context.newSession ? ctx.json(toSignedIn(ctx.context.newSession)) : undefined;
          case "/get-session":
            return isSignedIn(ctx.context.returned) ? ctx.json(toSignedIn(ctx.context.returned)) : undefined;
          default:
            return undefined;
        }
      }),
    },
  };
}

const createCodePlugin = () => twoFactor({ backupCodeOptions: { customBackupCodesGenerate: createRecoveryCodes } });

/** The library with what it needs for passkeys, which sign in without a password and without a code. */
async function createPasskeyLibrary(settings: BetterAuthOptions, { baseUrl, trustedOrigins }: AuthOptions) {
  const { createPasskeyPlugin } = await import("./passkey-plugin.ts");
  const plugin = createPasskeyPlugin({ baseUrl, origins: trustedOrigins, cookie: PASSKEY_COOKIE });
  // A signature does not say of which cookie it is, and the library would fail to read the challenge of another.
  const before = createAuthMiddleware(async ({ context, getSignedCookie }) => {
    const challenge = await getSignedCookie(context.createAuthCookie(PASSKEY_COOKIE).name, context.secret);
    if (typeof challenge === "string" && challenge.startsWith(SECOND_FACTOR_PREFIX)) throw new APIError("BAD_REQUEST");
  });
  return betterAuth({ ...settings, hooks: { ...settings.hooks, before }, plugins: [plugin] });
}

/** The library with what it needs for the configured provider. */
async function createProviderLibrary(settings: BetterAuthOptions, options: AuthOptions) {
  const { createProviderPlugin } = await import("./provider-plugin.ts");
  const { baseUrl, signInProvider: provider } = options;
  if (provider === null) throw new Error("There is no provider.");
  const codes = createCodePlugin();
  const redirectUrl = `${baseUrl}${PROVIDER_CALLBACK_PATH}`;
  const plugin = createProviderPlugin({ ...options, provider, redirectUrl, cookie: PROVIDER_COOKIE, codes });
  return betterAuth({ ...settings, plugins: [codes, plugin] });
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
