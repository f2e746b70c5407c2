import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { DomainError, modifiedAtOf, PreconditionFailedError, type StreamedFile } from "@workspace/core";
import type { Request, Response } from "express";
import { readRange, type ByteRange } from "./byte-range.ts";
import { evaluateConditions, isRangeCurrent } from "./file-conditions.ts";
import { contentDisposition, mediaTypeOf } from "./media-type.ts";

/** A file displayed on its own runs no scripts and loads nothing from elsewhere. */
const FILE_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'";

/** A range beyond the end of the file. */
export class RangeNotSatisfiableError extends DomainError {
  readonly status = 416;
}

export interface SendFileOptions {
  /** Whether to send the file as a download even if a browser could display it. */
  readonly isDownload: boolean;
}

/**
 * Sends a file, the part of it requested by `Range`, or 304 if the caller has it. Takes ownership of the file. Whatever could
 * run in a browser is sent as a download, never displayed. Throws {@link RangeNotSatisfiableError}, and {@link
 * PreconditionFailedError} if the caller expects another version of the file.
 */
export async function sendFile(
  req: Request,
  res: Response,
  { file, path, contentHash }: StreamedFile,
  { isDownload }: SendFileOptions,
): Promise<void> {
  const { sizeBytes } = file.stat;
  const etag = `"${contentHash}"`;
  res.setHeader("ETag", etag);
  const modifiedMs = modifiedAtOf(file.stat).getTime();
  res.setHeader("Last-Modified", new Date(modifiedMs).toUTCString());
  res.setHeader("Accept-Ranges", "bytes");
  res.setHeader("Cache-Control", "private, no-cache");
  res.setHeader("Cross-Origin-Resource-Policy", "same-origin");

  const state = { etag, modifiedMs };
  const outcome = evaluateConditions(req.headers, state);
  if (outcome === "not_modified") {
    file.release();
    res.writeHead(304).end();
    return;
  }
  if (outcome === "failed") {
    file.release();
    throw new PreconditionFailedError("The file has changed since it was read.");
  }
  const range = isRangeCurrent(req.get("If-Range"), state) ? readRange(req.headers.range, sizeBytes) : null;
  if (range === "unsatisfiable") {
    file.release();
    res.setHeader("Content-Range", `bytes */${sizeBytes}`);
    throw new RangeNotSatisfiableError(`The range is beyond the end of the file, which has ${sizeBytes} bytes.`);
  }
  describeContent(res, path, isDownload);
  const part = range ?? { start: 0, length: sizeBytes };
  res.setHeader("Content-Length", part.length);
  if (range !== null)
    res.setHeader("Content-Range", `bytes ${part.start}-${part.start + part.length - 1}/${sizeBytes}`);
  res.writeHead(range === null ? 200 : 206);
  await sendPart(req, res, file, part);
}

/** Sets the headers that describe the file and restrict what a browser may do with it. */
function describeContent(res: Response, path: string, isDownload: boolean): void {
  const { type, isShown } = mediaTypeOf(path);
  res.setHeader("Content-Security-Policy", isPdf(type) ? FILE_SECURITY_POLICY : `${FILE_SECURITY_POLICY}; sandbox`);
  res.setHeader("Content-Type", type);
  res.setHeader(
    "Content-Disposition",
    contentDisposition(isShown && !isDownload ? "inline" : "attachment", basename(path)),
  );
}

async function sendPart(req: Request, res: Response, file: StreamedFile["file"], part: ByteRange): Promise<void> {
  if (req.method === "HEAD" || part.length === 0) {
    file.release();
    res.end();
    return;
  }
  try {
    await pipeline(file.stream(part), res);
  } catch {
    // The client disconnected, or the file is now shorter than its Content-Length: closing the connection reports that.
    res.destroy();
  }
}

/** The PDF viewers of browsers do not work in a sandbox. */
function isPdf(type: string): boolean {
  return type === "application/pdf";
}
