import { column, defineQuery, type Queryable } from "@workspace/db";
import type { HookPolicy, SetHookPolicy } from "./hook-policy.schema.ts";

const POLICY = {
  document: column.json.as<HookPolicy["document"]>(),
  version: column.integer,
  updatedAt: column.timestamp,
};

const COLUMNS = `document, version, updated_at AS "updatedAt"`;

const storedPolicy = defineQuery({
  name: "select-hook-policy",
  row: POLICY,
  text: `SELECT ${COLUMNS} FROM hook_policies WHERE id = 1`,
});

/** The policy; null if none was ever set. */
export function selectHookPolicy(db: Queryable): Promise<HookPolicy | null> {
  return storedPolicy.first(db);
}

const changedPolicy = defineQuery({
  name: "set-hook-policy",
  row: POLICY,
  text: `
    INSERT INTO hook_policies AS stored (id, document, version, updated_at)
    SELECT 1, $1, 1, $2 WHERE COALESCE($3, 0) = 0 OR EXISTS (SELECT FROM hook_policies)
    ON CONFLICT (id) DO UPDATE SET document = excluded.document, version = stored.version + 1, updated_at = $2
      WHERE $3::integer IS NULL OR stored.version = $3
    RETURNING ${COLUMNS}`,
});

/** Replaces the policy. Returns null if there is an expected version and the policy has another one. */
export function setHookPolicy(
  db: Queryable,
  { document, expectedVersion, now }: SetHookPolicy & { now: Date },
): Promise<HookPolicy | null> {
  return changedPolicy.first(db, [JSON.stringify(document), now, expectedVersion ?? null]);
}
