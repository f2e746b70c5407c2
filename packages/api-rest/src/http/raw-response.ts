import { STATUS_CODES, type OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { PublicError } from "@workspace/core";
import { toApiErrorBody } from "../rest/error-response.ts";

/**
 * Sends an error, in the same format as all others, on a connection for which there is no response object, and closes the
 * connection.
 */
export function endWithError(socket: Duplex, error: PublicError, headers: Readonly<OutgoingHttpHeaders>): void {
  const body = JSON.stringify(toApiErrorBody(error));
  const all: OutgoingHttpHeaders = {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}`);
  socket.end([`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? "Error"}`, ...lines, "", body].join("\r\n"));
}
