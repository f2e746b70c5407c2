import { NotFoundError, toPublicError, type DocumentSharingService } from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { assertDecodableQuery } from "../rest/percent-encoding.ts";
import { isImage } from "./media-type.ts";
import { sendFile } from "./send-file.ts";
import { renderShareError, renderSharePage, SHARE_PAGE_POLICY } from "./share-page.ts";

export interface ShareRoutesOptions {
  readonly sharing: DocumentSharingService;
  /** Hears of failures; decides itself which are worth a line in the log. */
  readonly reportError: (error: unknown, req: Request) => void;
}

const SHARE_PATH = /^\/([^/]+)(?:\/(file|shown))?\/?$/;

/**
 * `/share/:id`: a shared document for anyone, as a page; `/share/:id/file`, the file of a shared binary one; and
 * `/share/:id/shown?path=`, an image that a shared text shows. Nothing is cached, so that what is no longer shared is gone
 * with the next request, and only what is shared as public may be found by search engines.
 */
export function createShareRoutes({ sharing, reportError }: ShareRoutesOptions): RequestHandler {
  const show = async (res: Response, id: string): Promise<void> => {
    const shared = await sharing.open(id, null);
    if (shared.document.shareType === "public") res.removeHeader("X-Robots-Tag");
    sendPage(res, 200, renderSharePage(shared));
  };

  const sendShownImage = async (req: Request, res: Response, id: string): Promise<void> => {
    const { path } = req.query;
    if (typeof path !== "string" || !isImage(path)) throw new NotFoundError("The document shows no such image.");
    const linked = await sharing.openLinked(id, path);
    if (!isImage(linked.path)) {
      linked.file.release();
      throw new NotFoundError("The document shows no such image.");
    }
    await sendFile(req, res, linked, { isDownload: false });
  };

  const handle = async (req: Request, res: Response): Promise<void> => {
    assertDecodableQuery(req.url);
    const [, id = "", part] = SHARE_PATH.exec(req.path) ?? [];
    if (part === "shown") await sendShownImage(req, res, id);
    else if (part === "file")
      await sendFile(req, res, await sharing.openFile(id), { isDownload: "download" in req.query });
    else await show(res, id);
  };

  return (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") {
      next();
      return;
    }
    res.setHeader("X-Robots-Tag", "noindex");
    res.setHeader("Referrer-Policy", "no-referrer");
    handle(req, res).catch((error: unknown) => {
      reportError(error, req);
      if (res.headersSent) {
        res.destroy();
        return;
      }
      const { status, message } = toPublicError(error);
      // What is no id is, to a person, an address with nothing behind it.
      sendPage(res, status === 400 ? 404 : status, renderShareError(message));
    });
  };
}

function sendPage(res: Response, status: number, html: string): void {
  res.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(html),
    "Content-Security-Policy": SHARE_PAGE_POLICY,
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  });
  res.end(html);
}
