import { useQueries } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import type { Client } from "../../client/client.ts";
import { pagesOfTurns, TURNS_PER_PAGE, type TurnRange } from "./turn-pages.ts";

export type SessionTurn = Outputs["hooks"]["getTranscript"]["data"]["turns"][number];

export interface SessionTurnsState {
  /** Undefined while it is being loaded. */
  turnAt(position: number): SessionTurn | undefined;
  /** Why turns could not be loaded; null if they could. */
  readonly error: unknown;
  retry(): void;
}

/** The turns of a session in a range of positions. Only the pages that contain them are loaded. */
export function useSessionTurns(sessionId: string, turnCount: number, range: TurnRange): SessionTurnsState {
  const client = useClient();
  return useQueries({
    queries: pagesOfTurns(range, turnCount).map(({ from, count }) => ({
      // Not among the queries of hook events: turns never change, and a page that has grown is another one.
      queryKey: ["session-turns", sessionId, from, count],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadTurns(client, { sessionId, from, count }, signal),
      staleTime: Infinity,
    })),
    combine: useCallback((results: readonly PageResult[]): SessionTurnsState => {
      const turns = new Map(results.flatMap(({ data = [] }) => data).map((turn) => [turn.position, turn]));
      return {
        turnAt: (position) => turns.get(position),
        error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
        retry: () => {
          for (const { error, refetch } of results) if (error !== null) void refetch();
        },
      };
    }, []),
  });
}

interface PageResult {
  readonly data: SessionTurn[] | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

/** A response with much text ends early, and continues in the next one. */
async function loadTurns(
  client: Client,
  { sessionId, from, count }: { sessionId: string; from: number; count: number },
  signal: AbortSignal,
): Promise<SessionTurn[]> {
  const turns: SessionTurn[] = [];
  while (turns.length < count) {
    const rest = { sessionId, from: from + turns.length, limit: Math.min(count - turns.length, TURNS_PER_PAGE) };
    const { data } = await client.api.hooks.getTranscript.query(rest, { signal });
    if (data.turns.length === 0) break;
    turns.push(...data.turns);
  }
  return turns;
}
