import { createHash, randomBytes } from "node:crypto";
import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { CreatedApiKey } from "../api-keys/api-key.schema.ts";
import type { ApiKeyService } from "../api-keys/api-key.service.ts";
import { hashBearerKey, isBearerKey } from "../api-keys/bearer-key.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { createAuthorizationRequests, type AuthorizationRequest } from "./authorization-request.ts";
import { createClientRegistry } from "./client-registry.ts";
import {
  insertCode,
  lockCode,
  markExchanged,
  selectClientKey,
  selectCodeChallenge,
  type OAuthClient,
} from "./oauth.queries.ts";
import type { ApprovedRequest, ApproveRequest, DescribedRequest } from "./oauth.schema.ts";

/** A program exchanges its code at once. */
const CODE_LIFETIME_MS = 60_000;
const CODE_BYTES = 32;
export interface OAuthServiceDeps extends Deps<"db" | "clock" | "ids"> {
  readonly keys: Pick<EncryptionKeys, "newest" | "find" | "save">;
  readonly apiKeys: Pick<ApiKeyService, "announce" | "checkAccess" | "issue" | "revoke">;
}

export type OAuthService = ReturnType<typeof createOAuthService>;

/** Lets users give programs access by browser: programs register, ask, and exchange what the user decided for an API key. */
export function createOAuthService({ db, clock, ids, keys, apiKeys }: OAuthServiceDeps) {
  const requests = createAuthorizationRequests(keys);
  const clients = createClientRegistry({ db, clock, ids });

  async function openRequest(sealed: string): Promise<AuthorizationRequest & { readonly client: OAuthClient }> {
    const request = requests.open(sealed, clock.now());
    const client = await clients.findClient(request.clientId);
    if (client === null) throw new NotFoundError("This program is no longer registered. Start again in the program.");
    return { ...request, client };
  }

  return {
    ...clients,

    /** Seals a request whose client and parameters were checked, for the page on which the user decides. */
    sealRequest: (request: AuthorizationRequest): Promise<string> => requests.seal(request, clock.now()),

    /** What the user decides about. Throws {@link InvalidInputError}, {@link GoneError} and {@link NotFoundError}. */
    async describeRequest(sealed: string): Promise<DescribedRequest> {
      const { client, issuer, redirectUri, state, scopes } = await openRequest(sealed);
      return {
        clientName: client.name,
        redirectUri,
        scopes,
        cancelUrl: responseUrl(redirectUri, { error: "access_denied", state, iss: issuer }),
      };
    },

    /**
     * Gives the program what the user has chosen of that for which it asked. Throws like `describeRequest`, and
     * {@link InvalidInputError} for anything else, and for access that a key cannot have.
     */
    async approveRequest({ request: sealed, ...chosen }: ApproveRequest, userId: string): Promise<ApprovedRequest> {
      const { client, issuer, redirectUri, state, codeChallenge, scopes: asked } = await openRequest(sealed);
      const { scopes, folder, expiresAt: keyExpiresAt } = apiKeys.checkAccess(chosen);
      if (!scopes.every((scope) => asked.includes(scope)))
        throw InvalidInputError.at("scopes", "must be among those for which the program asks");
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
      const approved = { clientId: client.id, userId, redirectUri, codeChallenge, scopes, folder, keyExpiresAt };
      const isStored = await transaction(db.pool, (connection) =>
        insertCode(connection, { ...approved, codeHash: hashCode(code), expiresAt }, now),
      );
      if (!isStored) throw new NotFoundError("This program is no longer registered. Start again in the program.");
      return { redirectUrl: responseUrl(redirectUri, { code, state, iss: issuer }) };
    },

    /** The PKCE challenge of a code of this client; null if it has no such code. */
    findChallenge: (clientId: string, code: string): Promise<string | null> =>
      selectCodeChallenge(db.pool, hashCode(code), clientId),

    /**
     * Exchanges a code for the key that the user has approved; null if it is not valid, or was given to another URI. A code that
     * comes twice was stolen, so the key of the first time is revoked (RFC 6749, 4.1.2).
     */
    async exchangeCode(clientId: string, code: string, redirectUri: string | undefined): Promise<CreatedApiKey | null> {
      const codeHash = hashCode(code);
      const result = await transaction(db.pool, async (connection) => {
        const access = await lockCode(connection, codeHash, clientId);
        if (access === null || Date.parse(access.expiresAt) <= clock.now().getTime()) return null;
        if (access.keyId !== null) return { stolenKeyId: access.keyId };
        if (redirectUri !== undefined && redirectUri !== access.redirectUri) return null;
        const { clientName: name, userId: creatorId, scopes, folder } = access;
        const expiresAt = access.keyExpiresAt === null ? null : new Date(access.keyExpiresAt);
        const key = await apiKeys.issue(connection, { name, scopes, folder, expiresAt, creatorId, clientId });
        await markExchanged(connection, codeHash, key.id);
        return { key };
      });
      if (result === null) return null;
      if ("key" in result) {
        apiKeys.announce(result.key);
        return result.key;
      }
      await apiKeys.revoke(result.stolenKeyId).catch(ignoreMissing);
      return null;
    },

    /** Revokes a key that this client has obtained; does nothing if it has not, or if it is revoked already. */
    async revokeKey(clientId: string, key: string): Promise<void> {
      const id = isBearerKey(key) ? await selectClientKey(db.pool, hashBearerKey(key), clientId) : null;
      if (id !== null) await apiKeys.revoke(id).catch(ignoreMissing);
    },
  };
}

/** Where the browser goes with a decision: the parameters, which name this server (RFC 9207), are added to those of the URI. */
function responseUrl(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}

/** The stored form of a code, which is as random as a key. */
function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}
