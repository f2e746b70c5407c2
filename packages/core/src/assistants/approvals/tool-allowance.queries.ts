import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { ToolAllowance } from "./tool-approval.schema.ts";

const ALLOWANCE = {
  id: column.uuid,
  project: column.text,
  digest: column.text,
  toolName: column.text,
  call: column.text,
  effect: column.text,
  createdAt: column.timestamp,
};

const newAllowance = defineCommand({
  name: "insert-tool-allowance",
  text: `
    INSERT INTO tool_allowances (id, project, digest, tool_name, call, effect, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project, digest) DO NOTHING`,
});

/** Does nothing if the call is allowed already. */
export async function insertToolAllowance(
  db: Queryable,
  { id, project, digest, toolName, call, effect, createdAt }: Omit<ToolAllowance, "createdAt"> & { createdAt: Date },
): Promise<void> {
  await newAllowance.run(db, [id, project, digest, toolName, call, effect, createdAt]);
}

const allowances = defineQuery({
  name: "select-tool-allowances",
  row: ALLOWANCE,
  text: `
    SELECT id, project, digest, tool_name AS "toolName", call, effect, created_at AS "createdAt" FROM tool_allowances
    WHERE $2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid) ORDER BY created_at DESC, id DESC LIMIT $1`,
});

/** Newest first. */
export function selectToolAllowances(db: Queryable, { limit, after }: PageRange<TimeAndId>): Promise<ToolAllowance[]> {
  return allowances.all(db, [limit, after?.[0], after?.[1]]);
}

const deletedAllowance = defineQuery({
  name: "delete-tool-allowance",
  row: { toolName: column.text },
  text: `DELETE FROM tool_allowances WHERE id = $1 RETURNING tool_name AS "toolName"`,
});

/** Returns the name of the tool; null if there was none. */
export async function deleteToolAllowance(db: Queryable, id: string): Promise<string | null> {
  return (await deletedAllowance.first(db, [id]))?.toolName ?? null;
}
