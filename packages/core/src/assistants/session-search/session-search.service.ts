import type { Db } from "@workspace/db";
import { parseSearchQuery } from "../../platform/search/search-query.ts";
import { givenProjectNames } from "../memory/given-project.ts";
import { matchingExcerpt } from "./matching-excerpt.ts";
import { searchTurns } from "./session-search.queries.ts";
import { keyOfTurn, readTurns } from "./read-turns.ts";
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
      const turns = await readTurns(db.pool, places);
      const words = query.words.flatMap((word) => [word, ...word.parts]).map((word) => word.text);
      return places.flatMap(({ sessionId, projectPath: project, position }) => {
        const turn = turns.get(keyOfTurn({ sessionId, position }));
        if (turn === undefined) return [];
        const { kind, toolName, occurredAt } = turn;
        const excerpt = matchingExcerpt(turn.text, words);
        return [{ sessionId, projectPath: project, position, kind, toolName, occurredAt, excerpt }];
      });
    },
  };
}
