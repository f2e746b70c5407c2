import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import { toPublicError } from "../../platform/procedures/public-error.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import {
  createEarlierResponses,
  KEPT_MS,
  nameOf,
  type KeptResponse,
  type RepeatableRequest,
} from "./earlier-responses.ts";
import {
  addResponse,
  deleteOldResponses,
  deleteRequest,
  insertRequest,
  insertResponse,
  type NewRequest,
  type RequestName,
  type StoredResponse,
} from "./kept-response.queries.ts";

/** Of each API key. */
const MAX_REQUESTS = 10_000;
const MAX_BYTES_OF_KEY = 32 * 1024 * 1024;

/** What came of a request. */
export interface Outcome {
  readonly response: KeptResponse;
  /** Whether the response is that of an earlier request. */
  readonly isRepeat: boolean;
}

/** How a request is carried out. */
export interface CarriedOut<Within> {
  /** Runs work in one transaction with all that it changes; what it returns is the result of `work`. */
  readonly inTransaction: (
    work: (within: Within, client: PoolClient) => Promise<KeptResponse>,
  ) => Promise<KeptResponse>;
  /** Carries it out, and returns the response. */
  readonly respond: (within?: Within) => Promise<KeptResponse>;
  /** Whether all that it changes is in the database, and changed by what it is given. */
  readonly isAtomic: boolean;
  /** Whether the response contains a secret. */
  readonly isSecret: boolean;
  /** The response to an error after which it is not known what was changed. */
  readonly failedResponse: (error: unknown) => KeptResponse;
}

export interface KeptResponseServiceDeps extends Deps<"db" | "clock" | "logger"> {
  readonly processes: Pick<ProcessRegistry, "processId">;
  readonly keys: EncryptionKeys;
}

export type KeptResponseService = ReturnType<typeof createKeptResponseService>;

/** Carries out requests once, however often they are sent, and keeps their responses for a day. */
export function createKeptResponseService({ db, clock, logger, processes, keys }: KeptResponseServiceDeps) {
  /** The requests that this process is carrying out, other than in a transaction. */
  const running = new Set<string>();

  const isOwnAndRunning = (request: RequestName): boolean => running.has(nameOf(request));
  const { findEarlier, toStored } = createEarlierResponses({ clock, keys, processes, isOwnAndRunning });

  /** What is changed and the response are stored together or not at all, so no interruption can separate them. */
  async function performAtomically<Within>(request: NewRequest, how: CarriedOut<Within>): Promise<Outcome> {
    let isRepeat = true;
    const response = await how.inTransaction(async (within, client) => {
      const earlier = await findEarlier(client, request);
      if (earlier !== null) return earlier;
      isRepeat = false;
      const made = await how.respond(within);
      await insertResponse(client, request, toStored(request, made, how.isSecret));
      return made;
    });
    return { response, isRepeat };
  }

  /** The request is recorded before it is carried out, so it is never carried out twice. */
  async function performRecorded<Within>(request: NewRequest, how: CarriedOut<Within>): Promise<Outcome> {
    const { processId } = processes;
    const earlier = await transaction(db.pool, async (client) => {
      const found = await findEarlier(client, request);
      if (found === null) await insertRequest(client, request, processId);
      return found;
    });
    if (earlier !== null) return { response: earlier, isRepeat: true };
    running.add(nameOf(request));
    try {
      const made = await how.respond();
      await keep(request, processId, toStored(request, made, how.isSecret));
      return { response: made, isRepeat: false };
    } catch (error) {
      if (changesNothing(error)) await forget(request, processId);
      else await keep(request, processId, toStored(request, how.failedResponse(error), false));
      throw error;
    } finally {
      running.delete(nameOf(request));
    }
  }

  /** The request has been carried out, so a failure here must not become its response. */
  async function keep(request: NewRequest, processId: string, response: StoredResponse): Promise<void> {
    await addResponse(db.pool, request, processId, response).catch(reportLost);
  }

  async function forget(request: NewRequest, processId: string): Promise<void> {
    await deleteRequest(db.pool, request, processId).catch(reportLost);
  }

  function reportLost(error: unknown): void {
    logger.warn({ err: error }, "the response to a request with an Idempotency-Key could not be kept");
  }

  return {
    /**
     * Carries out a request, or returns the response to an earlier one of the same name. An error that changed nothing is not kept:
     * the request can be sent again. Throws {@link UnprocessableError} if the earlier one asked for something else,
     * {@link ConflictError} if it is still being carried out, or if its response is lost.
     */
    perform<Within>(request: RepeatableRequest, how: CarriedOut<Within>): Promise<Outcome> {
      const recorded = { ...request, createdAt: clock.now() };
      return how.isAtomic ? performAtomically(recorded, how) : performRecorded(recorded, how);
    },

    /** Forgets the requests that are a day old, and the oldest ones of keys that have made too many. */
    async deleteOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - KEPT_MS);
      await deleteOldResponses(db.pool, {
        before,
        maxRequests: MAX_REQUESTS,
        maxBytes: MAX_BYTES_OF_KEY,
      });
    },
  };
}

/** Errors that are meant for clients say that nothing was changed, unless another server is to blame. */
function changesNothing(error: unknown): boolean {
  const { status } = toPublicError(error);
  return status === 507 || (error instanceof DomainError && (status < 500 || status === 503));
}
