import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { acceptedCoding, type Coding } from "./accepted-coding.ts";

/** Compressing smaller responses is not worth the work. */
export const SMALLEST_COMPRESSED_BYTES = 4096;

const CODINGS: readonly Coding[] = ["br", "gzip"];
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Responses with secrets are not compressed: anyone who can have guesses included in one would learn from its compressed length
 * which of them are right.
 */
const HAS_SECRETS =
  /^\/api\/(?:(?:auth|secrets|api-keys|calendar-feeds)(?:\/|$)|trpc\/(?:.*,)?(?:secrets|apiKeys|calendarFeeds)\.)/i;

/**
 * The coding for a large response; null to send it uncompressed. Sets `Vary`. A response with an entity tag is not compressed,
 * because the tag identifies the uncompressed bytes and must still match when it comes back in `If-Match`.
 */
export function chooseCoding(res: ServerResponse): Coding | null {
  const path = pathOf(res.req);
  if (path === null || HAS_SECRETS.test(path) || res.hasHeader("ETag")) return null;
  res.setHeader("Vary", "Accept-Encoding");
  return res.req.method === "HEAD" ? null : acceptedCoding(res.req.headers["accept-encoding"], CODINGS);
}

/** Compresses in another thread, optimised for speed rather than size. */
export async function compress(text: string | Buffer, coding: Coding): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(text, { level: 1 });
  return compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/** The path as it was sent, but decoded, so that no other spelling of it goes unnoticed. */
function pathOf(req: IncomingMessage): string | null {
  const url = "originalUrl" in req && typeof req.originalUrl === "string" ? req.originalUrl : (req.url ?? "");
  const [path = ""] = url.split("?");
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
