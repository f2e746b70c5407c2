import { createHash } from "node:crypto";
import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";

/** Whether what a transaction writes must survive a crash of the database. */
export type Durability = "durable" | "rebuildable";

export type VaultLocks = ReturnType<typeof createVaultLocks>;

/**
 * Who may change which part of the vault, among all server processes. Whoever changes single files locks their paths;
 * whoever changes the tree locks all of it. The locks belong to a transaction, so that they end with it, or with its process.
 *
 * A transaction that only repeats what the disk says may be `rebuildable`: it commits without waiting for the database's
 * disk, and after a crash the mirror writes it again.
 */
export function createVaultLocks(db: Db) {
  const locked = <Result>(
    durability: Durability,
    locks: readonly string[],
    work: (client: PoolClient) => Promise<Result>,
    settings: readonly string[] = [],
  ): Promise<Result> =>
    transaction(
      db.pool,
      work,
      [
        ...settings,
        ...(durability === "durable" ? [] : ["SET LOCAL synchronous_commit = off"]),
        // Files of any size may be moved meanwhile, which takes as long as it takes.
        "SET LOCAL idle_in_transaction_session_timeout = 0",
        `SELECT ${locks.join(", ")}`,
        "SAVEPOINT locked",
      ].join("; "),
    );

  return {
    /** For single files. `work` must use the client that it is given, and no other connection. */
    withFiles<Result>(
      paths: readonly VaultPath[],
      durability: Durability,
      work: (client: PoolClient) => Promise<Result>,
    ): Promise<Result> {
      // In one order everywhere, so that two processes never wait for each other.
      const keys = paths.map(keysOf).toSorted(([a, b], [c, d]) => a - c || b - d);
      const fileLocks = keys.map(([key, other]) => `pg_advisory_xact_lock(${key}, ${other})`);
      const locks = [`pg_advisory_xact_lock_shared(${TREE_LOCK})`, ...fileLocks];
      // How a prepared statement finds its rows is decided while a table may be empty, and kept while it grows.
      return locked(durability, locks, work, ["SET LOCAL enable_seqscan = off"]);
    },

    /** Takes back all that was changed in a transaction so far. Its locks stay. */
    async restart(client: PoolClient): Promise<void> {
      await client.query("ROLLBACK TO SAVEPOINT locked");
    },

    /** For directories, and for whatever concerns several paths. As {@link withFiles} otherwise. */
    withTree<Result>(durability: Durability, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
      return locked(durability, [`pg_advisory_xact_lock(${TREE_LOCK})`], work);
    },
  };
}

/** Any number that nothing else locks; "vault" in ASCII. */
const TREE_LOCK = 0x7661756c74;

/** Two numbers that stand for a path. Two paths with the same ones only wait for each other. */
function keysOf(path: VaultPath): [number, number] {
  const digest = createHash("sha256").update(path).digest();
  return [digest.readInt32BE(0), digest.readInt32BE(4)];
}
