import type { Deps } from "../../platform/deps.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import { selectHookPolicy, setHookPolicy } from "./hook-policy.queries.ts";
import type { HookPolicy, SetHookPolicy } from "./hook-policy.schema.ts";

export type HookPolicyServiceDeps = Deps<"db" | "clock" | "events">;

export type HookPolicyService = ReturnType<typeof createHookPolicyService>;

const NO_POLICY: HookPolicy = { document: {}, version: 0, updatedAt: null };

/** The single policy document, which the hooks of all assistants fetch and cache. */
export function createHookPolicyService({ db, clock, events }: HookPolicyServiceDeps) {
  return {
    get: async (): Promise<HookPolicy> => (await selectHookPolicy(db.pool)) ?? NO_POLICY,

    /** Replaces the document. Throws {@link PreconditionFailedError} if it no longer has the expected version. */
    async set({ document, expectedVersion }: SetHookPolicy): Promise<HookPolicy> {
      const policy = await setHookPolicy(db.pool, { document, expectedVersion, now: clock.now() });
      if (policy === null)
        throw new PreconditionFailedError("The policy has been changed in the meantime. Read it again.");
      events.publish({ resource: "hook", action: "edit", resourceId: "policy", resourceName: "Policy" });
      return policy;
    },
  };
}
