import {
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  ToolApprovalOutcome,
  type Queryable,
} from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import { lastPromptOf } from "../hooks/first-prompt.ts";
import type { RequestToolApproval, ToolApproval, ToolDecision } from "./tool-approval.schema.ts";

const DECISION = {
  id: column.uuid,
  digest: column.text,
  outcome: column.oneOf(ToolApprovalOutcome).nullable,
  note: column.text.nullable,
  expiresAt: column.timestamp,
};
const DECISION_COLUMNS = `id, digest, outcome, note, expires_at AS "expiresAt"`;

/** What the waiting hook is to know, and until when it may be decided. */
export type StoredDecision = ToolDecision & { readonly expiresAt: string };

export interface NewToolApproval extends Omit<RequestToolApproval, "timeoutMs"> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** No more than this many may be open. */
  readonly maxOpen: number;
}

const newApproval = defineQuery({
  name: "insert-tool-approval",
  row: { id: column.uuid },
  text: `
    INSERT INTO tool_approvals (id, digest, harness, session_id, project, folder, tool_name, call, effect, diff, created_at, expires_at)
    SELECT $1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::timestamptz, $12::timestamptz
    WHERE (SELECT count(*) FROM tool_approvals WHERE outcome IS NULL AND expires_at > $11::timestamptz) < $13
    ON CONFLICT (id) DO NOTHING RETURNING id`,
});

/** Returns false if there is one with this id, or if too many are open. */
export async function insertToolApproval(db: Queryable, approval: NewToolApproval): Promise<boolean> {
  const { id, digest, harness, sessionId, project, folder, toolName, call, effect, diff } = approval;
  const { createdAt, expiresAt, maxOpen } = approval;
  const values = [id, digest, harness, sessionId ?? null, project, folder, toolName, call, effect, diff ?? null];
  return (await newApproval.first(db, [...values, createdAt, expiresAt, maxOpen])) !== null;
}

const decisionById = defineQuery({
  name: "select-tool-decision",
  row: DECISION,
  text: `SELECT ${DECISION_COLUMNS} FROM tool_approvals WHERE id = $1`,
});

export function selectToolDecision(db: Queryable, id: string): Promise<StoredDecision | null> {
  return decisionById.first(db, [id]);
}

const endById = defineQuery({
  name: "select-tool-approval-end",
  row: { outcome: column.oneOf(ToolApprovalOutcome).nullable, decidedBy: column.text.nullable },
  text: `SELECT a.outcome, u.name AS "decidedBy" FROM tool_approvals a LEFT JOIN users u ON u.id = a.decided_by_id WHERE a.id = $1`,
});

/** How a request ended, and by whom. Null if there is no such request. */
export function selectToolApprovalEnd(
  db: Queryable,
  id: string,
): Promise<{ outcome: ToolApprovalOutcome | null; decidedBy: string | null } | null> {
  return endById.first(db, [id]);
}

export interface EndedApproval {
  readonly project: string;
  readonly digest: string;
  readonly toolName: string;
  readonly call: string;
  readonly effect: string;
}

const ended = defineQuery({
  name: "end-tool-approval",
  row: { project: column.text, digest: column.text, toolName: column.text, call: column.text, effect: column.text },
  text: `
    UPDATE tool_approvals SET outcome = $2::tool_approval_outcome, decided_at = $3, decided_by_id = $4, note = $5
    WHERE id = $1 AND outcome IS NULL AND expires_at > $3
    RETURNING project, digest, tool_name AS "toolName", call, effect`,
});

/** Ends an open request, once: the first to do so decides. Null if it is not open, or does not exist. */
export function endToolApproval(
  db: Queryable,
  id: string,
  end: {
    readonly outcome: ToolApprovalOutcome;
    readonly at: Date;
    readonly userId: string | null;
    readonly note: string | null;
  },
): Promise<EndedApproval | null> {
  return ended.first(db, [id, end.outcome, end.at, end.userId, end.note]);
}

const APPROVAL = {
  id: column.uuid,
  harness: column.text,
  sessionId: column.text.nullable,
  prompt: column.text.nullable,
  project: column.text,
  folder: column.text,
  toolName: column.text,
  call: column.text,
  effect: column.text,
  diff: column.text.nullable,
  createdAt: column.timestamp,
  expiresAt: column.timestamp,
  outcome: column.oneOf(ToolApprovalOutcome).nullable,
  isOpen: column.boolean.neverNull,
  decidedAt: column.timestamp.nullable,
  decidedBy: column.text.nullable,
  note: column.text.nullable,
};

const approvals = defineComposedQuery({
  name: "select-tool-approvals",
  row: APPROVAL,
  compose: (search: ToolApprovalSearch & PageRange<TimeAndId>, bind) => {
    const { open, now, after, limit } = search;
    const isOpen = `(outcome IS NULL AND expires_at > ${bind(now)})`;
    const conditions = [
      ...(open === undefined ? [] : [open ? isOpen : `NOT ${isOpen}`]),
      ...(after === undefined
        ? []
        : [`(a.created_at, a.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`]),
    ];
    return `
      SELECT a.id, a.harness, a.session_id AS "sessionId", ${lastPromptOf("a.session_id", "a.created_at")} AS prompt, a.project, a.folder, a.tool_name AS "toolName", a.call, a.effect,
             a.diff, a.created_at AS "createdAt", a.expires_at AS "expiresAt", a.outcome, ${isOpen} AS "isOpen",
             a.decided_at AS "decidedAt", u.name AS "decidedBy", a.note
      FROM tool_approvals a LEFT JOIN users u ON u.id = a.decided_by_id
      ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
      ORDER BY a.created_at DESC, a.id DESC LIMIT ${bind(limit)}`;
  },
  examples: [
    { open: false, now: new Date(0), after: ["", ""], limit: 1 },
    { open: true, now: new Date(0), after: undefined, limit: 1 },
    { open: undefined, now: new Date(0), after: undefined, limit: 1 },
  ],
});

interface ToolApprovalSearch {
  readonly open: boolean | undefined;
  readonly now: Date;
}

/** Newest first. */
export async function selectToolApprovals(
  db: Queryable,
  search: ToolApprovalSearch,
  range: PageRange<TimeAndId>,
): Promise<ToolApproval[]> {
  const rows = await approvals.all(db, { ...search, ...range });
  return rows.map(({ outcome, isOpen, ...row }) => ({ ...row, state: outcome ?? (isOpen ? "open" : "expired") }));
}

const oldApprovals = defineCommand({
  name: "delete-old-tool-approvals",
  text: `DELETE FROM tool_approvals WHERE created_at < $1`,
});

export async function deleteToolApprovalsBefore(db: Queryable, before: Date): Promise<void> {
  await oldApprovals.run(db, [before]);
}
