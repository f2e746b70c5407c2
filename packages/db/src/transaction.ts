import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` in one transaction and returns its result: committed if it resolves, rolled back if it rejects, with the same error.
 * `work` must await all of its queries, and send them through the client that it is given.
 *
 * Also rejects, with nothing written, if a query failed and `work` swallowed the error, since PostgreSQL rolls back such a
 * transaction on COMMIT. If the connection breaks during COMMIT, it rejects although the transaction may have been committed.
 *
 * `opening` is SQL without values that runs first, and is sent to the database together with the BEGIN.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening = ""): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`BEGIN; ${opening}`);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollBack(client);
    throw error;
  } finally {
    // A client in an unknown state must not be reused; the pool closes it.
    client.release(broken);
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT")
    throw new Error("The transaction was rolled back, because one of its statements had failed.");
}

/** Returns the error that makes the client unusable, if any. After a failed COMMIT there is nothing to roll back; that is fine. */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query("ROLLBACK");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
