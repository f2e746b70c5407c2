import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import { selectVersionedSetting, setVersionedSetting } from "../../platform/versioned-setting.queries.ts";
import type { OwnLimits, OwnLimitsDocument, SetOwnLimits } from "./own-limits.schema.ts";

const KEY = "assistant_limits";

export interface OwnLimitsServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
}

export type OwnLimitsService = ReturnType<typeof createOwnLimitsService>;

/** What a person wants each assistant to use at most, in five hours and in seven days. It is shown, not enforced. */
export function createOwnLimitsService({ db, clock, events }: OwnLimitsServiceDeps) {
  return {
    async get(): Promise<OwnLimits> {
      const stored = await selectVersionedSetting<OwnLimitsDocument>(db.pool, KEY);
      if (stored === null) return { assistants: [], version: 0, updatedAt: null };
      return { ...stored.value, updatedAt: stored.updatedAt };
    },

    /** Replaces the limits. Throws {@link PreconditionFailedError} if they no longer have the expected version. */
    async set({ expectedVersion, ...document }: SetOwnLimits): Promise<OwnLimits> {
      const stored = await setVersionedSetting(db.pool, KEY, document, { expectedVersion, now: clock.now() });
      if (stored === null)
        throw new PreconditionFailedError("The limits have been changed in the meantime. Read them again.");
      events.publish({ resource: "usage", action: "edit", resourceId: "limits", resourceName: "Limits of assistants" });
      return { ...stored.value, updatedAt: stored.updatedAt };
    },
  };
}
