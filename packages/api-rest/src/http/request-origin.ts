import { InvalidInputError, type Origin } from "@workspace/core";
import type { Request } from "express";

/** Names the session of the assistant that makes a request. */
const SESSION_HEADER = "X-Assistant-Session";
const SESSION_ID = /^[\x21-\x7e]{1,255}$/;

/** Through what a request is made. Throws {@link InvalidInputError} for a header that cannot be the id of a session. */
export function originOf(req: Request, kind: "http" | "mcp"): Origin {
  const sessionId = req.get(SESSION_HEADER);
  if (sessionId === undefined) return { kind, sessionId: null };
  if (SESSION_ID.test(sessionId)) return { kind, sessionId };
  throw InvalidInputError.at(SESSION_HEADER, "expected at most 255 printable characters without spaces");
}
