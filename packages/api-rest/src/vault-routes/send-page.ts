import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { splitText } from "@workspace/core";
import type { Response } from "express";
import { escapeHtml } from "../http/escape-html.ts";
import { SMALLEST_LARGE_RESPONSE, type LargeResponses } from "../http/large-responses.ts";
import type { Page } from "./share-page.ts";

/** Escaping this much takes less than a millisecond, and is little enough to see the progress of a slow client. */
const PIECE_CHARACTERS = SMALLEST_LARGE_RESPONSE;

/** Sends a page that is already HTML, with its content security policy. */
export function sendHtml(res: Response, status: number, html: string, policy: string): void {
  res.writeHead(status, { ...headersOf(policy), "Content-Length": Buffer.byteLength(html) });
  res.end(html);
}

/**
 * Sends a page whose text still has to be escaped. A long page is sent piece by piece, so that other requests are served in
 * between, and accounted for until it has been read. Throws OverloadedError, with nothing sent, if too many unread responses
 * are held.
 */
export async function sendPage(
  res: Response,
  page: Page,
  policy: string,
  largeResponses: LargeResponses,
): Promise<void> {
  const { opening, text, closing } = page;
  const characters = opening.length + (text?.length ?? 0);
  if (characters <= SMALLEST_LARGE_RESPONSE) {
    sendHtml(res, 200, opening + escapeHtml(text ?? "") + closing, policy);
    return;
  }
  if (!largeResponses.hold(res, characters)) return;
  res.writeHead(200, headersOf(policy));
  if (res.req.method === "HEAD") res.end();
  else await pipeline(Readable.from(pieces(page)), res);
}

async function* pieces({ opening, text, closing }: Page): AsyncGenerator<string> {
  yield* splitText(opening, PIECE_CHARACTERS);
  for (const piece of splitText(text ?? "", PIECE_CHARACTERS)) {
    await nextTurn();
    yield escapeHtml(piece);
  }
  yield closing;
}

function headersOf(policy: string) {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
