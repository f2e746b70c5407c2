import { transaction, type Db, type Pool, type PoolClient } from "@workspace/db";
import * as z from "zod";
import type { Term } from "./mirror-leadership.ts";

const STATE_KEY = "vault.mirror";
const ACCEPTED_KEY = "vault.accepted";
const ID_KEY = "vault.id";

export const MIRROR_STATES = ["starting", "standby", "following", "suspended"] as const;
export type MirrorStateName = (typeof MIRROR_STATES)[number];

const storedId = z.object({ id: z.string() });
const storedState = z.object({ suspendedFor: z.string().nullable() });

/** What the process that mirrors tells the others: why it has stopped, null while it goes on. */
export async function saveSuspension(
  db: Db,
  term: Pick<Term, "hold">,
  { suspendedFor, now }: { suspendedFor: string | null; now: Date },
): Promise<void> {
  await transaction(db.pool, async (client) => {
    await term.hold(client);
    await putSetting(client, STATE_KEY, { suspendedFor }, now);
  });
}

export async function readSuspension(db: Db): Promise<string | null> {
  return storedState.safeParse(await getSetting(db, STATE_KEY)).data?.suspendedFor ?? null;
}

/** Notes that a person takes the vault as it is now, though nothing that was known is in it. */
export async function acceptVault(db: Db, now: Date): Promise<void> {
  await putSetting(db.pool, ACCEPTED_KEY, {}, now);
}

/** Whether somebody has accepted the vault as it is; asked once, the answer is used up. */
export async function takeAcceptance(db: Db, term: Pick<Term, "hold">): Promise<boolean> {
  return transaction(db.pool, async (client) => {
    await term.hold(client);
    const { rowCount } = await client.query("DELETE FROM settings WHERE key = $1", [ACCEPTED_KEY]);
    return rowCount === 1;
  });
}

/** Whether somebody has accepted the vault and the answer is not used up. */
export async function hasAcceptance(db: Db): Promise<boolean> {
  return (await getSetting(db, ACCEPTED_KEY)) !== undefined;
}

/** The id of the workspace's vault; null until it has one. */
export async function readVaultId(db: Db): Promise<string | null> {
  return storedId.safeParse(await getSetting(db, ID_KEY)).data?.id ?? null;
}

/** Gives the workspace's vault its id, once. Answers the id that it has: another process may have been first. */
export async function saveVaultId(db: Db, id: string, now: Date): Promise<string> {
  await db.pool.query(
    "INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
    [ID_KEY, JSON.stringify({ id }), now],
  );
  return (await readVaultId(db)) ?? id;
}

async function getSetting(db: Db, key: string): Promise<unknown> {
  const { rows } = await db.pool.query<{ value: unknown }>("SELECT value FROM settings WHERE key = $1", [key]);
  return rows[0]?.value;
}

async function putSetting(db: Pool | PoolClient, key: string, value: object, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [key, JSON.stringify(value), now],
  );
}
