import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import type { twoFactor } from "better-auth/plugins/two-factor";
import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { createProviderClient } from "../sign-in-provider/provider-client.ts";
import { createProviderUsers } from "../sign-in-provider/provider-users.ts";
import { ProviderError, type SignInProvider } from "../sign-in-provider/sign-in-provider.ts";
import { readProviderFlows, writeProviderFlows, type ProviderFlow } from "./provider-flow.ts";

/** How long somebody may take at the provider. */
const FLOW_LIFETIME_S = 15 * 60;
const FINISH_PATH = "/oidc/finish";

const beginning = z.object({ next: z.string(), linkTo: z.string().nullable(), isAgain: z.boolean() });

export interface ProviderPluginOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly provider: SignInProvider;
  readonly redirectUrl: string;
  readonly isSignUpOpen: boolean;
  /** The name of the cookie that carries what sign-ins were begun with. */
  readonly cookie: string;
  /** The plug-in whose codes are asked for after the provider, as after a password. */
  readonly codes: ReturnType<typeof twoFactor>;
}

/** Signing in with an OpenID provider, which takes the place of the password, but not of a code. */
export function createProviderPlugin(options: ProviderPluginOptions) {
  const { clock, logger, cookie } = options;
  const client = createProviderClient(options);
  const users = createProviderUsers(options);

  async function asRefusal<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      logger.warn({ component: "auth", problem: error.problem, err: error.cause }, "no sign-in with the provider");
      throw new APIError("FORBIDDEN", { code: error.problem, message: error.message });
    }
  }

  const readFlows = (cookieValue: string | false | null): ProviderFlow[] =>
    readProviderFlows(cookieValue === false ? null : cookieValue, clock.now());

  return {
    id: "sign-in-provider",
    endpoints: {
      /** For a sign-in, or to link the provider to a user who is signed in. Returns the URL to which the browser goes. */
      beginWithProvider: createAuthEndpoint("/oidc/begin", { method: "POST", body: beginning }, async (ctx) => {
        const { isAgain, ...flow } = ctx.body;
        const { url, secrets } = await asRefusal(() => client.begin(isAgain));
        const until = clock.now().getTime() + FLOW_LIFETIME_S * 1000;
        const { name, attributes } = ctx.context.createAuthCookie(cookie, { maxAge: FLOW_LIFETIME_S });
        const begun = readFlows(await ctx.getSignedCookie(name, ctx.context.secret));
        const value = writeProviderFlows([...begun, { ...flow, ...secrets, until }]);
        await ctx.setSignedCookie(name, value, ctx.context.secret, attributes);
        return ctx.json({ url });
      }),

      /** What the provider has sent the browser back with. Returns what happened, unless a code is needed. */
      finishWithProvider: createAuthEndpoint(
        FINISH_PATH,
        { method: "POST", body: z.object({ query: z.string() }) },
        async (ctx) => {
          const { name, attributes } = ctx.context.createAuthCookie(cookie, { maxAge: FLOW_LIFETIME_S });
          const begun = readFlows(await ctx.getSignedCookie(name, ctx.context.secret));
          const { query } = ctx.body;
          const state = new URLSearchParams(query).get("state");
          const { identity, flow } = await asRefusal(async () => {
            const flow = begun.find((one) => one.state === state);
            if (flow === undefined) throw new ProviderError("expired");
            return { flow, identity: await client.finish(query, flow) };
          });
          const others = begun.filter((one) => one !== flow);
          if (others.length === 0) ctx.setCookie(name, "", { ...attributes, maxAge: 0 });
          else await ctx.setSignedCookie(name, writeProviderFlows(others), ctx.context.secret, attributes);
          const { linkTo } = flow;
          if (linkTo !== null) {
            const session = await getSessionFromCtx(ctx);
            await asRefusal(async () => {
              // Somebody else has signed in meanwhile, or nobody is any more.
              if (session === null || session.user.id !== linkTo) throw new ProviderError("expired");
              await users.link(linkTo, identity);
            });
            return ctx.json({ outcome: "provider_linked" });
          }
          const { userId, isNew } = await asRefusal(() => users.signIn(identity));
          const user = await ctx.context.internalAdapter.findUserById(userId);
          if (user === null) throw new APIError("INTERNAL_SERVER_ERROR");
          const session = await ctx.context.internalAdapter.createSession(userId);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({
            outcome: isNew ? "signed_up_with_provider" : "signed_in_with_provider",
            email: user.email,
          });
        },
      ),
    },
    hooks: {
      // What the plug-in does after a password was right: it replaces the session of whoever enters codes by a challenge.
      after: options.codes.hooks.after.map(({ handler }) => ({ matcher: ({ path }) => path === FINISH_PATH, handler })),
    },
  } satisfies BetterAuthPlugin;
}
