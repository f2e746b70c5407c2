import type { Deps } from "../../platform/deps.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import {
  selectVersionedSetting,
  setVersionedSetting,
  type VersionedSetting,
} from "../../platform/versioned-setting.queries.ts";
import { withStoredProjects } from "../memory/given-project.ts";
import type { MemorySettings, MemorySettingsDocument, SetMemorySettings } from "./memory-settings.schema.ts";

const KEY = "hook_memory";

export type MemorySettingsServiceDeps = Deps<"db" | "clock" | "events">;

export type MemorySettingsService = ReturnType<typeof createMemorySettingsService>;

const INITIAL: MemorySettings = {
  standard: { sessionStart: 2500, prompt: 300, file: 150 },
  projects: [],
  version: 0,
  updatedAt: null,
};

/** How much of its memory a session is given, which the hooks of all assistants fetch and cache. */
export function createMemorySettingsService({ db, clock, events }: MemorySettingsServiceDeps) {
  return {
    async get(): Promise<MemorySettings> {
      const stored = await selectVersionedSetting<MemorySettingsDocument>(db.pool, KEY);
      return stored === null ? INITIAL : toSettings(stored);
    },

    /** Replaces the settings. Throws {@link PreconditionFailedError} if they no longer have the expected version. */
    async set({ expectedVersion, ...given }: SetMemorySettings): Promise<MemorySettings> {
      const document = { ...given, projects: await withStoredProjects(db.pool, given.projects) };
      const stored = await setVersionedSetting(db.pool, KEY, document, { expectedVersion, now: clock.now() });
      if (stored === null)
        throw new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
      events.publish({ resource: "hook", action: "edit", resourceId: "memory", resourceName: "Memory settings" });
      return toSettings(stored);
    },
  };
}

function toSettings({ value, updatedAt }: VersionedSetting<MemorySettingsDocument>): MemorySettings {
  return { ...value, updatedAt };
}
