import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import {
  selectVersionedSetting,
  setVersionedSetting,
  type VersionedSetting,
} from "../../platform/versioned-setting.queries.ts";
import { withStoredProjects } from "../memory/given-project.ts";
import type {
  ApprovalSettings,
  ApprovalSettingsDocument,
  HookApprovalSettings,
  SetApprovalSettings,
} from "./approval-settings.schema.ts";
import { selectToolAllowances } from "./tool-allowance.queries.ts";

const KEY = "hook_approvals";
/** Hooks get the newest ones; a workspace with more should change its rules. */
const MAX_ALLOWANCES = 2_000;

const INITIAL: ApprovalSettings = { waitSeconds: 0, projects: [], version: 0, updatedAt: null };

export interface ApprovalSettingsServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
}

export type ApprovalSettingsService = ReturnType<typeof createApprovalSettingsService>;

/** Where hooks ask in the dashboard, for how long, and what they need not ask about. */
export function createApprovalSettingsService({ db, clock, events }: ApprovalSettingsServiceDeps) {
  async function get(): Promise<ApprovalSettings> {
    const stored = await selectVersionedSetting<ApprovalSettingsDocument>(db.pool, KEY);
    return stored === null ? INITIAL : toSettings(stored);
  }

  return {
    get,

    async forHooks(): Promise<HookApprovalSettings> {
      const [{ waitSeconds, projects }, allowances] = await Promise.all([
        get(),
        selectToolAllowances(db.pool, { limit: MAX_ALLOWANCES, after: undefined }),
      ]);
      return { waitSeconds, projects, allowances };
    },

    /** Replaces the settings. Throws {@link PreconditionFailedError} if they no longer have the expected version. */
    async set({ expectedVersion, ...given }: SetApprovalSettings): Promise<ApprovalSettings> {
      const document = { ...given, projects: await withStoredProjects(db.pool, given.projects) };
      const stored = await setVersionedSetting(db.pool, KEY, document, { expectedVersion, now: clock.now() });
      if (stored === null)
        throw new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
      events.publish({ resource: "approval", action: "edit", resourceId: "settings", resourceName: "Settings" });
      return toSettings(stored);
    },
  };
}

function toSettings({ value, updatedAt }: VersionedSetting<ApprovalSettingsDocument>): ApprovalSettings {
  return { ...value, updatedAt };
}
