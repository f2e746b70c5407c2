import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import * as z from "zod";
import type { SessionTurn } from "./session-transcript.schema.ts";
import { TURN_KINDS } from "./session-transcript.schema.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A turn as it is stored; its position follows from its place. */
export type StoredTurn = Omit<SessionTurn, "position">;

const packedTurns = z.array(
  z.tuple([
    z.number().int().min(0).max(3),
    z.string().nullable(),
    z.string(),
    z.string().nullable(),
    z.union([z.literal(0), z.literal(1)]).optional(),
    z.string().optional(),
  ]),
);

/** Compresses turns together, because they have much in common. */
export function packTurns(turns: readonly StoredTurn[]): Promise<Buffer> {
  const packed = turns.map(({ kind, toolName, text, occurredAt, hasFailed, callId }) => [
    TURN_KINDS.indexOf(kind),
    toolName,
    text,
    occurredAt,
    ...(callId === null ? (hasFailed ? [1] : []) : [hasFailed ? 1 : 0, callId]),
  ]);
  return deflate(JSON.stringify(packed));
}

/** The inverse of {@link packTurns}. */
export async function unpackTurns(bytes: Buffer): Promise<StoredTurn[]> {
  const packed = packedTurns.parse(JSON.parse((await inflate(bytes)).toString()));
  return packed.map(([kind, toolName, text, occurredAt, failed, callId = null]) => ({
    kind: TURN_KINDS[kind] ?? "user",
    toolName,
    text,
    occurredAt,
    hasFailed: failed === 1,
    callId,
  }));
}
