import type { ApiKeyScope } from "./api-key-scope.ts";

/** A person, signed in by cookie or standing behind the server's API token. Everything under `/api` is open to them. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: string;
  readonly name: string;
  readonly email: string;
}

/** Another program, known by its bearer key and limited to the key's scopes. */
export interface ApiKeyPrincipal {
  readonly kind: "api_key";
  readonly keyId: string;
  /** The person who made the key; what the program creates is recorded under their name. */
  readonly userId: string;
  readonly scopes: ReadonlySet<ApiKeyScope>;
}

/** Who makes a request. Transports only produce it; core authorises from it alone. */
export type Principal = UserPrincipal | ApiKeyPrincipal;
