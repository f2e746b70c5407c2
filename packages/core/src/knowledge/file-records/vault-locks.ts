import { createHash } from "node:crypto";
import { defineCommand, transaction, type Db, type PoolClient } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";

/** Whether a transaction must survive a crash of the database. */
export type Durability = "durable" | "rebuildable";

const restarted = defineCommand({ name: "restart-locked-transaction", text: "ROLLBACK TO SAVEPOINT locked" });

/** What single writes lock. */
export interface LockedFiles {
  readonly paths: readonly VaultPath[];
  /** The ids that callers have chosen for new documents. */
  readonly newIds?: readonly string[];
}

export type VaultLocks = ReturnType<typeof createVaultLocks>;

/**
 * Coordinates changes to the vault among all server processes. Changing single files locks their paths; changing the tree
 * locks all of it. The locks belong to a transaction, so they are released when it, or its process, ends.
 *
 * A transaction that records only what can be read from disk may be `rebuildable`: it commits without waiting for the
 * database's disk, and the mirror records it again after a crash.
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
        // The transaction may be idle for long, while large files are being moved.
        "SET LOCAL idle_in_transaction_session_timeout = 0",
        `SELECT ${locks.join(", ")}`,
        "SAVEPOINT locked",
      ].join("; "),
    );

  return {
    /** Runs work with single files locked. It must use the given client, and no other connection. */
    withFiles<Result>(
      { paths, newIds = [] }: LockedFiles,
      durability: Durability,
      work: (client: PoolClient) => Promise<Result>,
    ): Promise<Result> {
      const names = [...paths, ...newIds.map((id) => id.toLowerCase())];
      // Sorted, so that two processes never deadlock.
      const keys = names.map(keysOf).toSorted(([a, b], [c, d]) => a - c || b - d);
      const fileLocks = keys.map(([key, other]) => `pg_advisory_xact_lock(${key}, ${other})`);
      const locks = [`pg_advisory_xact_lock_shared(${TREE_LOCK})`, ...fileLocks];
      // The plan of a prepared statement may be made while a table is empty and is kept while the table grows.
      return locked(durability, locks, work, ["SET LOCAL enable_seqscan = off"]);
    },

    /** Reverts everything in a transaction so far but keeps its locks. */
    async restart(client: PoolClient): Promise<void> {
      await restarted.run(client);
    },

    /** Like {@link withFiles}, with the whole tree locked: for directories, and for changes that affect several paths. */
    withTree<Result>(durability: Durability, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
      return locked(durability, [`pg_advisory_xact_lock(${TREE_LOCK})`], work);
    },
  };
}

/** An arbitrary number that nothing else locks; "vault" in ASCII. */
const TREE_LOCK = 0x7661756c74;

/** A pair of lock keys for a path or an id. Those whose keys collide merely wait for each other. */
function keysOf(name: string): [number, number] {
  const digest = createHash("sha256").update(name).digest();
  return [digest.readInt32BE(0), digest.readInt32BE(4)];
}
