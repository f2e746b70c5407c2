import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { chooseCoding, compress } from "../http/compression.ts";
import { SMALLEST_LARGE_RESPONSE, type LargeResponses } from "../http/large-responses.ts";
import { jsonHeaders, sendJsonText } from "./error-response.ts";
import { estimateLargeParts, fillInTexts, toJsonPieces } from "./json-pieces.ts";

/** Sends JSON of any size. Large responses are written in pieces and accounted for until they have been read. */
export interface JsonResponses {
  /** Throws OverloadedError, with nothing sent, if too many unread responses are held. Headers already set are kept. */
  send(res: ServerResponse, status: number, body: unknown): Promise<void> | undefined;
  /** Like `send`, for a body that is already serialized. */
  sendText(res: ServerResponse, status: number, text: string): Promise<void> | undefined;
  /** Like `sendText`, for a body in which marks are replaced by long texts. */
  sendFrame(
    res: ServerResponse,
    status: number,
    frame: string,
    texts: ReadonlyMap<string, string>,
  ): Promise<void> | undefined;
}

export function createJsonResponses(largeResponses: LargeResponses): JsonResponses {
  async function sendLarge(res: ServerResponse, status: number, body: unknown, estimate: number): Promise<void> {
    if (!largeResponses.hold(res, estimate)) return;
    await sendPieces(res, status, await toJsonPieces(body));
  }

  async function sendPieces(res: ServerResponse, status: number, pieces: readonly Buffer[]): Promise<void> {
    if (!largeResponses.hold(res, sumLengths(pieces))) return;
    const coding = chooseCoding(res);
    if (coding === null) {
      await write(res, status, pieces);
      return;
    }
    const compressed = await compress(Buffer.concat(pieces), coding);
    res.setHeader("Content-Encoding", coding);
    await write(res, status, [compressed]);
  }

  function sendText(res: ServerResponse, status: number, text: string): Promise<void> | undefined {
    if (text.length > SMALLEST_LARGE_RESPONSE) return sendPieces(res, status, [Buffer.from(text)]);
    sendJsonText(res, status, text);
    return undefined;
  }

  async function sendFilled(
    res: ServerResponse,
    status: number,
    frame: string,
    texts: ReadonlyMap<string, string>,
  ): Promise<void> {
    const characters = [...texts.values()].reduce((sum, { length }) => sum + length, frame.length);
    if (!largeResponses.hold(res, characters)) return;
    await sendPieces(res, status, await fillInTexts(frame, texts));
  }

  return {
    sendText,
    sendFrame: (res, status, frame, texts) =>
      texts.size === 0 ? sendText(res, status, frame) : sendFilled(res, status, frame, texts),
    send(res, status, body) {
      const estimate = estimateLargeParts(body);
      if (estimate > 0) return sendLarge(res, status, body, estimate);
      return sendText(res, status, JSON.stringify(body));
    },
  };
}

async function write(res: ServerResponse, status: number, pieces: readonly Buffer[]): Promise<void> {
  res.writeHead(status, jsonHeaders(sumLengths(pieces)));
  if (res.req.method === "HEAD") res.end();
  else await pipeline(Readable.from(chunksOf(pieces)), res);
}

/** Small enough that progress is visible even if a client reads slowly. */
function* chunksOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SMALLEST_LARGE_RESPONSE) {
      yield piece.subarray(start, start + SMALLEST_LARGE_RESPONSE);
    }
  }
}

function sumLengths(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
