import { isUtf8 } from "node:buffer";
import { DomainError, InvalidInputError, TooLargeError } from "@workspace/core";
import express, { type Request, type Response } from "express";
import * as z from "zod";
import { hasMoreValues } from "./json-size.ts";

/** A body whose content type is not JSON. */
export class UnsupportedMediaTypeError extends DomainError {
  readonly status = 415;
}

/**
 * Well above a batch of 500 ordinary hook events. Parsing, checking, redacting and storing all take time for each value, so
 * this bounds them all. A body of at most so many bytes cannot hold more values and is not counted.
 */
const MAX_VALUES = 20_000;

/** Reads the JSON body of a request. */
export type JsonBodyReader = (req: Request, res: Response) => Promise<unknown>;

/** What the parser throws. Without a type, it is a failure of the stream that decompresses the body. */
const parserError = z.object({ type: z.string().optional(), status: z.number() });

/**
 * A reader with a size limit. It answers undefined for a request without a body, and throws for a body that is too large
 * (413), is not JSON by its content type (415), holds more than {@link MAX_VALUES} values (400), or is malformed (400:
 * syntax, bytes that are not UTF-8, or corrupt compressed data).
 */
export function createJsonBodyReader(limitBytes: number): JsonBodyReader {
  const parse = express.json({
    limit: limitBytes,
    strict: false,
    type: ["application/json", "application/*+json"],
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw new InvalidInputError("The body is not valid UTF-8.");
      if (bytes.length > MAX_VALUES && hasMoreValues(bytes, MAX_VALUES)) {
        throw new InvalidInputError(`The body must hold at most ${MAX_VALUES} values.`);
      }
    },
  });
  return async (req, res) => {
    if (!hasBody(req)) return undefined;
    await new Promise<void>((resolve, reject) => {
      parse(req, res, (error?: unknown) =>
        error === undefined ? resolve() : reject(toDomainError(error, limitBytes)),
      );
    });
    const body: unknown = req.body;
    if (body === undefined) throw new UnsupportedMediaTypeError("Send the body as application/json.");
    return body;
  };
}

function hasBody(req: Request): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function toDomainError(error: unknown, limitBytes: number): unknown {
  // The parser sets a status of its own on what is thrown while it verifies the body.
  if (error instanceof InvalidInputError) return new InvalidInputError(error.message);
  const parsed = parserError.safeParse(error);
  if (!parsed.success) return error;
  if (parsed.data.status === 413) {
    return new TooLargeError(`The body is larger than ${limitBytes} bytes.`, { cause: error });
  }
  if (parsed.data.status === 415) {
    return new UnsupportedMediaTypeError("The body's character set or encoding is not supported.", { cause: error });
  }
  if (parsed.data.type === "entity.verify.failed") return new InvalidInputError("The body is not valid UTF-8.");
  if (parsed.data.type === undefined && parsed.data.status === 400) {
    return new InvalidInputError("The body is not valid in its Content-Encoding.", { cause: error });
  }
  return parsed.data.status < 500 ? new InvalidInputError("The body is not valid JSON.", { cause: error }) : error;
}
