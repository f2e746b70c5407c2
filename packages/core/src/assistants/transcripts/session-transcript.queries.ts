import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { KeptTranscript } from "./session-transcript.schema.ts";

const LOCKED = { turnCount: column.integer, characterCount: column.integer };

const lockedTranscript = defineQuery({
  name: "lock-session-transcript",
  row: LOCKED,
  text: `
    INSERT INTO session_transcripts (session_id, project_path, updated_at) VALUES ($1, $2, $3)
    ON CONFLICT (session_id) DO UPDATE SET project_path = coalesce(EXCLUDED.project_path, session_transcripts.project_path)
    RETURNING turn_count AS "turnCount", character_count AS "characterCount"`,
});

export interface TranscriptOwner {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly now: Date;
}

/** Creates the transcript of a session if there is none, and locks it until the transaction ends. */
export function lockSessionTranscript(
  db: PoolClient,
  { sessionId, projectPath, now }: TranscriptOwner,
): Promise<Readonly<RowOf<typeof LOCKED>>> {
  return lockedTranscript.one(db, [sessionId, projectPath, now]);
}

const turnKeys = defineQuery({
  name: "select-turn-keys",
  row: { keys: column.bytes },
  text: "SELECT keys FROM session_transcript_parts WHERE session_id = $1 ORDER BY first_position",
});

/** The keys of all turns of a session, in their order. */
export async function selectTurnKeys(db: Queryable, sessionId: string): Promise<Buffer> {
  return Buffer.concat((await turnKeys.all(db, [sessionId])).map(({ keys }) => keys));
}

export interface TranscriptPart {
  readonly firstPosition: number;
  readonly turnCount: number;
  readonly turns: Buffer;
  readonly keys: Buffer;
}

const addedPart = defineCommand({
  name: "insert-transcript-part",
  text: `
    INSERT INTO session_transcript_parts (session_id, first_position, turn_count, turns, keys)
    VALUES ($1, $2, $3, $4, $5)`,
});

export async function insertTranscriptPart(db: PoolClient, sessionId: string, part: TranscriptPart): Promise<void> {
  await addedPart.run(db, [sessionId, part.firstPosition, part.turnCount, part.turns, part.keys]);
}

const extendedTranscript = defineCommand({
  name: "extend-session-transcript",
  text: `
    UPDATE session_transcripts SET turn_count = turn_count + $2, character_count = character_count + $3,
      is_complete = is_complete AND $4, updated_at = CASE WHEN $2 > 0 THEN $5 ELSE updated_at END
    WHERE session_id = $1`,
});

export interface TranscriptExtension {
  readonly addedTurns: number;
  readonly addedCharacters: number;
  readonly isComplete: boolean;
  readonly now: Date;
}

export async function extendSessionTranscript(
  db: PoolClient,
  sessionId: string,
  { addedTurns, addedCharacters, isComplete, now }: TranscriptExtension,
): Promise<void> {
  await extendedTranscript.run(db, [sessionId, addedTurns, addedCharacters, isComplete, now]);
}

const keptTranscript = defineQuery({
  name: "select-session-transcript",
  row: { turnCount: column.integer, isComplete: column.boolean, updatedAt: column.timestamp },
  text: `
    SELECT turn_count AS "turnCount", is_complete AS "isComplete", updated_at AS "updatedAt"
    FROM session_transcripts WHERE session_id = $1`,
});

/** Null if no transcript of the session is kept. */
export function selectSessionTranscript(db: Queryable, sessionId: string): Promise<KeptTranscript | null> {
  return keptTranscript.first(db, [sessionId]);
}

const partsFrom = defineQuery({
  name: "select-transcript-parts",
  row: { firstPosition: column.integer, turns: column.bytes },
  text: `
    SELECT first_position AS "firstPosition", turns FROM session_transcript_parts
    WHERE session_id = $1 AND first_position < $2::int + $3::int AND first_position >= (
      SELECT max(first_position) FROM session_transcript_parts WHERE session_id = $1 AND first_position <= $2)
    ORDER BY first_position LIMIT $4`,
});

/** The parts that have the turns from a position on, at most so many turns and so many parts. */
export function selectTranscriptParts(
  db: Queryable,
  sessionId: string,
  { from, turns, parts }: { readonly from: number; readonly turns: number; readonly parts: number },
): Promise<Pick<TranscriptPart, "firstPosition" | "turns">[]> {
  return partsFrom.all(db, [sessionId, from, turns, parts]);
}
