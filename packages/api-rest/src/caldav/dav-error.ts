import { CalendarError, DomainError, toPublicError } from "@workspace/core";
import type { Response } from "express";
import { element, xmlDocument, xmlText, type XmlName } from "./xml-writer.ts";

/** A request that this server does not take, with the condition of WebDAV (RFC 4918, 16) that it breaks, if it has a name. */
export class DavError extends DomainError {
  readonly status: number;
  readonly condition: XmlName | null;

  constructor(status: number, condition: XmlName | null, message: string) {
    super(message);
    this.status = status;
    this.condition = condition;
  }
}

/** Sends what went wrong to a program that may show it to a person. */
export function sendDavError(res: Response, error: unknown): void {
  const { status, message, retryAfterS } = toPublicError(error);
  if (retryAfterS !== undefined) res.setHeader("Retry-After", retryAfterS);
  // The rest of a refused body is not read, so the connection cannot be reused.
  if (status === 413) res.setHeader("Connection", "close");
  res.removeHeader("ETag");
  const condition = conditionOf(error);
  const contents = [...(condition === null ? [] : [element(condition)]), element("cs:message", [xmlText(message)])];
  sendXml(res, status, xmlDocument("d:error", contents).join(""));
}

export function sendXml(res: Response, status: number, document: string | Buffer): void {
  res.writeHead(status, {
    "Content-Type": "application/xml; charset=utf-8",
    "Content-Length": Buffer.byteLength(document),
    "Cache-Control": "no-store",
  });
  res.end(res.req.method === "HEAD" ? undefined : document);
}

function conditionOf(error: unknown): XmlName | null {
  if (error instanceof DavError) return error.condition;
  if (!(error instanceof CalendarError)) return null;
  const isDav = ["valid-sync-token", "number-of-matches-within-limits"].includes(error.condition);
  return isDav ? `d:${error.condition}` : `c:${error.condition}`;
}
