import * as z from "zod";
import { GoneError, InvalidInputError } from "../../platform/errors.ts";
import { API_KEY_SCOPES } from "../../platform/resources.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { openSecret, SecretBoxError, sealSecret } from "../secrets/secret-box.ts";

const NAME = "authorization request";
/** How long somebody may take to sign in and decide. */
const LIFETIME_MS = 30 * 60_000;

const requestSchema = z.object({
  /** The URL by which the client knows this server. */
  issuer: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  /** Returned to the client as it is; null if it sent none. */
  state: z.string().nullable(),
  codeChallenge: z.string(),
  scopes: z.array(z.enum(API_KEY_SCOPES)),
});

/** What a program asks a user for, after its parameters were checked. */
export type AuthorizationRequest = z.infer<typeof requestSchema>;

const envelopeSchema = requestSchema.extend({ until: z.number() });

/** Seals requests into texts that the browser carries to the page on which the user decides, and back, unchanged. */
export function createAuthorizationRequests(keys: Pick<EncryptionKeys, "newest" | "find" | "save">) {
  return {
    async seal(request: AuthorizationRequest, now: Date): Promise<string> {
      await keys.save();
      return sealSecret(keys.newest, NAME, JSON.stringify({ ...request, until: now.getTime() + LIFETIME_MS }));
    },

    /** Throws {@link InvalidInputError} if this is no request of this server, and {@link GoneError} if it is too old. */
    open(sealed: string, now: Date): AuthorizationRequest {
      const envelope = envelopeSchema.safeParse(JSON.parse(openEnvelope(sealed))).data;
      // One that does not parse is of an earlier version.
      if (envelope === undefined || envelope.until <= now.getTime())
        throw new GoneError("This request has expired. Start again in the program.");
      const { until: _, ...request } = envelope;
      return request;
    },
  };

  function openEnvelope(sealed: string): string {
    try {
      return openSecret(keys.find, NAME, sealed);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw InvalidInputError.at("request", "is not a request that this server has passed on");
    }
  }
}
