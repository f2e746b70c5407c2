import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { chooseCoding, compress } from "../http/compression.ts";
import { SMALLEST_LARGE_ANSWER, type LargeAnswers } from "../http/large-answers.ts";
import { jsonHeaders, sendJsonText } from "./error-response.ts";
import { countLargeTexts, toJsonPieces } from "./json-pieces.ts";

/** Sends JSON of any length. What is large is accounted for until it has been read, and written in pieces. */
export interface JsonAnswers {
  /** Throws OverloadedError, with nothing sent, where too much waits to be read. Headers set before stay. */
  send(res: ServerResponse, status: number, body: unknown): Promise<void> | undefined;
  /** As `send`, for a body that was written out before. */
  sendText(res: ServerResponse, status: number, text: string): Promise<void> | undefined;
}

export function createJsonAnswers(largeAnswers: LargeAnswers): JsonAnswers {
  async function sendLargeTexts(res: ServerResponse, status: number, body: unknown, characters: number): Promise<void> {
    if (!largeAnswers.hold(res, characters)) return;
    await sendPieces(res, status, await toJsonPieces(body));
  }

  async function sendPieces(res: ServerResponse, status: number, pieces: readonly Buffer[]): Promise<void> {
    if (!largeAnswers.hold(res, sumLengths(pieces))) return;
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
    if (text.length > SMALLEST_LARGE_ANSWER) return sendPieces(res, status, [Buffer.from(text)]);
    sendJsonText(res, status, text);
    return undefined;
  }

  return {
    sendText,
    send(res, status, body) {
      const characters = countLargeTexts(body);
      if (characters > 0) return sendLargeTexts(res, status, body, characters);
      return sendText(res, status, JSON.stringify(body));
    },
  };
}

async function write(res: ServerResponse, status: number, pieces: readonly Buffer[]): Promise<void> {
  res.writeHead(status, jsonHeaders(sumLengths(pieces)));
  if (res.req.method === "HEAD") res.end();
  else await pipeline(Readable.from(chunksOf(pieces)), res);
}

/** Small enough that a slow client is seen to take them. */
function* chunksOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SMALLEST_LARGE_ANSWER) {
      yield piece.subarray(start, start + SMALLEST_LARGE_ANSWER);
    }
  }
}

function sumLengths(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
