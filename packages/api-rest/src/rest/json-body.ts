import { isUtf8 } from "node:buffer";
import { DomainError, InvalidInputError, TooLargeError } from "@workspace/core";
import express, { type Request, type Response } from "express";
import * as z from "zod";
import { hasMoreValues } from "./json-size.ts";

/** A body whose content type is not JSON. */
export class UnsupportedMediaTypeError extends DomainError {
  readonly status = 415;
}

const MIB = 1024 * 1024;
/** Larger bodies carry a long text or some; nothing that the API takes has so many values. */
const [MAX_BYTES_OF_ANY_FORM, MAX_VALUES] = [MIB, 100_000] as const;

/** Reads the JSON body of a request. */
export type JsonBodyReader = (req: Request, res: Response) => Promise<unknown>;

/** What the parser throws. Without a type, it is a failure of the stream that decompresses the body. */
const parserError = z.object({ type: z.string().optional(), status: z.number() });

/**
 * A reader with a size limit. It answers undefined for a request without a body, and throws for a body that is too large
 * or has too many values (413), is not JSON by its content type (415), or malformed (400: syntax, bytes that are not UTF-8, or compressed data that is
 * corrupt).
 */
export function createJsonBodyReader(limitBytes: number): JsonBodyReader {
  const parse = express.json({
    limit: limitBytes,
    strict: false,
    type: ["application/json", "application/*+json"],
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw new InvalidInputError("The body is not valid UTF-8.");
      if (bytes.length > MAX_BYTES_OF_ANY_FORM && hasMoreValues(bytes, MAX_VALUES)) {
        throw new TooLargeError(`The body has more than ${MAX_VALUES} values.`);
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
  // The parser has put a status of its own on what was thrown while it verified the body.
  if (error instanceof TooLargeError) return new TooLargeError(error.message);
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
