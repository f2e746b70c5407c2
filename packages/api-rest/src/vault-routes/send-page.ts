import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Response } from "express";
import { escapeHtml } from "./escape-html.ts";
import { SHARE_PAGE_POLICY, type Page } from "./share-page.ts";

/** Escaping so much takes about a millisecond. */
const PIECE_CHARACTERS = 128 * 1024;

/** Sends a page that is already HTML. */
export function sendHtml(res: Response, status: number, html: string): void {
  res.writeHead(status, { ...headers(), "Content-Length": Buffer.byteLength(html) });
  res.end(html);
}

/** Sends a page whose text still has to be escaped, piece by piece where it is long, so that others have their turn. */
export async function sendPage(res: Response, { opening, text, closing }: Page): Promise<void> {
  if (text === null || text.length <= PIECE_CHARACTERS) {
    sendHtml(res, 200, opening + escapeHtml(text ?? "") + closing);
    return;
  }
  res.writeHead(200, headers());
  await pipeline(Readable.from(pieces(opening, text, closing)), res);
}

async function* pieces(opening: string, text: string, closing: string): AsyncGenerator<string> {
  yield opening;
  for (let start = 0; start < text.length;) {
    await nextTurn();
    const end = start + PIECE_CHARACTERS;
    // The two halves of a character outside the basic plane stay together.
    const isSplit = isHighSurrogate(text.charCodeAt(end - 1));
    const piece = text.slice(start, isSplit ? end + 1 : end);
    yield escapeHtml(piece);
    start += piece.length;
  }
  yield closing;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function headers() {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": SHARE_PAGE_POLICY,
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
