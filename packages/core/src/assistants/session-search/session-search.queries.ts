import { column, defineComposedQuery, defineQuery, type Bind, type Queryable, type RowOf } from "@workspace/db";
import type { SearchQuery } from "../../platform/search/search-query.ts";
import {
  bestOf,
  MAX_DISTANCE,
  raisedBy,
  scoredCandidates,
  type SearchCorpus,
} from "../../platform/search/search-ranking.ts";
import { projectLexeme } from "../memory/memory-vector.ts";
import type { SearchSessions } from "./session-search.schema.ts";
import { sessionLexeme } from "./turn-vector.ts";

const TURNS: SearchCorpus = {
  table: "session_turn_vectors",
  id: "id",
  candidates: () => `
      SELECT scores.*, t.session_id, t.position, t.occurred_at
      FROM scores JOIN session_turn_vectors t USING (id)`,
};

const FOUND = {
  sessionId: column.text,
  projectPath: column.text.nullable,
  position: column.integer,
};

interface TurnSearch extends Pick<SearchSessions, "sessionId" | "limit"> {
  /** The names of the project whose sessions are searched; undefined for all. */
  readonly projects?: readonly string[] | undefined;
  readonly query: SearchQuery;
}

const foundTurns = defineComposedQuery({
  name: "search-turns",
  row: FOUND,
  compose: ({ query, limit, ...where }: TurnSearch, bind) => `
    WITH ${scoredCandidates(TURNS, { query, conditions: [], scope: scopeOf(where, bind), correctsSpelling: false }, bind)},
    ${bestOf(TURNS)},
    ${raisedBy(`
      SELECT n.id, abs(n.position - best.position) AS distance, best.score FROM best JOIN candidates n
        ON n.session_id = best.session_id AND n.position BETWEEN best.position - ${MAX_DISTANCE} AND best.position + ${MAX_DISTANCE}`)},
    found AS MATERIALIZED (
      SELECT * FROM raised ORDER BY score DESC, occurred_at DESC NULLS LAST, id DESC LIMIT ${bind(limit)}
    )
    SELECT t.session_id AS "sessionId", t.project_path AS "projectPath", found.position
    FROM found JOIN session_transcripts t USING (session_id)
    ORDER BY found.score DESC, found.occurred_at DESC NULLS LAST, found.id DESC`,
  examples: [
    { query: { phrase: "a", words: [], literalWords: [] }, projects: ["/a", "/b"], sessionId: "s", limit: 1 },
    { query: { phrase: "a", words: [], literalWords: [] }, limit: 1 },
  ],
});

function scopeOf({ projects, sessionId }: Pick<TurnSearch, "projects" | "sessionId">, bind: Bind) {
  const conditions: string[] = [];
  if (projects !== undefined)
    conditions.push(`project_path IN (${projects.map((project) => bind(project)).join(", ")})`);
  if (sessionId !== undefined) conditions.push(`session_id = ${bind(sessionId)}`);
  if (conditions.length === 0) return null;
  const count = `(SELECT sum(turn_count) FROM session_transcripts WHERE ${conditions.join(" AND ")})`;
  // A session belongs to one project.
  const lexemes = sessionId === undefined ? (projects ?? []).map(projectLexeme) : [sessionLexeme(sessionId)];
  return { lexemes, count };
}

export type TurnPlace = Readonly<RowOf<typeof FOUND>>;

/** The turns that have most of a query's words, best first. */
export function searchTurns(db: Queryable, search: TurnSearch): Promise<TurnPlace[]> {
  return foundTurns.all(db, search);
}

const partsOfTurns = defineQuery({
  name: "select-parts-of-turns",
  row: { sessionId: column.text, firstPosition: column.integer, turns: column.bytes },
  text: `
    SELECT DISTINCT ON (p.session_id, p.first_position)
      p.session_id AS "sessionId", p.first_position AS "firstPosition", p.turns
    FROM unnest($1::text[], $2::int[]) AS found (session_id, position), LATERAL (
      SELECT session_id, first_position, turns FROM session_transcript_parts own
      WHERE own.session_id = found.session_id AND own.first_position <= found.position
      ORDER BY first_position DESC LIMIT 1
    ) AS p`,
});

/** The parts of transcripts that have these turns. */
export function selectPartsOfTurns(
  db: Queryable,
  turns: readonly Pick<TurnPlace, "sessionId" | "position">[],
): Promise<{ sessionId: string; firstPosition: number; turns: Buffer }[]> {
  return partsOfTurns.all(db, [turns.map(({ sessionId }) => sessionId), turns.map(({ position }) => position)]);
}
