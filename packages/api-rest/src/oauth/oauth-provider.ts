import {
  InvalidClientMetadataError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidScopeError,
  InvalidTargetError,
  OAuthError,
  ServerError,
  UnsupportedGrantTypeError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import type { OAuthClientInformationFull } from "@modelcontextprotocol/sdk/shared/auth.js";
import { DomainError, type ApiKeyScope, type OAuthClient, type OAuthService } from "@workspace/core";

/** The page on which the user decides has the state in its URL. */
const MAX_STATE_LENGTH = 2_000;

export interface OAuthProviderOptions {
  readonly oauth: OAuthService;
  /** The URL by which programs know this server, and below which all of its own pages are. */
  readonly issuer: string;
  /** The URL for which access may be asked. */
  readonly resource: string;
  /** What a program may ask for, and asks for if it names nothing. */
  readonly scopes: readonly ApiKeyScope[];
  /** The page on which the user decides. */
  readonly decisionUrl: (request: string) => string;
  /** Called with failures of the server, of which the library tells clients nothing. */
  readonly report: (error: unknown) => void;
}

/**
 * What the protocol's library needs to know of this server. A program gets an API key as its access token: no other secret, and no
 * refresh token, since the user chooses how long the key is valid.
 */
export function createOAuthProvider({ oauth, issuer, resource, scopes, decisionUrl, report }: OAuthProviderOptions) {
  async function reporting<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof OAuthError)) report(error);
      throw error;
    }
  }

  return {
    clientsStore: {
      getClient: (id) =>
        reporting(async () => {
          const client = await oauth.findClient(id);
          return client === null ? undefined : toClientInformation(client);
        }),
      async registerClient({ client_name: name = "", redirect_uris: redirectUris }) {
        if (redirectUris.some(isOwn))
          throw new InvalidClientMetadataError("redirect_uris: must not be pages of this server");
        try {
          return toClientInformation(await oauth.registerClient(name, redirectUris));
        } catch (error) {
          report(error);
          throw error instanceof DomainError ? new InvalidClientMetadataError(error.message) : error;
        }
      },
    },

    authorize: (
      { client_id: clientId },
      { state, scopes: asked = [], redirectUri, codeChallenge, resource: target },
      res,
    ) =>
      reporting(async () => {
        assertResource(target);
        if (state !== undefined && state.length > MAX_STATE_LENGTH)
          throw new InvalidRequestError(`The state must be at most ${MAX_STATE_LENGTH} characters.`);
        const known = asked.length === 0 ? [...scopes] : scopes.filter((scope) => asked.includes(scope));
        if (known.length === 0) throw new InvalidScopeError("None of these scopes is known here.");
        const request = { issuer, clientId, redirectUri, state: state ?? null, codeChallenge, scopes: known };
        res.redirect(302, decisionUrl(await oauth.sealRequest(request)));
      }),

    challengeForAuthorizationCode: ({ client_id: clientId }, code) =>
      reporting(async () => {
        const challenge = await oauth.findChallenge(clientId, code);
        if (challenge === null) throw invalidCode();
        return challenge;
      }),

    exchangeAuthorizationCode: ({ client_id: clientId }, code, _verifier, redirectUri, asked) =>
      reporting(async () => {
        assertResource(asked);
        const key = await oauth.exchangeCode(clientId, code, redirectUri);
        if (key === null) throw invalidCode();
        const lifetimeMs = key.expiresAt === null ? null : Date.parse(key.expiresAt) - Date.parse(key.createdAt);
        return {
          access_token: key.key,
          token_type: "Bearer",
          scope: key.scopes.join(" "),
          ...(lifetimeMs !== null && { expires_in: Math.floor(lifetimeMs / 1000) }),
        };
      }),

    exchangeRefreshToken: () => Promise.reject(new UnsupportedGrantTypeError("There are no refresh tokens here.")),

    /** `/mcp` authenticates keys itself. */
    verifyAccessToken: () => Promise.reject(new ServerError("Keys are not verified here.")),

    revokeToken: ({ client_id: clientId }, { token }) => reporting(() => oauth.revokeKey(clientId, token)),
  } satisfies OAuthServerProvider;

  /** Otherwise the user would read that this server itself asks. */
  function isOwn(uri: string): boolean {
    return URL.canParse(uri) && new URL(uri).href.startsWith(`${issuer}/`);
  }

  function assertResource(asked: URL | undefined): void {
    if (asked !== undefined && asked.href.replace(/\/$/, "") !== resource)
      throw new InvalidTargetError(`Access is given to ${resource} only.`);
  }
}

function invalidCode(): InvalidGrantError {
  return new InvalidGrantError(
    "The code is unknown, was used already, has expired, or is of another program or address.",
  );
}

function toClientInformation({ id, name, redirectUris, createdAt }: OAuthClient): OAuthClientInformationFull {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
    client_name: name,
    redirect_uris: [...redirectUris],
    // A program on somebody's machine cannot keep a secret.
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };
}
