import { column, defineCommand, defineQuery, type PoolClient } from "@workspace/db";

/** An arbitrary number that nothing else locks; "tidy" in ASCII. */
const HOUSEKEEPING_LOCK = 0x74696479;

const takenLock = defineQuery({
  name: "try-lock-housekeeping",
  row: { isOurs: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_lock($1) AS "isOurs"`,
});

/** Tries to acquire the lock, which the connection then holds until it unlocks or closes. Returns whether it did. */
export async function tryLockHousekeeping(client: PoolClient): Promise<boolean> {
  return (await takenLock.one(client, [HOUSEKEEPING_LOCK])).isOurs;
}

const returnedLock = defineCommand({ name: "unlock-housekeeping", text: "SELECT pg_advisory_unlock($1)" });

export async function unlockHousekeeping(client: PoolClient): Promise<void> {
  await returnedLock.run(client, [HOUSEKEEPING_LOCK]);
}
