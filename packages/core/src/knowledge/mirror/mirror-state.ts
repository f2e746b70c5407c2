import { transaction, type Db } from "@workspace/db";
import * as z from "zod";
import { deleteSetting, insertSetting, putSetting, selectSetting } from "../../platform/setting.queries.ts";
import type { Term } from "./mirror-leadership.ts";

const STATE_KEY = "vault.mirror";
const ACCEPTED_KEY = "vault.accepted";
const ID_KEY = "vault.id";

const storedId = z.object({ id: z.string() });
const storedState = z.object({ suspendedFor: z.string().nullable() });

/** Saves for the other processes why the mirroring process has stopped; null if it has not. */
export async function saveSuspension(
  db: Db,
  term: Pick<Term, "hold">,
  { suspendedFor, now }: { suspendedFor: string | null; now: Date },
): Promise<void> {
  await transaction(db.pool, async (client) => {
    await term.hold(client);
    await putSetting(client, { key: STATE_KEY, value: { suspendedFor }, now });
  });
}

export async function readSuspension(db: Db): Promise<string | null> {
  return storedState.safeParse(await selectSetting(db.pool, STATE_KEY)).data?.suspendedFor ?? null;
}

/** Records that a person accepts the vault although none of the known files is in it. */
export async function acceptVault(db: Db, now: Date): Promise<void> {
  await putSetting(db.pool, { key: ACCEPTED_KEY, value: {}, now });
}

/** Returns whether a person has accepted the vault, and consumes the acceptance. */
export async function consumeAcceptance(db: Db, term: Pick<Term, "hold">): Promise<boolean> {
  return transaction(db.pool, async (client) => {
    await term.hold(client);
    return deleteSetting(client, ACCEPTED_KEY);
  });
}

/** Whether a person has accepted the vault and the acceptance has not been consumed. */
export async function hasAcceptance(db: Db): Promise<boolean> {
  return (await selectSetting(db.pool, ACCEPTED_KEY)) !== undefined;
}

/** The id of the workspace's vault; null until it has one. */
export async function readVaultId(db: Db): Promise<string | null> {
  return storedId.safeParse(await selectSetting(db.pool, ID_KEY)).data?.id ?? null;
}

/** Sets the id of the workspace's vault, once. Returns the actual id, since another process may have been first. */
export async function saveVaultId(db: Db, id: string, now: Date): Promise<string> {
  await insertSetting(db.pool, { key: ID_KEY, value: { id }, now });
  return (await readVaultId(db)) ?? id;
}
