/** An OpenID provider with whose accounts people sign in here, as it is configured. */
export interface SignInProvider {
  /** The URL below which its configuration is found. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null if the provider knows this server as a public client. */
  readonly clientSecret: string | null;
  /** What people know it by. */
  readonly name: string;
  /** Whose addresses get an account here, even while sign-up is closed; if there are any, nobody else's does. */
  readonly domains: readonly string[];
}

/** Why somebody could not sign in with the provider, as the sign-in page is told. */
export const PROVIDER_PROBLEMS = [
  /** There is no sign-in that this response belongs to, or no longer. */
  "expired",
  /** They cancelled it, or the provider does not let them in. */
  "refused",
  /** The provider sent something that must not be believed. */
  "failed",
  "unreachable",
  /** The provider does not vouch for their address, and there is no other way to know who they are here. */
  "unverified_email",
  /** There is an account with their address, which they have to link themselves. */
  "not_linked",
  "sign_up_closed",
  /** It is linked to another account here, or the account here to another one there. */
  "linked_elsewhere",
] as const;
export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number];

/** Somebody could not sign in with the provider. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly problem: ProviderProblem;

  constructor(problem: ProviderProblem, options?: ErrorOptions) {
    super(`Signing in with the provider failed: ${problem}`, options);
    this.problem = problem;
  }
}

/** Whom the provider has signed in. */
export interface ProviderIdentity {
  /** Never changes, and belongs to nobody else there. */
  readonly subject: string;
  /** In lower case; null unless the provider vouches for it. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
}

/**
 * By which accounts of the provider are stored. Another provider may use the same subjects for other people, so its links are
 * its own.
 */
export const providerIdOf = ({ issuer }: Pick<SignInProvider, "issuer">): string => `oidc:${issuer}`;
