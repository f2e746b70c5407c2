import type { Queryable } from "@workspace/db";
import { unpackTurns, type StoredTurn } from "../transcripts/turn-codec.ts";
import { selectPartsOfTurns, type TurnPlace } from "./session-search.queries.ts";

type TurnKey = Pick<TurnPlace, "sessionId" | "position">;

/** Turns by their keys; those that are not kept any more are left out. */
export async function readTurns(db: Queryable, places: readonly TurnKey[]): Promise<Map<string, StoredTurn>> {
  const turns = new Map<string, StoredTurn>();
  for (const part of await selectPartsOfTurns(db, places)) {
    for (const [index, turn] of (await unpackTurns(part.turns)).entries()) {
      turns.set(keyOfTurn({ sessionId: part.sessionId, position: part.firstPosition + index }), turn);
    }
  }
  return turns;
}

export function keyOfTurn({ sessionId, position }: TurnKey): string {
  return `${position} ${sessionId}`;
}
