import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, PreconditionFailedError, type InputIssue } from "../../platform/errors.ts";
import { selectHookPolicy, setHookPolicy } from "./hook-policy.queries.ts";
import type { HookPolicy, SetHookPolicy } from "./hook-policy.schema.ts";

/** What the hooks would reject in a document, by their own rules; its paths are relative to the document. */
export type PolicyCheck = (document: HookPolicy["document"]) => readonly InputIssue[];

export interface HookPolicyServiceDeps extends Deps<"db" | "clock" | "events"> {
  readonly check: PolicyCheck;
}

export type HookPolicyService = ReturnType<typeof createHookPolicyService>;

/** More than anyone mends at once. */
const MAX_ISSUES = 100;

const NO_POLICY: HookPolicy = { document: {}, version: 0, updatedAt: null };

/** The single policy document, which the hooks of all assistants fetch and cache. */
export function createHookPolicyService({ db, clock, events, check }: HookPolicyServiceDeps) {
  return {
    get: async (): Promise<HookPolicy> => (await selectHookPolicy(db.pool)) ?? NO_POLICY,

    /**
     * Replaces the document. Throws {@link InvalidInputError} if the hooks would reject it, which would leave the former rules in
     * force there, or none; {@link PreconditionFailedError} if it no longer has the expected version.
     */
    async set({ document, expectedVersion }: SetHookPolicy): Promise<HookPolicy> {
      const issues = check(document).slice(0, MAX_ISSUES);
      if (issues.length > 0) {
        const at = (path: string) => (path === "" ? "document" : `document.${path}`);
        throw InvalidInputError.of(issues.map(({ path, message }) => ({ path: at(path), message })));
      }
      const policy = await setHookPolicy(db.pool, { document, expectedVersion, now: clock.now() });
      if (policy === null)
        throw new PreconditionFailedError("The policy has been changed in the meantime. Read it again.");
      events.publish({ resource: "hook", action: "edit", resourceId: "policy", resourceName: "Policy" });
      return policy;
    },
  };
}
