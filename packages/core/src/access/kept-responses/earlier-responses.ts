import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, UnprocessableError } from "../../platform/errors.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { openSecret, SecretBoxError, sealSecret } from "../secrets/secret-box.ts";
import { selectKeptResponse, tryLockRequest, type RequestName, type StoredResponse } from "./kept-response.queries.ts";

export const KEPT_MS = 24 * 60 * 60 * 1000;
/** A longer body is not kept. */
const MAX_CHARACTERS = 256 * 1024;

const RUNNING = "A request with this Idempotency-Key is still being carried out. Try again in a moment.";
const LOST =
  "The server was interrupted while it carried out the request with this Idempotency-Key, so it is not known whether it was " +
  "carried out. Check what is there, and send it with another key if it was not.";
const NOT_KEPT = "The request with this Idempotency-Key was carried out. Its response can no longer be sent again.";

/** A request that a program may repeat. */
export interface RepeatableRequest extends RequestName {
  /** A hash of all that it asks for. */
  readonly requestHash: string;
}

/** A response, as it was sent or is to be sent. */
export interface KeptResponse {
  readonly status: number;
  /** With its quotes. */
  readonly entityTag: string | null;
  /** Null for one that is sent in another way, and so not kept. */
  readonly body: string | null;
}

export interface EarlierResponsesDeps extends Deps<"clock"> {
  readonly keys: EncryptionKeys;
  readonly processes: Pick<ProcessRegistry, "processId">;
  /** Whether this process is carrying out a request. */
  readonly isOwnAndRunning: (request: RequestName) => boolean;
}

/** Finds the responses to earlier requests, and prepares those that are to be kept. */
export function createEarlierResponses({ clock, keys, processes, isOwnAndRunning }: EarlierResponsesDeps) {
  /**
   * The response to an earlier request of this name; null if there was none. Throws {@link UnprocessableError} if that asked for
   * something else, {@link ConflictError} if it is being carried out, or if its response is lost.
   */
  async function findEarlier(client: PoolClient, request: RepeatableRequest): Promise<KeptResponse | null> {
    if (!(await tryLockRequest(client, request))) throw new ConflictError(RUNNING);
    const earlier = await selectKeptResponse(client, request, new Date(clock.now().getTime() - KEPT_MS));
    if (earlier === null) return null;
    if (earlier.requestHash !== request.requestHash) {
      throw new UnprocessableError("This Idempotency-Key was already used for another request. Use each for one only.");
    }
    const { status, processId, isProcessAlive } = earlier;
    if (status !== null) return { status, entityTag: earlier.entityTag, body: opened(request, earlier) };
    const isOwn = processId === processes.processId;
    throw new ConflictError((isOwn ? isOwnAndRunning(request) : isProcessAlive) ? RUNNING : LOST);
  }

  function opened(request: RequestName, { body, isSealed }: Pick<StoredResponse, "body" | "isSealed">): string {
    if (body === null) throw new ConflictError(NOT_KEPT);
    if (!isSealed) return body;
    try {
      return openSecret(keys.find, nameOf(request), body);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw new ConflictError(NOT_KEPT, { cause: error });
    }
  }

  function toStored(request: RequestName, { body, ...response }: KeptResponse, isSecret: boolean): StoredResponse {
    const kept = body !== null && body.length > MAX_CHARACTERS ? null : body;
    const isSealed = isSecret && kept !== null;
    return { ...response, body: isSealed ? sealSecret(keys.newest, nameOf(request), kept) : kept, isSealed };
  }

  return { findEarlier, toStored };
}

/** A name for it within this process, and that under which its response is sealed. */
export function nameOf({ apiKeyId, idempotencyKey }: RequestName): string {
  return `${apiKeyId} ${idempotencyKey}`;
}
