import { Pool, type PoolClient } from "pg";
import { traced, type TracedWork } from "./tracing.ts";

/** A transaction that others take part in, as if each of them had one of their own. */
interface SharedTransaction {
  readonly client: PoolClient;
  /** Settles once the last of the transactions within it has ended: they take turns, as they share a connection. */
  last: Promise<unknown>;
}

const shared = new WeakMap<Pool, SharedTransaction>();

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
  const outer = shared.get(pool);
  if (outer !== undefined) return nested(outer, work, opening);
  return traced(describeTransaction, () => runTransaction(pool, work, opening));
}

/** From the wait for a connection to the end of the COMMIT. */
const describeTransaction = (): TracedWork => ({
  name: "transaction",
  kind: "internal",
  beginsTrace: false,
  attributes: { "db.system.name": "postgresql" },
});

async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, opening: string): Promise<T> {
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

/**
 * A pool whose queries and transactions are all part of one transaction, so that code written for a pool can be made part of
 * something larger. Only to be used until that transaction ends.
 */
export function poolWithin(client: PoolClient): Pool {
  let last: Promise<unknown> = Promise.resolve();
  const query = (...given: unknown[]): Promise<unknown> => {
    // A connection runs one query at a time.
    const result = last.then((): unknown => Reflect.apply(client.query, client, given));
    last = result.catch(() => undefined);
    return result;
  };
  // It never connects: its only connection is the client.
  const pool = Object.assign(new Pool(), { query });
  shared.set(pool, { client, last: Promise.resolve() });
  return pool;
}

function nested<T>(outer: SharedTransaction, work: (client: PoolClient) => Promise<T>, opening: string): Promise<T> {
  const { client } = outer;
  const run = async (): Promise<T> => {
    await client.query(`SAVEPOINT nested; ${opening}`);
    try {
      const result = await work(client);
      await client.query("RELEASE SAVEPOINT nested");
      return result;
    } catch (error) {
      await client.query("ROLLBACK TO SAVEPOINT nested");
      throw error;
    }
  };
  const result = outer.last.then(run);
  outer.last = result.catch(() => undefined);
  return result;
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
