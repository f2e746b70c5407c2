import { isUtf8 } from "node:buffer";
import { InvalidInputError, TooLargeError } from "@workspace/core";
import express, { type Request, type Response } from "express";
import * as z from "zod";

/** Above a task with the longest text, written with escapes, and the names of all tasks in a list. */
export const MAX_BODY_BYTES = 1024 * 1024;

const readBytes = express.raw({ limit: MAX_BODY_BYTES, type: () => true });
const readerError = z.object({ status: z.number() });

/** The body of a request as text; empty without one. Throws if it is too large (413) or not UTF-8 (400). */
export async function readText(req: Request, res: Response): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(toDomainError(error))));
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes)) return "";
  if (!isUtf8(bytes)) throw new InvalidInputError("The body is not valid UTF-8.");
  return bytes.toString().replace(/^\uFEFF/, "");
}

function toDomainError(error: unknown): unknown {
  const status = readerError.safeParse(error).data?.status;
  if (status === 413) return new TooLargeError(`The body is larger than ${MAX_BODY_BYTES} bytes.`, { cause: error });
  return status === undefined || status >= 500
    ? error
    : new InvalidInputError("The body does not match its headers.", { cause: error });
}
