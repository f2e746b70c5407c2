import type { Db, Pool } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { PreconditionFailedError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import type { HookPolicy, SetHookPolicy } from "./hook-policy.schema.ts";

export interface HookPolicyServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
}

export type HookPolicyService = ReturnType<typeof createHookPolicyService>;

const NO_POLICY: HookPolicy = { document: {}, version: 0, updatedAt: null };
const COLUMNS = `document, version, updated_at AS "updatedAt"`;

/** The one policy document that the hooks of all assistants fetch and keep a copy of. */
export function createHookPolicyService({ db, clock, events }: HookPolicyServiceDeps) {
  return {
    get: (): Promise<HookPolicy> => selectHookPolicy(db.pool),

    /** Replaces the document. Throws {@link PreconditionFailedError} where it is no longer the expected version. */
    async set({ document, expectedVersion }: SetHookPolicy): Promise<HookPolicy> {
      const { rows } = await db.pool.query<HookPolicy>(
        `INSERT INTO hook_policies AS stored (id, document, version, updated_at)
         SELECT 1, $1, 1, $2 WHERE COALESCE($3, 0) = 0 OR EXISTS (SELECT FROM hook_policies)
         ON CONFLICT (id) DO UPDATE SET document = excluded.document, version = stored.version + 1, updated_at = $2
           WHERE $3::integer IS NULL OR stored.version = $3
         RETURNING ${COLUMNS}`,
        [JSON.stringify(document), clock.now(), expectedVersion ?? null],
      );
      const [policy] = rows;
      if (policy === undefined) throw new PreconditionFailedError("The policy was changed meanwhile. Read it again.");
      events.publish({ resource: "hook", action: "edit", resourceId: "policy", resourceName: "Policy" });
      return policy;
    },
  };
}

async function selectHookPolicy(pool: Pool): Promise<HookPolicy> {
  const { rows } = await pool.query<HookPolicy>(`SELECT ${COLUMNS} FROM hook_policies WHERE id = 1`);
  return rows[0] ?? NO_POLICY;
}
