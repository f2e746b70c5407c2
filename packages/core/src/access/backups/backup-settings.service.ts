import { isDeepStrictEqual } from "node:util";
import type { Db } from "@workspace/db";
import type { Queryable } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, PreconditionFailedError } from "../../platform/errors.ts";
import { selectVersionedSetting, setVersionedSetting } from "../../platform/versioned-setting.queries.ts";
import { createOwnedSecrets } from "../secrets/owned-secrets.ts";
import type { SecretService } from "../secrets/secret.service.ts";
import { BackupFailure, type BackupEngine, type BackupPlace } from "./backup-engine.ts";
import type { BackupSettings, SetBackupSettings } from "./backup.schema.ts";
import { openPlace, type EnvironmentBackup } from "./open-place.ts";
import { secretsOf, toStoredSettings, type StoredSettings } from "./stored-settings.ts";

const KEY = "backup";
/** What the keys of the secrets of backups begin with. */
export const OWNED_PREFIX = "BACKUP_";
/** How long a person waits for a place to respond. */
const CHECK_DEADLINE_MS = 60_000;

const DEFAULTS: StoredSettings = {
  isScheduled: false,
  place: null,
  every: "day",
  dayTime: "03:00",
  weekday: 1,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
  isDrilled: true,
  passphraseKey: null,
  s3: null,
};

export interface BackupSettingsServiceDeps extends Deps<"db" | "clock" | "ids"> {
  readonly secrets: Pick<SecretService, "create" | "delete" | "useValue">;
  readonly backupEngine: Pick<BackupEngine, "check">;
  readonly environmentBackup: EnvironmentBackup;
  readonly timeZone: string;
}

/** The settings as they are stored, or the defaults. */
export async function readBackupSettings({ pool }: Pick<Db, "pool">) {
  const stored = await selectVersionedSetting<StoredSettings>(pool, KEY);
  return stored ?? { value: { ...DEFAULTS, version: 0 }, updatedAt: null };
}

/** Ends scheduled backups, and forgets where they were stored. Does nothing if nobody has chosen. */
export async function turnOffBackups(db: Queryable, now: Date): Promise<void> {
  const stored = await selectVersionedSetting<StoredSettings>(db, KEY);
  if (stored === null) return;
  const { version, ...choices } = stored.value;
  const off: StoredSettings = { ...choices, isScheduled: false, place: null };
  await setVersionedSetting<StoredSettings>(db, KEY, off, { expectedVersion: version, now });
}

export type BackupSettingsService = ReturnType<typeof createBackupSettingsService>;

/** Where and when backups are made, and how many are kept. */
export function createBackupSettingsService(deps: BackupSettingsServiceDeps) {
  const { db, clock, backupEngine: engine, environmentBackup: environment, timeZone } = deps;
  const owned = createOwnedSecrets({ ...deps, prefix: OWNED_PREFIX, reader: "server:backups" });

  const read = () => readBackupSettings(db);

  function toView({ value, updatedAt }: Awaited<ReturnType<typeof read>>): BackupSettings {
    const { passphraseKey, s3, ...choices } = value;
    const hasPassphrase = environment.passphrase !== null;
    return {
      ...choices,
      hasPassphrase: passphraseKey !== null,
      s3: s3 && { endpoint: s3.endpoint, region: s3.region, accessKeyId: s3.accessKeyId },
      environment: { place: environment.place, hasS3: environment.s3 !== null, hasPassphrase },
      timeZone,
      updatedAt,
    };
  }

  const open = (settings: StoredSettings) => openPlace(settings, environment, owned.read);

  async function assertUsable(settings: StoredSettings): Promise<void> {
    const opened = await open(settings);
    if (opened === null) {
      if (settings.isScheduled) throw InvalidInputError.at("place", "is required, since BACKUP_DIR is not set");
      return;
    }
    try {
      await engine.check(opened, AbortSignal.timeout(CHECK_DEADLINE_MS));
    } catch (error) {
      throw error instanceof BackupFailure ? InvalidInputError.at("place", error.message) : error;
    }
  }

  return {
    read,

    async get(): Promise<BackupSettings> {
      return toView(await read());
    },

    /** Where backups go; null if nobody has chosen. Throws {@link ConflictError} if a secret for it is gone. */
    async place(): Promise<BackupPlace | null> {
      return open((await read()).value);
    },

    /**
     * Replaces the settings. Throws {@link PreconditionFailedError} if they have been changed, and {@link InvalidInputError} if
     * no backups can be stored at the place, or those there have another passphrase.
     */
    async set({ expectedVersion, ...given }: SetBackupSettings, userId: string): Promise<BackupSettings> {
      const actor = `user:${userId}`;
      const { value: before } = await read();
      if (expectedVersion !== undefined && expectedVersion !== before.version) throw changedMeanwhile();
      const made: string[] = [];
      try {
        const document = await toStoredSettings(given, before, async (value, description) => {
          const key = await owned.store(value, description, actor);
          made.push(key);
          return key;
        });
        // Otherwise the schedule of a place that is lost could not be switched off.
        const isSame = isDeepStrictEqual(placeOf(document), placeOf(before));
        if (!isSame || (document.isScheduled && !before.isScheduled)) await assertUsable(document);
        const change = { expectedVersion: before.version, now: clock.now() };
        const stored = await setVersionedSetting<StoredSettings>(db.pool, KEY, document, change);
        if (stored === null) throw changedMeanwhile();
        const used = secretsOf(document);
        await owned.remove(
          secretsOf(before).filter((key) => !used.includes(key)),
          actor,
        );
        return toView(stored);
      } catch (error) {
        const used = secretsOf((await read()).value);
        await owned.remove(
          made.filter((key) => !used.includes(key)),
          actor,
        );
        throw error;
      }
    },
  };
}

const placeOf = ({ place, s3, passphraseKey }: StoredSettings) => [place, s3, passphraseKey];

function changedMeanwhile(): PreconditionFailedError {
  return new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
}
