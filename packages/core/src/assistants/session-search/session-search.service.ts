import type { Db } from "@workspace/db";
import { parseSearchQuery } from "../../platform/search/search-query.ts";
import { givenProjectNames } from "../memory/given-project.ts";
import { unpackTurns, type StoredTurn } from "../transcripts/turn-codec.ts";
import { matchingExcerpt } from "./matching-excerpt.ts";
import { searchTurns, selectPartsOfTurns } from "./session-search.queries.ts";
import type { FoundTurn, SearchSessions } from "./session-search.schema.ts";

export type SessionSearchService = ReturnType<typeof createSessionSearchService>;

/** Finds what was said and done in sessions, by the same words as memories. */
export function createSessionSearchService({ db }: { readonly db: Db }) {
  return {
    /** The best match first. A turn is found about a second after it was stored. */
    async search({ query: text, projectPath, ...search }: SearchSessions): Promise<FoundTurn[]> {
      const query = parseSearchQuery(text);
      if (query === null) return [];
      const projects = await givenProjectNames(db.pool, projectPath);
      const places = await searchTurns(db.pool, { ...search, projects, query });
      const turns = new Map<string, StoredTurn>();
      for (const part of await selectPartsOfTurns(db.pool, places)) {
        for (const [index, turn] of (await unpackTurns(part.turns)).entries()) {
          turns.set(keyOf(part.sessionId, part.firstPosition + index), turn);
        }
      }
      const words = query.words.flatMap((word) => [word, ...word.parts]).map((word) => word.text);
      return places.flatMap(({ sessionId, projectPath: project, position }) => {
        const turn = turns.get(keyOf(sessionId, position));
        if (turn === undefined) return [];
        const { kind, toolName, occurredAt } = turn;
        const excerpt = matchingExcerpt(turn.text, words);
        return [{ sessionId, projectPath: project, position, kind, toolName, occurredAt, excerpt }];
      });
    },
  };
}

function keyOf(sessionId: string, position: number): string {
  return `${position} ${sessionId}`;
}
