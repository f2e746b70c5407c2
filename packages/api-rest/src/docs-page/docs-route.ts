import { gunzipSync, gzipSync } from "node:zlib";
import { Router, type RequestHandler, type Response } from "express";
import { acceptedCoding } from "../http/accepted-coding.ts";
import { addBasePath } from "../http/base-path.ts";

export interface DocumentSource {
  readonly load: () => Promise<object>;
  /** The path of the document itself, below the base path. */
  readonly href: string;
}

const STYLE_HREF = "/docs/style.css";

/**
 * `/docs`: both OpenAPI documents as one page, without scripts or resources from elsewhere. Rendered on the first request and
 * kept compressed: 13 KB instead of 200.
 */
export function createDocsRoute(basePath: string, sources: readonly DocumentSource[]): RequestHandler {
  let page: Promise<Buffer> | undefined;
  const renderPage = async (): Promise<Buffer> => {
    const { renderDocsPage } = await import("./page.ts");
    const documents = await Promise.all(sources.map(async ({ load, href }) => ({ document: await load(), href })));
    return gzipSync(addBasePath(renderDocsPage(documents, STYLE_HREF), basePath));
  };
  const loadStyle = async (): Promise<Buffer> => gzipSync((await import("./style.ts")).STYLE);

  const routes = Router();
  routes.get("/", async (_req, res) => send(res, "text/html", await (page ??= renderPage())));
  routes.get("/style.css", async (_req, res) => send(res, "text/css", await loadStyle()));
  return routes;
}

/** Nearly all clients accept gzip; for the others, the bytes are decompressed. */
function send(res: Response, type: string, compressed: Buffer): void {
  const isCompressed = acceptedCoding(res.req.headers["accept-encoding"], ["gzip"]) !== null;
  const bytes = isCompressed ? compressed : gunzipSync(compressed);
  if (isCompressed) res.setHeader("Content-Encoding", "gzip");
  res.writeHead(200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": bytes.byteLength,
    "Cache-Control": "no-cache",
    Vary: "Accept-Encoding",
  });
  res.end(bytes);
}
