import { ConflictError } from "../../platform/errors.ts";
import type { BackupPlace } from "./backup-engine.ts";
import type { StoredSettings } from "./stored-settings.ts";

/** The default place and passphrase. */
export type EnvironmentBackup = { readonly [Name in keyof BackupPlace]: BackupPlace[Name] | null };

/**
 * Where backups go, as chosen or else in the environment; null if nobody has chosen. `read` returns the value of a secret, undefined if
 * it was deleted. Throws {@link ConflictError} if one was.
 */
export async function openPlace(
  { place: chosen, passphraseKey, s3: chosenS3 }: Pick<StoredSettings, "place" | "passphraseKey" | "s3">,
  environment: EnvironmentBackup,
  read: (key: string) => Promise<string | undefined>,
): Promise<BackupPlace | null> {
  async function readSecret(key: string): Promise<string> {
    const value = await read(key);
    if (value !== undefined) return value;
    throw new ConflictError(`The secret ${key} of the backups was deleted. Enter its value again in the settings.`);
  }
  const place = chosen ?? environment.place;
  if (place === null) return null;
  const passphrase = passphraseKey === null ? environment.passphrase : await readSecret(passphraseKey);
  if (chosenS3 === null) return { place, s3: environment.s3, passphrase };
  const { secretKey, ...s3 } = chosenS3;
  return { place, s3: { ...s3, secretAccessKey: await readSecret(secretKey) }, passphrase };
}
