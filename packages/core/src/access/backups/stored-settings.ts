import { InvalidInputError } from "../../platform/errors.ts";
import type { BackupChoices, S3Choice, SetBackupSettings } from "./backup.schema.ts";

const PASSPHRASE = "Passphrase of the backups. Write it down elsewhere: without it nobody can restore them";

/** What is stored; the passphrase and the key of a store are secrets. */
export interface StoredSettings extends BackupChoices {
  readonly passphraseKey: string | null;
  readonly s3: (S3Choice & { readonly secretKey: string }) | null;
}

/**
 * What is to be stored of what was given. `store` stores a value as a secret, and returns its key. Throws {@link InvalidInputError}
 * if a stored key would be sent to another store.
 */
export async function toStoredSettings(
  { passphrase, s3, ...choices }: Omit<SetBackupSettings, "expectedVersion">,
  before: StoredSettings,
  store: (value: string, description: string) => Promise<string>,
): Promise<StoredSettings> {
  const kept = passphrase === null ? null : before.passphraseKey;
  const passphraseKey = typeof passphrase === "string" ? await store(passphrase, PASSPHRASE) : kept;
  if (s3 === undefined) return { ...choices, passphraseKey, s3: before.s3 };
  if (s3 === null) return { ...choices, passphraseKey, s3: null };
  const { secretAccessKey, ...connection } = s3;
  const known = [before.s3].find((one) => one?.endpoint === s3.endpoint && one.accessKeyId === s3.accessKeyId);
  const secretKey =
    secretAccessKey === undefined
      ? known?.secretKey
      : await store(secretAccessKey, `Secret key of the backups at ${s3.endpoint}`);
  if (secretKey === undefined) throw InvalidInputError.at("s3.secretAccessKey", "must be entered for this store");
  return { ...choices, passphraseKey, s3: { ...connection, secretKey } };
}

/** The keys of the secrets that settings refer to. */
export function secretsOf({ passphraseKey, s3 }: StoredSettings): string[] {
  return [passphraseKey, s3?.secretKey ?? null].flatMap((key) => key ?? []);
}
