import type { ApiKeyScope } from "../resources.ts";

/** A user, signed in by cookie or identified by the server's API token. May call everything under `/api`. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Whether a session that the user has begun by signing in identifies them, not a token that programs may have. */
  readonly isSignedIn?: true;
}

/** Another program, identified by its bearer key and limited to the key's scopes. */
export interface ApiKeyPrincipal {
  readonly kind: "api_key";
  readonly keyId: string;
  /** The user who created the key, recorded as the creator of whatever the program creates. */
  readonly userId: string;
  readonly scopes: ReadonlySet<ApiKeyScope>;
}

/** Who is making a request. Transports produce it; core bases authorization on nothing else. */
export type Principal = UserPrincipal | ApiKeyPrincipal;
