import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` in one transaction and returns its result: committed when it resolves, rolled back when it rejects, with
 * that very error. `work` must await every query that it sends, and send them through the client that it is given.
 *
 * Also rejects, with nothing written, when a query failed and `work` swallowed the error, since PostgreSQL answers the
 * COMMIT of such a transaction by rolling it back. When the connection breaks during COMMIT it rejects although the
 * transaction may have been committed.
 *
 * `opening` is SQL that comes first, without values, and goes to the database together with the BEGIN.
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
    // A client in an unknown state must not serve anybody else; the pool closes it.
    client.release(broken);
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT")
    throw new Error("The transaction was rolled back, because one of its statements had failed.");
}

/** Returns the error that makes the client useless, if any. After a failed COMMIT there is nothing to roll back; that is fine. */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query("ROLLBACK");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
