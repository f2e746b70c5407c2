import type { Db } from "@workspace/db";
import * as z from "zod";

const STATE_KEY = "vault.mirror";
const ACCEPTED_KEY = "vault.accepted";

export const MIRROR_STATES = ["starting", "standby", "following", "suspended"] as const;
export type MirrorStateName = (typeof MIRROR_STATES)[number];

const storedState = z.object({ suspendedFor: z.string().nullable() });

/** What the process that mirrors tells the others: why it has stopped, null while it goes on. */
export async function saveSuspension(db: Db, suspendedFor: string | null, now: Date): Promise<void> {
  await putSetting(db, STATE_KEY, { suspendedFor }, now);
}

export async function readSuspension(db: Db): Promise<string | null> {
  const { rows } = await db.pool.query<{ value: unknown }>("SELECT value FROM settings WHERE key = $1", [STATE_KEY]);
  return storedState.safeParse(rows[0]?.value).data?.suspendedFor ?? null;
}

/** Notes that a person takes the vault as it is now, though nothing that was known is in it. */
export async function acceptVault(db: Db, now: Date): Promise<void> {
  await putSetting(db, ACCEPTED_KEY, {}, now);
}

/** Whether somebody has accepted the vault as it is; asked once, the answer is used up. */
export async function takeAcceptance(db: Db): Promise<boolean> {
  const { rowCount } = await db.pool.query("DELETE FROM settings WHERE key = $1", [ACCEPTED_KEY]);
  return rowCount === 1;
}

async function putSetting(db: Db, key: string, value: object, now: Date): Promise<void> {
  await db.pool.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [key, JSON.stringify(value), now],
  );
}
