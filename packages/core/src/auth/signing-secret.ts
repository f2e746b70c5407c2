import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Db } from "@workspace/db";
import * as z from "zod";
import type { Clock } from "../platform/clock.ts";
import { WrongKeyError } from "../secrets/wrong-key-error.ts";

const SETTING = "auth.secret-fingerprint";
const HASH_BYTES = 32;

const scrypt = promisify<string, Buffer, number, Buffer>((secret, salt, length, callback) =>
  // Slow, because a person may have chosen the secret, and the database is not to help in guessing it.
  scryptCallback(secret, salt, length, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }, callback),
);

const fingerprint = z.object({ salt: z.base64(), hash: z.base64() });

export interface SigningSecretDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Makes sure that all processes on a database sign sessions with one secret: its fingerprint is recorded by the first one.
 * Throws {@link WrongKeyError} for another.
 */
export async function verifySigningSecret({ db, clock }: SigningSecretDeps, secret: string): Promise<void> {
  const recorded = (await readFingerprint(db)) ?? (await recordFirst({ db, clock }, secret));
  const hash = await scrypt(secret, Buffer.from(recorded.salt, "base64"), HASH_BYTES);
  if (timingSafeEqual(hash, Buffer.from(recorded.hash, "base64"))) return;
  throw new WrongKeyError(
    "This process has another signing secret than the one that belongs to the database: give it the same SERVICE_SECRET " +
      "(or the file service-secret of the first DATA_DIR), or stop all processes and run `npm start -- adopt-keys` to " +
      "change the secret for good, which signs everybody out.",
  );
}

/** Makes this secret the one of the database, whatever it was before. Sessions that were signed with another one end. */
export async function adoptSigningSecret({ db, clock }: SigningSecretDeps, secret: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [SETTING, JSON.stringify(await fingerprintOf(secret)), clock.now()],
  );
}

/** Answers the fingerprint that is recorded then: another process may have been first. */
async function recordFirst({ db, clock }: SigningSecretDeps, secret: string): Promise<z.output<typeof fingerprint>> {
  const own = await fingerprintOf(secret);
  await db.pool.query(
    "INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
    [SETTING, JSON.stringify(own), clock.now()],
  );
  return (await readFingerprint(db)) ?? own;
}

async function readFingerprint(db: Db): Promise<z.output<typeof fingerprint> | null> {
  const { rows } = await db.pool.query<{ value: unknown }>("SELECT value FROM settings WHERE key = $1", [SETTING]);
  return fingerprint.safeParse(rows[0]?.value).data ?? null;
}

async function fingerprintOf(secret: string): Promise<z.output<typeof fingerprint>> {
  const salt = randomBytes(16);
  const hash = await scrypt(secret, salt, HASH_BYTES);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}
