import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Response } from "express";
import { SMALLEST_LARGE_ANSWER, type LargeAnswers } from "../http/large-answers.ts";
import { wholeCharacterPieces } from "../rest/json-pieces.ts";
import { escapeHtml } from "./escape-html.ts";
import { SHARE_PAGE_POLICY, type Page } from "./share-page.ts";

/** Escaping so much takes less than a millisecond, and a slow client is seen to take it. */
const PIECE_CHARACTERS = SMALLEST_LARGE_ANSWER;

/** Sends a page that is already HTML. */
export function sendHtml(res: Response, status: number, html: string): void {
  res.writeHead(status, { ...headers(), "Content-Length": Buffer.byteLength(html) });
  res.end(html);
}

/**
 * Sends a page whose text still has to be escaped. A long one is sent piece by piece, so that others have their turn, and
 * accounted for until it has been read. Throws OverloadedError, with nothing sent, where too much waits to be read.
 */
export async function sendPage(res: Response, page: Page, largeAnswers: LargeAnswers): Promise<void> {
  const { opening, text, closing } = page;
  const characters = opening.length + (text?.length ?? 0);
  if (characters <= SMALLEST_LARGE_ANSWER) {
    sendHtml(res, 200, opening + escapeHtml(text ?? "") + closing);
    return;
  }
  if (!largeAnswers.hold(res, characters)) return;
  res.writeHead(200, headers());
  if (res.req.method === "HEAD") res.end();
  else await pipeline(Readable.from(pieces(page)), res);
}

async function* pieces({ opening, text, closing }: Page): AsyncGenerator<string> {
  yield* wholeCharacterPieces(opening, PIECE_CHARACTERS);
  for (const piece of wholeCharacterPieces(text ?? "", PIECE_CHARACTERS)) {
    await nextTurn();
    yield escapeHtml(piece);
  }
  yield closing;
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
