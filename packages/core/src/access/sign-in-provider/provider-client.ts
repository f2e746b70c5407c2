import * as openid from "openid-client";
import * as z from "zod";
import type { Clock } from "../../platform/clock.ts";
import { createLimitedFetch } from "../../platform/limited-fetch.ts";
import { ProviderError, type ProviderIdentity, type SignInProvider } from "./sign-in-provider.ts";

/** A browser waits for each request to the provider. */
const TIMEOUT_S = 10;
/** Providers change their endpoints and algorithms at most now and then. */
const CONFIGURATION_LIFETIME_MS = 60 * 60_000;
/** More than any provider publishes, or says of a person. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_SUBJECT_LENGTH = 255;
const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 200;
const SCOPES = "openid email profile";

export interface ProviderClientOptions {
  readonly provider: SignInProvider;
  /** To which the provider sends browsers back. */
  readonly redirectUrl: string;
  readonly clock: Clock;
}

/** What only the server and the browser that has begun a sign-in know. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Talks to the provider. */
export interface ProviderClient {
  /** The URL at which a browser signs in there, also if it has done so already and `isAgain`. Throws {@link ProviderError}. */
  begin(isAgain: boolean): Promise<{ readonly url: string; readonly secrets: SignInSecrets }>;
  /** Whom the provider has signed in, by the query with which it sent the browser back. Throws {@link ProviderError}. */
  finish(query: string, secrets: SignInSecrets): Promise<ProviderIdentity>;
}

/** Providers have sent it as a text as well. */
const isVerified = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const claimsSchema = z.object({
  sub: z.string().min(1).max(MAX_SUBJECT_LENGTH),
  email: z.email().max(MAX_EMAIL_LENGTH).toLowerCase().optional().catch(undefined),
  email_verified: isVerified.optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
});

/**
 * The code flow with PKCE, state and nonce. The ID token must be signed with a key that the provider publishes, for this client and
 * this sign-in; what else is known of the person must be about the same subject.
 */
export function createProviderClient({ provider, redirectUrl, clock }: ProviderClientOptions): ProviderClient {
  let known: { readonly until: number; readonly configuration: Promise<openid.Configuration> } | undefined;

  function configuration(): Promise<openid.Configuration> {
    const now = clock.now().getTime();
    if (known !== undefined && now < known.until) return known.configuration;
    const discovery = discover(provider);
    known = { until: now + CONFIGURATION_LIFETIME_MS, configuration: discovery };
    discovery.catch(() => (known = undefined));
    return discovery;
  }

  return {
    begin: (isAgain) =>
      asProviderError(async () => {
        const secrets = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        };
        const found = await configuration();
        const url = openid.buildAuthorizationUrl(found, {
          redirect_uri: redirectUrl,
          scope: SCOPES,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
          ...(isAgain && askAgain(found.serverMetadata()["prompt_values_supported"])),
        });
        return { url: url.href, secrets };
      }).catch((error: unknown) => {
        // Nobody can sign in with what it has published; it may have corrected that by the next time.
        known = undefined;
        throw error;
      }),

    finish: (query, { state, nonce, verifier }) =>
      asProviderError(async () => {
        const found = await configuration();
        const tokens = await openid.authorizationCodeGrant(found, new URL(`?${query}`, redirectUrl), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const inToken = claimsSchema.parse(tokens.claims());
        if (inToken.email !== undefined || found.serverMetadata().userinfo_endpoint === undefined) {
          return toIdentity(inToken);
        }
        return toIdentity(claimsSchema.parse(await openid.fetchUserInfo(found, tokens.access_token, inToken.sub)));
      }),
  };
}

/** Finds the provider's endpoints and keys. Throws {@link ProviderError}. */
export async function discover({
  issuer,
  clientId,
  clientSecret,
}: Pick<SignInProvider, "issuer" | "clientId" | "clientSecret">): Promise<openid.Configuration> {
  const authentication = clientSecret === null ? openid.None() : authenticateBy(clientSecret);
  const isInsecure = issuer.startsWith("http:");
  return asProviderError(() =>
    openid.discovery(new URL(issuer), clientId, undefined, authentication, {
      timeout: TIMEOUT_S,
      [openid.customFetch]: fetchFromProvider,
      execute: [openid.enableNonRepudiationChecks, ...(isInsecure ? [openid.allowInsecureRequests] : [])],
    }),
  );
}

/**
 * What has a provider ask who somebody is although they are signed in there. Some refuse a prompt that they do not know; what is not a
 * prompt, they ignore.
 */
function askAgain(prompts: unknown): Readonly<Record<string, string>> {
  const prompt = ["select_account", "login"].find((name) => Array.isArray(prompts) && prompts.includes(name));
  return prompt === undefined ? { max_age: "0" } : { prompt };
}

/** Sends the secret in the way that the provider knows. */
function authenticateBy(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const ways = server.token_endpoint_auth_methods_supported;
    return (ways?.includes("client_secret_post") === true ? inBody : inHeader)(server, ...request);
  };
}

const limitedFetch = createLimitedFetch({ maxBytes: MAX_RESPONSE_BYTES, of: "response" });

const fetchFromProvider: openid.CustomFetch = async (url, { body, ...options }) => {
  // Nothing but forms is sent here.
  const form = body instanceof URLSearchParams ? body : null;
  const response = await limitedFetch(url, { ...options, body: form }).catch((cause: unknown) => {
    throw new ProviderError("unreachable", { cause });
  });
  if (response.status >= 500) {
    throw new ProviderError("unreachable", { cause: new Error(`${url} responded with ${response.status}.`) });
  }
  return response;
};

function toIdentity(claims: z.output<typeof claimsSchema>): ProviderIdentity {
  const { sub: subject, email, email_verified: isEmailVerified, name, preferred_username: userName } = claims;
  const shown = [name, userName]
    .map((text) => text?.replaceAll("\0", "").toWellFormed().trim().slice(0, MAX_NAME_LENGTH).toWellFormed())
    .find((text) => text !== undefined && text !== "");
  return { subject, verifiedEmail: isEmailVerified === true ? (email ?? null) : null, name: shown ?? null };
}

async function asProviderError<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw toProviderError(error);
  }
}

function toProviderError(error: unknown): ProviderError {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderError) return at;
  // What the provider has put into the address by which it sends the browser back, such as that the person cancelled.
  if (error instanceof openid.AuthorizationResponseError) return new ProviderError("refused", { cause: error });
  return new ProviderError("failed", { cause: error });
}
