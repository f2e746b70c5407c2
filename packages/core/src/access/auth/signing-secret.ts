import { createHmac, randomBytes, scrypt as scryptCallback, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { transaction, type Queryable } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { insertSetting, putSetting, selectSetting } from "../../platform/setting.queries.ts";
import { WrongKeyError } from "../secrets/wrong-key-error.ts";

const SETTING = "auth.secret-fingerprint";
const HASH_BYTES = 32;

const scrypt = promisify<string, Buffer, number, Buffer>((secret, salt, length, callback) =>
  // For a secret that a person may have chosen: the database must not help an attacker guess it.
  scryptCallback(secret, salt, length, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }, callback),
);

const WRONG_SECRET =
  "This process does not have the signing secret that belongs to the database: give it the same SERVICE_SECRET (or the file " +
  "service-secret of the first DATA_DIR), or stop all processes and run `npm start -- adopt-keys` to change the secret for " +
  "good, which signs everybody out.";

const fingerprint = z.object({
  salt: z.base64(),
  hash: z.base64(),
  /** Absent in those of earlier versions, which are all slow. */
  isFast: z.boolean().default(false),
});
type Fingerprint = z.output<typeof fingerprint>;

export type SigningSecretDeps = Deps<"db" | "clock">;

/** What sessions are signed with. */
export interface SigningSecret {
  readonly text: string;
  /** Whether it is 32 random bytes, which nobody can guess, so that its fingerprint need not be slow to compute. */
  readonly isRandom: boolean;
  /** Durably stores a newly generated secret; does nothing for any other. */
  save(): Promise<void>;
}

/**
 * Ensures that all processes on a database sign sessions with the same secret. The first of them saves its secret and records
 * the fingerprint. Throws {@link WrongKeyError}, with nothing saved, if this one differs.
 */
export async function verifySigningSecret({ db, clock }: SigningSecretDeps, secret: SigningSecret): Promise<void> {
  const recorded = await readFingerprint(db.pool);
  if (recorded !== null) {
    await assertMatches(secret.text, recorded);
    return;
  }
  const own = await fingerprintOf(secret);
  await transaction(db.pool, async (client) => {
    await insertSetting(client, { key: SETTING, value: own, now: clock.now() });
    // Another process may have been first.
    const current = await readFingerprint(client);
    if (current !== null && current.salt !== own.salt) await assertMatches(secret.text, current);
    // Before the commit, so that a crash never leaves a database whose secret is lost.
    await secret.save();
  });
}

/** Whether a process has recorded which secret belongs to the database. */
export async function hasSigningSecret({ db }: Pick<SigningSecretDeps, "db">): Promise<boolean> {
  return (await readFingerprint(db.pool)) !== null;
}

/** Makes this secret the current one of the database. Sessions signed with the previous one become invalid. */
export async function adoptSigningSecret({ db, clock }: SigningSecretDeps, secret: SigningSecret): Promise<void> {
  await secret.save();
  await putSetting(db.pool, { key: SETTING, value: await fingerprintOf(secret), now: clock.now() });
}

async function assertMatches(secret: string, { salt, hash, isFast }: Fingerprint): Promise<void> {
  const own = await hashOf(secret, Buffer.from(salt, "base64"), isFast);
  if (!timingSafeEqual(own, Buffer.from(hash, "base64"))) throw new WrongKeyError(WRONG_SECRET);
}

async function readFingerprint(db: Queryable): Promise<Fingerprint | null> {
  return fingerprint.safeParse(await selectSetting(db, SETTING)).data ?? null;
}

async function fingerprintOf({ text, isRandom: isFast }: SigningSecret): Promise<Fingerprint> {
  const salt = randomBytes(16);
  const hash = await hashOf(text, salt, isFast);
  return { salt: salt.toString("base64"), hash: hash.toString("base64"), isFast };
}

function hashOf(secret: string, salt: Buffer, isFast: boolean): Promise<Buffer> {
  if (!isFast) return scrypt(secret, salt, HASH_BYTES);
  return Promise.resolve(createHmac("sha256", secret).update(salt).digest());
}
