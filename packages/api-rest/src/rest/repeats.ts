import { createHash } from "node:crypto";
import {
  assertIdempotencyKey,
  repeatsOf,
  toPublicError,
  type Context,
  type KeptResponse,
  type Services,
} from "@workspace/core";
import type { Request, Response } from "express";
import { entityTagOf } from "./entity-tag.ts";
import type { ErrorWriter } from "./error-response.ts";
import { bodyHashOf } from "./json-body.ts";
import { estimateLargeParts } from "./json-pieces.ts";
import type { JsonResponses } from "./json-responses.ts";
import type { Route } from "./routes.ts";

/** Set on a response that was made for an earlier request. */
const REPLAYED_HEADER = "Idempotency-Replayed";

/** Recognises requests that were sent before, by their `Idempotency-Key`. */
export interface Repeats {
  /** A request that may be one; undefined if it has no such key, or if that means nothing for its route. */
  of(route: Route, ctx: Context<Services>, req: Request): RepeatableRequest | undefined;
}

interface RepeatableRequest {
  /** Makes the call and sends its response, or sends the response to the earlier request. */
  respond(res: Response, call: (ctx: Context<Services>) => Promise<unknown>): Promise<void>;
}

export interface RepeatsOptions {
  readonly services: Services;
  readonly responses: JsonResponses;
  readonly toErrorBody: ErrorWriter;
}

/** For programs with bearer keys: each key has its own requests. */
export function createRepeats({ services, responses, toErrorBody }: RepeatsOptions): Repeats {
  const failedResponse = (error: unknown): KeptResponse => {
    const publicError = toPublicError(error);
    return { status: publicError.status, entityTag: null, body: JSON.stringify(toErrorBody(publicError)) };
  };

  return {
    of(route, ctx, req) {
      const idempotencyKey = req.get("Idempotency-Key");
      const kind = repeatsOf({ ...route, route: route.meta });
      if (idempotencyKey === undefined || kind === null || kind === "own") return undefined;
      if (ctx.principal?.kind !== "api_key") return undefined;
      assertIdempotencyKey(idempotencyKey);
      const name = { apiKeyId: ctx.principal.keyId, idempotencyKey };

      return {
        async respond(res, call) {
          let output: unknown;
          const { response, isRepeat } = await services.keptResponses.perform(
            { ...name, requestHash: hashRequest(req) },
            {
              isAtomic: kind === "atomic",
              isSecret: route.meta.returnsSecret === true,
              inTransaction: services.atomically,
              failedResponse,
              async respond(within) {
                output = await call(within === undefined ? ctx : { ...ctx, services: { ...services, ...within } });
                return toResponse(route, output);
              },
            },
          );
          const { status, entityTag, body } = response;
          if (entityTag !== null) res.setHeader("ETag", entityTag);
          if (isRepeat) res.setHeader(REPLAYED_HEADER, "true");
          await (body === null ? responses.send(res, status, output) : responses.sendText(res, status, body));
        },
      };
    },
  };
}

function toResponse({ meta }: Route, output: unknown): KeptResponse {
  return {
    status: meta.successStatus ?? 200,
    entityTag: entityTagOf(output, meta) ?? null,
    // One with large parts is written piece by piece.
    body: estimateLargeParts(output) > 0 ? null : JSON.stringify(output),
  };
}

/** All that a request asks for. */
function hashRequest(req: Request): string {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = req.headers;
  const parts = [req.method, req.originalUrl, ifMatch ?? null, ifNoneMatch ?? null, bodyHashOf(req) ?? null];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
