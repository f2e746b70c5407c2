import type { ApiKeyScope } from "../resources.ts";

/** A user, signed in by cookie or identified by the server's API token. May call everything under `/api`. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** The session, begun by signing in, that identifies the user; none for a token that programs may have. */
  readonly sessionId?: string;
  /**
   * Whether the session's user may decide what assistants wait for: the first user, and others if nobody can sign up alone, as
   * a program on this machine otherwise could.
   */
  readonly canDecide?: boolean;
}

/** A user whom a session identifies. */
export interface SignedInUser extends UserPrincipal {
  readonly sessionId: string;
}

/** Another program, identified by its bearer key and limited to the key's scopes. */
export interface ApiKeyPrincipal {
  readonly kind: "api_key";
  readonly keyId: string;
  /** The key's name. */
  readonly name: string;
  /** The user who created the key, recorded as the creator of whatever the program creates. */
  readonly userId: string;
  readonly scopes: ReadonlySet<ApiKeyScope>;
  /** The folder to which the key's access to documents is limited; absent for the whole vault. */
  readonly folder?: string;
}

/** Who is making a request. Transports produce it; core bases authorization on nothing else. */
export type Principal = UserPrincipal | ApiKeyPrincipal;
