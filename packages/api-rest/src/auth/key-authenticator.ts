import type { IncomingMessage } from "node:http";
import {
  hashBearerKey,
  isBearerKey,
  type ApiKeyPrincipal,
  type ApiKeyRecord,
  type ApiKeyService,
  type Clock,
  type EventBus,
} from "@workspace/core";
import type { Listener } from "@workspace/db";
import { createCredentialCache } from "./credential-cache.ts";

const BEARER = /^bearer +(\S+)$/i;

export interface KeyAuthenticatorOptions {
  readonly apiKeys: Pick<ApiKeyService, "findByHash" | "recordUse">;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly events: EventBus;
}

export type KeyAuthenticator = Awaited<ReturnType<typeof createKeyAuthenticator>>;

/** Identifies the program that sent a request. A key that was seen before costs a hash and a lookup in memory. */
export async function createKeyAuthenticator({ apiKeys, clock, listener, events }: KeyAuthenticatorOptions) {
  const keys = await createCredentialCache<ApiKeyRecord>({
    listener,
    isAbout: (change, { principal }) => change === `api_key:${principal.keyId}`,
  });
  // Keys revoked by this process must stop working before the database announces it.
  events.subscribe(({ resource }) => {
    if (resource === "api_key") keys.forgetAll();
  });

  async function findPrincipal(key: string): Promise<ApiKeyPrincipal | null> {
    if (!isBearerKey(key)) return null;
    const keyHash = hashBearerKey(key);
    const record = await keys.find(keyHash, () => apiKeys.findByHash(keyHash));
    if (record === null) return null;
    const { principal, expiresAt } = record;
    if (expiresAt !== null && Date.parse(expiresAt) <= clock.now().getTime()) return null;
    apiKeys.recordUse(principal.keyId);
    return principal;
  }

  return {
    /** The principal of a valid bearer key; null if it is missing, malformed, unknown, revoked or expired. */
    async authenticate(req: IncomingMessage): Promise<ApiKeyPrincipal | null> {
      const key = BEARER.exec(req.headers.authorization ?? "")?.[1];
      return key === undefined ? null : findPrincipal(key);
    },

    /** The principal of a key that was sent in another way; null if it is malformed, unknown, revoked or expired. */
    findPrincipal,
  };
}
