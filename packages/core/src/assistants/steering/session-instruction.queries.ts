import { column, defineCommand, defineQuery, InstructionKind, type Queryable } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import { firstPromptOf } from "../hooks/first-prompt.ts";
import type { RunningSession, SessionInstruction } from "./session-instruction.schema.ts";

/** What hooks still have to do: messages and stops that no hook had, and pauses until they are over. */
const standingOf = (table: string) =>
  `${table}.ended_at IS NULL AND (${table}.delivered_at IS NULL OR ${table}.kind = 'pause')`;
const STANDING = standingOf("session_instructions");

export interface NewInstruction {
  readonly id: string;
  readonly sessionId: string;
  readonly kind: InstructionKind;
  readonly text: string | null;
  readonly createdAt: Date;
  readonly userId: string;
  /** No more than this many may stand. */
  readonly maxStanding: number;
}

const newInstruction = defineQuery({
  name: "insert-session-instruction",
  row: { id: column.uuid },
  text: `
    INSERT INTO session_instructions (id, session_id, kind, text, created_at, created_by_id)
    SELECT $1::uuid, $2, $3::instruction_kind, $4, $5, $6::uuid
    WHERE (SELECT count(*) FROM session_instructions WHERE session_id = $2 AND ${STANDING}) < $7
    ON CONFLICT DO NOTHING RETURNING id`,
});

/** Returns false if it is paused, or to be stopped, already, or if too many stand. */
export async function insertInstruction(db: Queryable, instruction: NewInstruction): Promise<boolean> {
  const { id, sessionId, kind, text, createdAt, userId, maxStanding } = instruction;
  return (await newInstruction.first(db, [id, sessionId, kind, text, createdAt, userId, maxStanding])) !== null;
}

const INSTRUCTION = {
  id: column.uuid,
  sessionId: column.text,
  kind: column.oneOf(InstructionKind),
  text: column.text.nullable,
  createdAt: column.timestamp,
  createdBy: column.text.nullable,
  state: column.text.as<SessionInstruction["state"]>().neverNull,
  deliveredAt: column.timestamp.nullable,
  endedAt: column.timestamp.nullable,
  endedBy: column.text.nullable,
  mayBeDelivered: column.boolean.neverNull,
};

const SELECT_INSTRUCTION = `
  SELECT i.id, i.session_id AS "sessionId", i.kind, i.text, i.created_at AS "createdAt", giver.name AS "createdBy",
         CASE WHEN i.ended_at IS NOT NULL THEN 'withdrawn' WHEN i.delivered_at IS NOT NULL THEN 'delivered'
              WHEN i.claimed_until > $1 THEN 'delivering' ELSE 'pending' END AS state,
         i.delivered_at AS "deliveredAt", i.ended_at AS "endedAt", ender.name AS "endedBy",
         i.kind <> 'pause' AND i.ended_at IS NOT NULL AND i.claimed_until IS NOT NULL AS "mayBeDelivered"
  FROM session_instructions i
  LEFT JOIN users giver ON giver.id = i.created_by_id LEFT JOIN users ender ON ender.id = i.ended_by_id`;

const instructionById = defineQuery({
  name: "select-session-instruction",
  row: INSTRUCTION,
  text: `${SELECT_INSTRUCTION} WHERE i.id = $2`,
});

export function selectInstruction(db: Queryable, id: string, now: Date): Promise<SessionInstruction | null> {
  return instructionById.first(db, [now, id]);
}

const standingOfKind = defineQuery({
  name: "select-standing-instruction",
  row: INSTRUCTION,
  text: `${SELECT_INSTRUCTION} WHERE i.session_id = $2 AND i.kind = $3::instruction_kind AND ${standingOf("i")} LIMIT 1`,
});

/** That which stands of a kind of which there is one at a time. */
export function selectStandingOfKind(
  db: Queryable,
  sessionId: string,
  kind: InstructionKind,
  now: Date,
): Promise<SessionInstruction | null> {
  return standingOfKind.first(db, [now, sessionId, kind]);
}

const instructions = defineQuery({
  name: "select-session-instructions",
  row: INSTRUCTION,
  text: `
    ${SELECT_INSTRUCTION}
    WHERE i.session_id = $2 AND ($4::timestamptz IS NULL OR (i.created_at, i.id) < ($4, $5::uuid))
    ORDER BY i.created_at DESC, i.id DESC LIMIT $3`,
});

/** Newest first. */
export function selectInstructions(
  db: Queryable,
  { sessionId, now }: { readonly sessionId: string; readonly now: Date },
  { limit, after }: PageRange<TimeAndId>,
): Promise<SessionInstruction[]> {
  return instructions.all(db, [now, sessionId, limit, after?.[0], after?.[1]]);
}

const STANDING_ROW = {
  id: column.uuid,
  kind: column.oneOf(InstructionKind),
  text: column.text.nullable,
  createdAt: column.timestamp,
  createdBy: column.text.nullable,
  claim: column.uuid.nullable,
  claimedUntil: column.timestamp.nullable,
  deliveredAt: column.timestamp.nullable,
};
export interface StandingInstruction {
  readonly id: string;
  readonly kind: InstructionKind;
  readonly text: string | null;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly claim: string | null;
  readonly claimedUntil: string | null;
  readonly deliveredAt: string | null;
}

const SELECT_STANDING = `
  SELECT i.id, i.kind, i.text, i.created_at AS "createdAt", u.name AS "createdBy", i.claim, i.claimed_until AS "claimedUntil",
         i.delivered_at AS "deliveredAt"
  FROM session_instructions i LEFT JOIN users u ON u.id = i.created_by_id
  WHERE i.session_id = $1 AND ${standingOf("i")} ORDER BY i.created_at, i.id`;

const standing = defineQuery({
  name: "select-standing-instructions",
  row: STANDING_ROW,
  text: SELECT_STANDING,
  isPrepared: true,
});

/** What hooks of a session still have to do, oldest first. */
export function selectStanding(db: Queryable, sessionId: string): Promise<StandingInstruction[]> {
  return standing.all(db, [sessionId]);
}

const lockedStanding = defineQuery({
  name: "lock-standing-instructions",
  row: STANDING_ROW,
  text: `${SELECT_STANDING} FOR UPDATE OF i`,
});

/** The same for a transaction that is to change them. */
export function lockStanding(db: Queryable, sessionId: string): Promise<StandingInstruction[]> {
  return lockedStanding.all(db, [sessionId]);
}

const claimed = defineCommand({
  name: "claim-session-instructions",
  text: `UPDATE session_instructions SET claim = $2, claimed_until = $3 WHERE id = ANY($1::uuid[])`,
});

export async function claimInstructions(
  db: Queryable,
  ids: readonly string[],
  { claim, until }: { readonly claim: string; readonly until: Date },
): Promise<void> {
  await claimed.run(db, [ids, claim, until]);
}

const delivered = defineQuery({
  name: "deliver-session-instructions",
  row: { id: column.uuid, kind: column.oneOf(InstructionKind) },
  text: `
    UPDATE session_instructions SET delivered_at = $3
    WHERE session_id = $1 AND id = ANY($2::uuid[]) AND delivered_at IS NULL AND ended_at IS NULL RETURNING id, kind`,
});

/** Returns those that had not been delivered before. */
export function markDelivered(
  db: Queryable,
  sessionId: string,
  ids: readonly string[],
  at: Date,
): Promise<{ id: string; kind: InstructionKind }[]> {
  return delivered.all(db, [sessionId, ids, at]);
}

const ended = defineQuery({
  name: "end-session-instruction",
  row: { sessionId: column.text, kind: column.oneOf(InstructionKind) },
  text: `
    UPDATE session_instructions SET ended_at = $2, ended_by_id = $3
    WHERE id = $1 AND ${STANDING} AND (kind = 'pause' OR claimed_until IS NULL OR claimed_until <= $2)
    RETURNING session_id AS "sessionId", kind`,
});

/** Withdraws what no hook has, and ends a pause. Null if a hook has it or had it, or if there is none. */
export function endInstruction(
  db: Queryable,
  id: string,
  end: { readonly at: Date; readonly userId: string | null },
): Promise<{ sessionId: string; kind: InstructionKind } | null> {
  return ended.first(db, [id, end.at, end.userId]);
}

const RUNNING = {
  lastEventId: column.uuid,
  sessionId: column.text.neverNull,
  prompt: column.text.nullable,
  projectDir: column.text.nullable,
  harness: column.text.nullable,
  lastEventAt: column.timestamp,
  lastToolName: column.text.nullable,
  pauseId: column.uuid.nullable,
  pendingInstructions: column.safeInteger.neverNull,
};

const runningSessions = defineQuery({
  name: "select-running-sessions",
  row: RUNNING,
  text: `
    SELECT e.id AS "lastEventId", e.session_id AS "sessionId",
           ${firstPromptOf("e.session_id")} AS prompt,
           e.project_dir AS "projectDir",
           e.event_data ->> 'harness' AS harness, e.created_at AS "lastEventAt", e.tool_name AS "lastToolName",
           (SELECT i.id FROM session_instructions i WHERE i.session_id = e.session_id AND i.kind = 'pause' AND ${standingOf("i")})
             AS "pauseId",
           (SELECT count(*) FROM session_instructions i WHERE i.session_id = e.session_id AND i.kind <> 'pause' AND ${standingOf("i")})
             AS "pendingInstructions"
    FROM hook_events e
    WHERE e.created_at > $1 AND e.session_id IS NOT NULL AND e.event_type <> 'SessionEnd'
      AND ($3::timestamptz IS NULL OR (e.created_at, e.id) < ($3, $4::uuid))
      AND NOT EXISTS (
        SELECT 1 FROM hook_events later
        WHERE later.session_id = e.session_id AND (later.created_at, later.id) > (e.created_at, e.id)
      )
    ORDER BY e.created_at DESC, e.id DESC LIMIT $2`,
});

/** Sessions that have not ended and did something since the given time, by their last event, newest first. */
export function selectRunningSessions(
  db: Queryable,
  since: Date,
  { limit, after }: PageRange<TimeAndId>,
): Promise<RunningSession[]> {
  return runningSessions.all(db, [since, limit, after?.[0], after?.[1]]);
}

const oldInstructions = defineCommand({
  name: "delete-old-session-instructions",
  text: `DELETE FROM session_instructions WHERE created_at < $1`,
});

export async function deleteInstructionsBefore(db: Queryable, before: Date): Promise<void> {
  await oldInstructions.run(db, [before]);
}
