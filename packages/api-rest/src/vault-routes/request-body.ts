import { InvalidInputError } from "@workspace/core";
import type { Request } from "express";

/** The body as it arrives. An incomplete body is an error, so that half a file is never taken for a complete one. */
export async function* bodyOf(req: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of req) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch (cause) {
    throw new InvalidInputError("The upload was interrupted. Nothing was written.", { cause });
  }
  if (!req.complete) throw new InvalidInputError("The upload was interrupted. Nothing was written.");
}
