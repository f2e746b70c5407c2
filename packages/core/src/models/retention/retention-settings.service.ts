import type { Deps } from "../../platform/deps.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import { selectVersionedSetting, setVersionedSetting } from "../../platform/versioned-setting.queries.ts";
import {
  forEachKind,
  RETENTION_KINDS,
  RETENTION_RULES,
  type EnvironmentRetention,
  type RetentionDays,
} from "./retention-kinds.ts";
import type { RetentionSettings, SetRetentionSettings } from "./retention.schema.ts";

const KEY = "retention";

interface StoredSettings {
  readonly days: SetRetentionSettings["days"];
}

const NOTHING_CHOSEN: StoredSettings = { days: {} };

export interface RetentionSettingsServiceDeps extends Deps<"db" | "clock"> {
  readonly environmentRetention: EnvironmentRetention;
}

export type RetentionSettingsService = ReturnType<typeof createRetentionSettingsService>;

/** For how long each kind is kept: as the environment says, or else the settings, or else by default. */
export function createRetentionSettingsService(deps: RetentionSettingsServiceDeps) {
  const { db, clock, environmentRetention: environment } = deps;

  async function read() {
    const stored = await selectVersionedSetting<StoredSettings>(db.pool, KEY);
    return stored ?? { value: { ...NOTHING_CHOSEN, version: 0 }, updatedAt: null };
  }

  const inForce = (chosen: StoredSettings["days"]): RetentionDays =>
    forEachKind((kind) => [environment[kind], chosen[kind], RETENTION_RULES[kind].default].find(isGiven) ?? null);

  function toView({ value, updatedAt }: Awaited<ReturnType<typeof read>>): RetentionSettings {
    const days = inForce(value.days);
    const kinds = RETENTION_KINDS.map((kind) => {
      const { default: defaultDays, least: leastDays, variable } = RETENTION_RULES[kind];
      const isFromEnvironment = environment[kind] !== undefined;
      const chosen = value.days[kind];
      const view = { kind, days: days[kind], defaultDays, leastDays, variable, isFromEnvironment };
      return chosen === undefined ? view : { ...view, chosenDays: chosen };
    });
    return { kinds, version: value.version, updatedAt };
  }

  return {
    /** For how many days each kind is kept now. */
    async days(): Promise<RetentionDays> {
      return inForce((await read()).value.days);
    },

    async get(): Promise<RetentionSettings> {
      return toView(await read());
    },

    /** Replaces what was chosen. Throws {@link PreconditionFailedError} if it no longer has the expected version. */
    async set({ expectedVersion, days }: SetRetentionSettings): Promise<RetentionSettings> {
      const change = { expectedVersion, now: clock.now() };
      const stored = await setVersionedSetting<StoredSettings>(db.pool, KEY, { days }, change);
      if (stored !== null) return toView(stored);
      throw new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
    },
  };
}

function isGiven(days: number | null | undefined): days is number | null {
  return days !== undefined;
}
