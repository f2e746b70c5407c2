import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { DomainError, InvalidInputError, TooLargeError } from "@workspace/core";
import express, { type Request, type Response } from "express";
import * as z from "zod";
import type { LargeBodies } from "../http/large-bodies.ts";
import { hasMoreValues } from "./json-size.ts";
import { parseLargeJson, tooManyValues } from "./large-json.ts";

/** A body whose content type is not JSON. */
export class UnsupportedMediaTypeError extends DomainError {
  readonly status = 415;
}

/**
 * Well above a batch of 500 ordinary hook events. Parsing, validating, redacting and storing all take time per value, so this
 * bounds them all. A body of at most this many bytes cannot contain more values and is not counted.
 */
const MAX_VALUES = 20_000;
/** Parsing this much takes a few milliseconds at worst. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

const JSON_TYPES = ["application/json", "application/*+json"];
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Of requests that may be repeats. */
const bodyHashes = new WeakMap<Request, string>();

/** The SHA-256 of the body of a request with an `Idempotency-Key`; undefined if it has no body. */
export function bodyHashOf(req: Request): string | undefined {
  return bodyHashes.get(req);
}

/** Reads the JSON body of a request, and also sets it as the request's `body`. */
export type JsonBodyReader = (req: Request, res: Response) => Promise<unknown>;

/** Where large bodies are accounted for until they have been answered. */
export interface BodyMemory {
  /** As bytes, for as long as a connection takes. */
  readonly arriving: LargeBodies;
  /** Parsed and processed, which takes several times the memory. */
  readonly handled: LargeBodies;
}

/** The errors of the library that reads the bytes. Those without a type come from the stream that decompresses the body. */
const readerError = z.object({ type: z.string().optional(), status: z.number() });

/**
 * A reader with a size limit. It returns undefined for a request without a body, and throws for a body that is too large (413),
 * is not JSON in UTF-8 by its content type (415), contains more than {@link MAX_VALUES} values (400), is malformed (400:
 * syntax, bytes that are not UTF-8, or corrupt compressed data), or for which there is no room beside other large ones (503).
 *
 * @param largeBodies - not for what strangers may send, who could keep the memory for themselves
 */
export function createJsonBodyReader(limitBytes: number, largeBodies?: BodyMemory): JsonBodyReader {
  const readBytes = express.raw({ limit: limitBytes, type: JSON_TYPES });
  return async (req, res) => {
    if (!hasBody(req)) return undefined;
    if (OTHER_CHARSET.test(req.headers["content-type"] ?? "")) throw unsupported();
    await largeBodies?.arriving.hold(res, mostBytesOf(req, limitBytes));
    await new Promise<void>((resolve, reject) => {
      readBytes(req, res, (error?: unknown) =>
        error === undefined ? resolve() : reject(toDomainError(error, limitBytes)),
      );
    });
    const bytes: unknown = req.body;
    if (!Buffer.isBuffer(bytes)) throw new UnsupportedMediaTypeError("Send the body as application/json.");
    await largeBodies?.arriving.hold(res, bytes.length);
    if (req.headers["idempotency-key"] !== undefined) {
      bodyHashes.set(req, createHash("sha256").update(bytes).digest("hex"));
    }
    await largeBodies?.handled.hold(res, bytes.length);
    const body = await parse(bytes);
    req.body = body;
    return body;
  };
}

/** An empty body is an empty object, because some clients always send a length or a content type. */
async function parse(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new InvalidInputError("The body is not valid UTF-8.");
  const json = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
  try {
    if (json.length > MAX_BYTES_AT_ONCE) return await parseLargeJson(json, MAX_VALUES);
    if (json.length > MAX_VALUES && hasMoreValues(json, MAX_VALUES)) throw tooManyValues(MAX_VALUES);
    return JSON.parse(json.toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidInputError("The body is not valid JSON.", { cause: error });
  }
}

function hasBody(req: Request): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

/** How many bytes may arrive. */
function mostBytesOf({ headers }: Request, limitBytes: number): number {
  const declared = headers["content-encoding"] === undefined ? headers["content-length"] : undefined;
  const bytes = Number(declared ?? limitBytes);
  // A body that is too large is refused, not read.
  return bytes > limitBytes ? 0 : bytes;
}

function toDomainError(error: unknown, limitBytes: number): unknown {
  const parsed = readerError.safeParse(error);
  if (!parsed.success) return error;
  const { status, type } = parsed.data;
  if (status === 413) return new TooLargeError(`The body is larger than ${limitBytes} bytes.`, { cause: error });
  if (status === 415) return unsupported(error);
  if (status !== 400) return error;
  return new InvalidInputError(
    type === undefined ? "The body does not match its Content-Encoding." : "The body does not match its headers.",
    { cause: error },
  );
}

function unsupported(cause?: unknown): UnsupportedMediaTypeError {
  return new UnsupportedMediaTypeError("The body's character set or encoding is not supported.", { cause });
}
