import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  PROVIDER_PROBLEMS,
  SIGN_IN_OUTCOMES,
  UnavailableError,
  type AccountService,
  type Auth,
  type Clock,
  type ProviderProblem,
  type SignInProvider,
} from "@workspace/core";
import type { Request, Response } from "express";
import * as z from "zod";
import { basePathOf } from "../http/base-path.ts";
import { splitUrl } from "../rest/percent-encoding.ts";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter, type AttemptVerdict } from "./attempt-limiter.ts";
import { parseBody, passwordBody, providerSignInBody } from "./auth-bodies.ts";
import { redirectTo, refusalOf, sendResult, type AuthLibrary, type AuthLibraryOptions } from "./auth-library.ts";
import { refuseIfLimited, type AuthRoute, type AuthSteps } from "./auth-steps.ts";
import { clientAddressOf } from "./client-address.ts";
import { isCodeNeeded } from "./second-factor-routes.ts";

const MINUTE_MS = 60_000;
/** Each sends requests to the provider. */
const PER_ADDRESS = { max: 30, windowMs: MINUTE_MS };
const IN_ALL = { max: 600, windowMs: MINUTE_MS };

const SETTINGS_PAGE = "/settings?view=account";

export interface ProviderRoutesOptions extends Pick<AuthLibraryOptions, "baseUrl" | "trustsProxy" | "cookieOf"> {
  /** Null if there is none, and so none of these routes. */
  readonly provider: Pick<SignInProvider, "name"> | null;
  readonly auth: Pick<Auth, "findProviderFlow">;
  readonly clock: Clock;
  readonly library: AuthLibrary;
  readonly steps: AuthSteps;
  readonly unlinkProvider: AccountService["unlinkProvider"];
  readonly reportError: (error: unknown, req: Request) => void;
}

interface Beginning {
  /** The path at which the browser continues afterwards. */
  readonly next: string;
  /** The user to whom the provider is linked; null to sign in. */
  readonly linkTo: string | null;
  /** Whether the provider is to have them sign in although they are. */
  readonly isAgain: boolean;
}

const begun = z.object({ url: z.string() });
const finished = z.object({ outcome: z.enum(SIGN_IN_OUTCOMES), email: z.string().optional() });

/** Signing in with an OpenID provider, and linking one to an account. */
export function createProviderRoutes(options: ProviderRoutesOptions): ReadonlyMap<string, AuthRoute> {
  const { auth, baseUrl, clock, cookieOf, library, steps } = options;
  const { requireSessionUser, tryFor, record } = steps;
  const tryFromAddress = createAttemptLimiter(PER_ADDRESS, clock);
  const tryAtAll = createAttemptLimiter(IN_ALL, clock);
  const basePath = basePathOf(baseUrl);

  return new Map<string, AuthRoute>([
    ["/api/auth/oidc/begin", { method: "POST", handle: begin }],
    ["/api/auth/oidc/link", { method: "POST", handle: beginToLink }],
    ["/api/auth/oidc/unlink", { method: "POST", handle: unlink }],
    ["/api/auth/oidc/callback", { method: "GET", handle: finish }],
  ]);

  function requireProvider(): Pick<SignInProvider, "name"> {
    if (options.provider === null) throw new NotFoundError("This server has no sign-in provider.");
    return options.provider;
  }

  function tryOnce(req: Request): AttemptVerdict {
    const fromAddress = tryFromAddress(addressBlockOf(clientAddressOf(req, options.trustsProxy)));
    return fromAddress.isAllowed ? tryAtAll("all") : fromAddress;
  }

  async function begin(req: Request, res: Response, body: unknown): Promise<void> {
    requireProvider();
    await sendToProvider(req, res, { ...parseBody(providerSignInBody, body), linkTo: null });
  }

  /** Wants the password, so that a stolen session cannot be made to last. */
  async function beginToLink(req: Request, res: Response, body: unknown): Promise<void> {
    requireProvider();
    const user = await requireSessionUser(req);
    const { password } = parseBody(passwordBody, body);
    const attempt = tryFor(req, user.email);
    if (refuseIfLimited(res, attempt)) return;
    if (!(await library.isPassword(attempt, req, password)))
      throw InvalidInputError.at("password", "is not your password");
    attempt.refund();
    await sendToProvider(req, res, { next: SETTINGS_PAGE, linkTo: user.userId, isAgain: true });
  }

  /** Responds with the URL of the provider at which the browser continues. */
  async function sendToProvider(req: Request, res: Response, flow: Beginning): Promise<void> {
    const { name } = requireProvider();
    // The provider sends the browser back to the public URL, where a cookie that is set elsewhere is missing.
    const { origin } = req.headers;
    if (origin !== undefined && origin !== new URL(baseUrl).origin) {
      throw new ConflictError(`Signing in with ${name} works at ${baseUrl} only. Open Workspace there.`);
    }
    if (refuseIfLimited(res, tryOnce(req))) return;
    const response = await library.post(req, "/api/auth/oidc/begin", flow, ["provider"]);
    if ((await refusalOf(response)) !== null) {
      throw new UnavailableError(`${name} does not respond, or not as expected. Try again in a moment.`);
    }
    await library.send(res, response, begun.parse(await response.clone().json()));
  }

  /** The provider has sent the browser back, which goes on to a page in any case. */
  async function finish(req: Request, res: Response): Promise<void> {
    requireProvider();
    const [, query] = splitUrl(req.originalUrl);
    const state = new URLSearchParams(query).get("state");
    const flow = await auth.findProviderFlow(cookieOf(req, "provider") ?? "", state);
    const isLinking = flow !== null && flow.linkTo !== null;
    const next = flow?.next ?? "/";
    const pageFor = (problem: ProviderProblem | "too_many" | "server"): string =>
      isLinking
        ? `${basePath}${SETTINGS_PAGE}&problem=${problem}`
        : `${basePath}/sign-in?${new URLSearchParams({ problem, next }).toString()}`;
    try {
      if (!tryOnce(req).isAllowed) return redirectTo(res, pageFor("too_many"));
      const user = isLinking ? await requireSessionUser(req).catch(() => null) : null;
      const response = await library.post(req, "/api/auth/oidc/finish", { query }, ["session", "provider"]);
      const refusal = await refusalOf(response);
      const problem = PROVIDER_PROBLEMS.find((known) => known === refusal);
      if (problem !== undefined) return await library.redirect(res, response, pageFor(problem));
      if (response.ok && (await isCodeNeeded(response))) {
        const search = new URLSearchParams({ step: "code", next });
        return await library.redirect(res, response, `${basePath}/sign-in?${search.toString()}`);
      }
      const result = response.ok ? finished.parse(await response.clone().json()) : null;
      await library.redirect(res, response, `${basePath}${next}`);
      const email = result?.email ?? user?.email;
      if (result !== null && email !== undefined) void record(req, email, result.outcome);
    } catch (error) {
      options.reportError(error, req);
      redirectTo(res, pageFor("server"));
    }
  }

  async function unlink(req: Request, res: Response): Promise<void> {
    requireProvider();
    const user = await requireSessionUser(req);
    await options.unlinkProvider(user);
    await record(req, user.email, "provider_unlinked");
    sendResult(res, { unlinked: true });
  }
}
