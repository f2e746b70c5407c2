import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt as scryptCallback,
  type ScryptOptions,
} from "node:crypto";
import { promisify } from "node:util";
import * as z from "zod";
import { BackupError } from "../backup-error.ts";

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptCallback);

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const CIPHER = "aes-256-gcm";
/** Takes 128 MB and about half a second, so that guessing a passphrase is slow. */
const COST = { n: 2 ** 17, r: 8, p: 1 } as const;
/** A repository from elsewhere must not make this process allocate gigabytes. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

const base64 = z.base64().transform((text) => Buffer.from(text, "base64"));

/** The keys of a repository as they are stored in it: encrypted with a key that is derived from the passphrase. */
export const wrappedKeySchema = z.object({
  kdf: z.literal("scrypt"),
  n: z
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.int().min(1).max(64),
  p: z.int().min(1).max(16),
  salt: base64,
  nonce: base64,
  tag: base64,
  keys: base64,
});

export type WrappedKey = z.input<typeof wrappedKeySchema>;

/** The keys of an encrypted repository. */
export interface RepositoryKey {
  /** Encrypts chunks and manifests. */
  readonly encryption: Buffer;
  /** Names chunks, so that their names say nothing about their content. */
  readonly naming: Buffer;
}

/** Creates random keys, and returns them with the form in which they are stored. */
export async function createRepositoryKey(passphrase: string): Promise<{ key: RepositoryKey; wrapped: WrappedKey }> {
  const secret = randomBytes(2 * KEY_BYTES);
  const salt = randomBytes(32);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, await derive(passphrase, salt, COST), nonce);
  const keys = Buffer.concat([cipher.update(secret), cipher.final()]);
  const texts = { salt, nonce, keys, tag: cipher.getAuthTag() };
  return {
    key: split(secret),
    wrapped: {
      kdf: "scrypt",
      ...COST,
      salt: texts.salt.toString("base64"),
      nonce: texts.nonce.toString("base64"),
      tag: texts.tag.toString("base64"),
      keys: texts.keys.toString("base64"),
    },
  };
}

/** Throws {@link BackupError} if the passphrase is not the repository's. */
export async function openRepositoryKey(
  { salt, nonce, tag, keys, ...cost }: z.output<typeof wrappedKeySchema>,
  passphrase: string,
): Promise<RepositoryKey> {
  const decipher = createDecipheriv(CIPHER, await derive(passphrase, salt, cost), nonce, { authTagLength: 16 });
  decipher.setAuthTag(tag);
  try {
    return split(Buffer.concat([decipher.update(keys), decipher.final()]));
  } catch (cause) {
    throw new BackupError("The passphrase is not that of these backups.", { cause });
  }
}

function split(secret: Buffer): RepositoryKey {
  return { encryption: secret.subarray(0, KEY_BYTES), naming: secret.subarray(KEY_BYTES) };
}

function derive(passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Promise<Buffer> {
  // The same letters may be typed as different sequences of code points.
  return scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, { N: n, r, p, maxmem: MAX_MEMORY_BYTES });
}
