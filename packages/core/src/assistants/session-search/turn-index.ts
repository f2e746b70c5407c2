import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { Closable } from "../../platform/repeat.ts";
import { unpackTurns } from "../transcripts/turn-codec.ts";
import { insertTurnVectors, lockUnindexedPart, markPartIndexed, type TurnVector } from "./turn-index.queries.ts";
import { toTurnVector } from "./turn-vector.ts";

/** Computing the vectors of so much text takes a few milliseconds of the main thread. */
const SLICE_CHARACTERS = 8_000;
const CHECK_EVERY_MS = 1_000;

export type TurnIndexDeps = Deps<"db" | "logger">;

export interface TurnIndex extends Closable {
  start(): Promise<void>;
  /** Indexes all turns that are not indexed and not being indexed by another process. */
  catchUp(): Promise<void>;
}

/**
 * Has the turns of transcripts found by search. It is not done when they are stored, because a long session takes seconds. A
 * part that is interrupted is done again, by whichever process is next.
 */
export function createTurnIndex({ db, logger }: TurnIndexDeps): TurnIndex {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await catchUp().catch((error: unknown) => logger.warn({ err: error }, "turns could not be indexed"));
      await rest(CHECK_EVERY_MS);
    }
  }

  async function catchUp(): Promise<void> {
    while (!closing.signal.aborted) {
      const startedAtMs = performance.now();
      if (!(await transaction(db.pool, indexPart))) return;
      // Half of the time is left to others.
      await rest(performance.now() - startedAtMs);
    }
  }

  async function rest(forMs: number): Promise<void> {
    await sleep(forMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  return {
    async start() {
      running ??= run();
    },
    catchUp,

    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Returns false if there was nothing to do. */
async function indexPart(client: PoolClient): Promise<boolean> {
  const part = await lockUnindexedPart(client);
  if (part === null) return false;
  let slice: TurnVector[] = [];
  let characters = 0;
  for (const [index, turn] of (await unpackTurns(part.turns)).entries()) {
    const position = part.firstPosition + index;
    slice.push({ ...toTurnVector(turn, part), position, occurredAt: turn.occurredAt });
    characters += turn.text.length;
    if (characters < SLICE_CHARACTERS) continue;
    await insertTurnVectors(client, part.sessionId, slice);
    await nextTurn();
    slice = [];
    characters = 0;
  }
  await insertTurnVectors(client, part.sessionId, slice);
  await markPartIndexed(client, part);
  return true;
}
