import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, PreconditionFailedError } from "../../platform/errors.ts";
import { selectVersionedSetting, setVersionedSetting } from "../../platform/versioned-setting.queries.ts";
import { createOwnedSecrets } from "../secrets/owned-secrets.ts";
import type { SecretService } from "../secrets/secret.service.ts";
import { BackupFailure, type BackupEngine, type BackupPlace } from "./backup-engine.ts";
import type { BackupChoices, BackupSettings, SetBackupSettings } from "./backup.schema.ts";

const KEY = "backup";
const DESCRIPTION = "Passphrase of the backups. Write it down elsewhere: without it nobody can restore them";
/** How long a person waits for a place to respond. */
const CHECK_DEADLINE_MS = 60_000;

/** What is stored; the passphrase is a secret. */
interface StoredSettings extends BackupChoices {
  readonly passphraseKey: string | null;
}

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
};

/** The default place and passphrase. */
export type EnvironmentBackup = { readonly [Name in keyof BackupPlace]: BackupPlace[Name] | null };

export interface BackupSettingsServiceDeps extends Deps<"db" | "clock" | "ids"> {
  readonly secrets: Pick<SecretService, "create" | "delete" | "useValue">;
  readonly backupEngine: Pick<BackupEngine, "check">;
  readonly environmentBackup: EnvironmentBackup;
  readonly timeZone: string;
}

export type BackupSettingsService = ReturnType<typeof createBackupSettingsService>;

/** Where and when backups are made, and how many are kept. */
export function createBackupSettingsService(deps: BackupSettingsServiceDeps) {
  const { db, clock, backupEngine: engine, environmentBackup: environment, timeZone } = deps;
  const passphrases = createOwnedSecrets({ ...deps, prefix: "BACKUP_PASSPHRASE_", reader: "server:backups" });

  async function read() {
    const stored = await selectVersionedSetting<StoredSettings>(db.pool, KEY);
    return stored ?? { value: { ...DEFAULTS, version: 0 }, updatedAt: null };
  }

  function toView({ value, updatedAt }: Awaited<ReturnType<typeof read>>): BackupSettings {
    const { passphraseKey, ...choices } = value;
    const hasPassphrase = environment.passphrase !== null;
    return {
      ...choices,
      hasPassphrase: passphraseKey !== null,
      environment: { place: environment.place, hasPassphrase },
      timeZone,
      updatedAt,
    };
  }

  /** Throws {@link ConflictError} if a passphrase was stored and is gone. */
  async function open({ place, passphraseKey }: StoredSettings): Promise<BackupPlace | null> {
    const chosen = place ?? environment.place;
    if (chosen === null) return null;
    if (passphraseKey === null) return { place: chosen, passphrase: environment.passphrase };
    const passphrase = await passphrases.read(passphraseKey);
    if (passphrase !== undefined) return { place: chosen, passphrase };
    throw new ConflictError(
      "The secret with the passphrase of the backups was deleted. Enter it again in the settings.",
    );
  }

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

    /** Where backups go; null if nobody has chosen. Throws {@link ConflictError} if the passphrase is gone. */
    async place(): Promise<BackupPlace | null> {
      return open((await read()).value);
    },

    /**
     * Replaces the settings. Throws {@link PreconditionFailedError} if they have been changed, and {@link InvalidInputError} if
     * no backups can be stored at the place, or those there have another passphrase.
     */
    async set({ expectedVersion, passphrase, ...choices }: SetBackupSettings, userId: string): Promise<BackupSettings> {
      const actor = `user:${userId}`;
      const { value: before } = await read();
      if (expectedVersion !== undefined && expectedVersion !== before.version) throw changedMeanwhile();
      const isNew = typeof passphrase === "string";
      const newKey = isNew ? await passphrases.store(passphrase, DESCRIPTION, actor) : null;
      const kept = passphrase === null ? null : before.passphraseKey;
      const document: StoredSettings = { ...choices, passphraseKey: newKey ?? kept };
      try {
        await assertUsable(document);
        const change = { expectedVersion: before.version, now: clock.now() };
        const stored = await setVersionedSetting<StoredSettings>(db.pool, KEY, document, change);
        if (stored === null) throw changedMeanwhile();
        const unused = [before.passphraseKey].filter((key) => key !== null && key !== document.passphraseKey);
        await passphrases.remove(
          unused.flatMap((key) => key ?? []),
          actor,
        );
        return toView(stored);
      } catch (error) {
        const { value: now } = await read();
        if (newKey !== null && now.passphraseKey !== newKey) await passphrases.remove([newKey], actor);
        throw error;
      }
    },
  };
}

function changedMeanwhile(): PreconditionFailedError {
  return new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
}
