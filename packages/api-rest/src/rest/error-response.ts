import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { PublicError } from "@workspace/core";
import { chooseCoding, compress, SMALLEST_COMPRESSED_BYTES } from "../http/compression.ts";

/** Writes an error body; `/api` and `/api/v1` have different ones. */
export type ErrorWriter = (error: PublicError) => object;

/** The contract's error shape for `/api`. */
export const toApiErrorBody: ErrorWriter = ({ status, message, issues }) => ({
  statusCode: status,
  statusMessage: STATUS_CODES[status] ?? "Error",
  message,
  ...(issues !== undefined && { issues }),
});

/**
 * Sends a JSON body of moderate size (`json-responses.ts` sends larger ones), compressed if that is worthwhile and the client
 * accepts it. Headers already set on the response are kept.
 */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  sendJsonText(res, status, JSON.stringify(body));
}

/** Like {@link sendJson}, for a body that is already serialized. */
export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  const coding = text.length < SMALLEST_COMPRESSED_BYTES ? null : chooseCoding(res);
  if (coding === null) {
    endWithJson(res, status, text);
    return;
  }
  compress(text, coding).then(
    (compressed) => {
      res.setHeader("Content-Encoding", coding);
      endWithJson(res, status, compressed);
    },
    () => res.destroy(),
  );
}

function endWithJson(res: ServerResponse, status: number, bytes: string | Buffer): void {
  res.writeHead(status, jsonHeaders(Buffer.byteLength(bytes)));
  res.end(bytes);
}

export function jsonHeaders(contentLength: number): OutgoingHttpHeaders {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": contentLength,
    "Cache-Control": "no-store",
  };
}

/** Responds with 304. Headers already set on the response, such as its `ETag`, are kept. */
export function sendNotModified(res: ServerResponse): void {
  res.writeHead(304, { "Cache-Control": "no-store" });
  res.end();
}

export function sendError(res: ServerResponse, error: PublicError, toBody: ErrorWriter = toApiErrorBody): void {
  if (error.retryAfterS !== undefined) res.setHeader("Retry-After", error.retryAfterS);
  sendJson(res, error.status, toBody(error));
}

/** Refuses the method of a request and lists the allowed ones. */
export function sendMethodNotAllowed(
  res: ServerResponse,
  allowedMethods: readonly string[],
  toBody: ErrorWriter = toApiErrorBody,
): void {
  const allow = allowedMethods.join(", ");
  res.setHeader("Allow", allow);
  sendError(res, { status: 405, message: `This URL only supports ${allow}.` }, toBody);
}
