import {
  DomainError,
  NotFoundError,
  toPublicError,
  type Clock,
  type DocumentSharingService,
  type PublicDocument,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { createAttemptLimiter, type AttemptLimit } from "../auth/attempt-limiter.ts";
import { clientAddressOf } from "../auth/client-address.ts";
import type { LargeResponses } from "../http/large-responses.ts";
import { assertDecodableQuery } from "../rest/percent-encoding.ts";
import { isImage } from "./media-type.ts";
import { sendFile } from "./send-file.ts";
import { sendHtml, sendPage } from "./send-page.ts";
import { createSharePages } from "./share-page.ts";
import type { Article, PageRenderer } from "./page-renderer.ts";

export interface ShareRoutesOptions {
  /** Before all paths in pages. */
  readonly basePath: string;
  readonly sharing: DocumentSharingService;
  readonly renderer: PageRenderer;
  readonly largeResponses: LargeResponses;
  readonly clock: Clock;
  readonly trustsProxy: boolean;
  /** Called with every failure; logs errors hidden from clients. */
  readonly reportError: (error: unknown, req: Request) => void;
}

/** How many texts one address may have rendered per minute. Cached pages are not limited. */
const RENDERING_LIMIT: AttemptLimit = { max: 240, windowMs: 60_000 };

class TooManyPagesError extends DomainError {
  readonly status = 429;
  override readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many pages were requested. Try again in ${retryAfterS} seconds.`);
    this.retryAfterS = retryAfterS;
  }
}

const SHARE_PATH = /^\/([^/]+)(?:\/(file|shown))?\/?$/;

/**
 * `/share/:id`: a shared document as a page, for anyone; `/share/:id/file`: the file of a shared binary document; and
 * `/share/:id/shown?path=`: an image that a shared text embeds. Responses are not cached, so that a document that is no longer
 * shared disappears with the next request, and only documents shared as public may be indexed by search engines.
 */
export function createShareRoutes(options: ShareRoutesOptions): RequestHandler {
  const { sharing, renderer, largeResponses, clock, trustsProxy, reportError } = options;
  const pages = createSharePages(options.basePath);
  const tryRendering = createAttemptLimiter(RENDERING_LIMIT, clock);

  const renderArticle = async (req: Request, shared: PublicDocument): Promise<Article> => {
    const request = pages.toRenderRequest(shared);
    const known = request === null ? null : renderer.known(request);
    if (request === null || known !== undefined) return known ?? null;
    const verdict = tryRendering(clientAddressOf(req, trustsProxy));
    if (!verdict.isAllowed) throw new TooManyPagesError(verdict.retryAfterS);
    return renderer.render(request);
  };

  const show = async (req: Request, res: Response, id: string): Promise<void> => {
    const shared = await sharing.open(id, null);
    const article = await renderArticle(req, shared);
    if (shared.document.shareType === "public") res.removeHeader("X-Robots-Tag");
    await sendPage(res, pages.toPage(shared, article), pages.policy, largeResponses);
  };

  const sendShownImage = async (req: Request, res: Response, id: string): Promise<void> => {
    const { path } = req.query;
    if (typeof path !== "string" || !isImage(path)) throw new NotFoundError("There is no such image in the document.");
    const linked = await sharing.openLinked(id, path);
    if (!isImage(linked.path)) {
      linked.file.release();
      throw new NotFoundError("There is no such image in the document.");
    }
    await sendFile(req, res, linked, { isDownload: false });
  };

  const handle = async (req: Request, res: Response): Promise<void> => {
    assertDecodableQuery(req.url);
    const [, id = "", part] = SHARE_PATH.exec(req.path) ?? [];
    if (part === "shown") await sendShownImage(req, res, id);
    else if (part === "file")
      await sendFile(req, res, await sharing.openFile(id), { isDownload: "download" in req.query });
    else await show(req, res, id);
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
      const { status, message, retryAfterS } = toPublicError(error);
      if (retryAfterS !== undefined) res.setHeader("Retry-After", retryAfterS);
      // To people, a malformed id is simply a page that does not exist.
      if (status === 400) sendHtml(res, 404, pages.renderError("There is no such document."), pages.policy);
      else sendHtml(res, status, pages.renderError(message), pages.policy);
    });
  };
}
