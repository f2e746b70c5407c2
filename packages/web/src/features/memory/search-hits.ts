import type { Outputs } from "../../api/api.ts";
import { NO_PROJECT_PATH, type MemoryFilter } from "./memory-filter.ts";
import type { Memory } from "./memory.ts";

export type FoundTurn = Outputs["session"]["search"]["data"][number];

/** A memory, or a turn of a session. */
export type SearchHit =
  | { readonly id: string; readonly memory: Memory; readonly turn?: undefined }
  | { readonly id: string; readonly memory?: undefined; readonly turn: FoundTurn };

/** The place of a turn, as an id beside those of memories. */
export function turnIdOf({ sessionId, position }: Pick<FoundTurn, "sessionId" | "position">): string {
  return `turn:${position}:${sessionId}`;
}

/** The place that an id stands for; undefined for the id of a memory. */
export function parseTurnId(id: string): { sessionId: string; position: number } | undefined {
  const [, position, sessionId] = /^turn:(\d{1,9}):(.+)$/su.exec(id) ?? [];
  return position === undefined || sessionId === undefined ? undefined : { sessionId, position: Number(position) };
}

export function toMemoryHit(memory: Memory): SearchHit {
  return { id: memory.id, memory };
}

interface Found {
  /** Best first. */
  readonly ranked: readonly Memory[];
  /** Best first. */
  readonly turns: readonly FoundTurn[];
  /** Others that match literally. */
  readonly others: readonly Memory[];
}

/**
 * Memories and turns in one order. Their scores cannot be compared, as each depends on what is rare among its own kind, so the
 * best of both come first, then the second of both; a memory comes before a turn, for it says the same in short.
 */
export function mergeHits({ ranked, turns, others }: Found): SearchHit[] {
  const hits = new Map<string, SearchHit>();
  for (let place = 0; place < Math.max(ranked.length, turns.length); place += 1) {
    const memory = ranked[place];
    const turn = turns[place];
    if (memory !== undefined) hits.set(memory.id, toMemoryHit(memory));
    if (turn !== undefined) hits.set(turnIdOf(turn), { id: turnIdOf(turn), turn });
  }
  for (const memory of others) if (!hits.has(memory.id)) hits.set(memory.id, toMemoryHit(memory));
  return [...hits.values()];
}

/** Whether turns of sessions can match: what only memories have is not filtered by. */
export function includesTurns(filter: MemoryFilter): boolean {
  const { types, minRelevance, isRepetition, isAwaitingReview, isWithheld } = filter;
  return types.length === 0 && minRelevance === 0 && !isRepetition && !isAwaitingReview && !isWithheld;
}

/** The only project of the filter, which the server can search by. */
export function onlyProjectOf({ projects: [project, ...others] }: MemoryFilter): string | undefined {
  return others.length > 0 || project === NO_PROJECT_PATH ? undefined : project;
}
