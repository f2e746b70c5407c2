import type { Pool, PoolClient } from "pg";

/** The interval between checks, which is also how long a connection has to be in use, at least, to be in long use. */
const CHECK_EVERY_MS = 500;

/** How many connections a pool may open. */
export interface ConnectionLimits {
  /** As long as requests use them only for a short time. */
  readonly usual: number;
  /** In any case. */
  readonly most: number;
}

export interface ConnectionLimit {
  close(): void;
}

/**
 * Limits the connections of a pool to the usual number, not counting those in long use, for example by a transaction that waits for
 * a lock: others must not wait for it. Few connections serve as many short uses as many do, and each is a process of the
 * database, with its own copy of the catalog and of the plans.
 */
export function limitConnections(pool: Pool, { usual, most }: ConnectionLimits): ConnectionLimit {
  /** The check after which each connection in use was taken. */
  const inUse = new Map<PoolClient, number>();
  let check = 0;
  pool.on("acquire", (client) => void inUse.set(client, check));
  pool.on("release", (_error, client) => void inUse.delete(client));
  pool.on("remove", (client) => void inUse.delete(client));

  const adapt = (): void => {
    check += 1;
    const inLongUse = Array.from(inUse.values()).filter((takenAfter) => check - takenAfter > 1).length;
    pool.options.max = Math.min(usual + inLongUse, most);
    // What waits does not notice that the pool may be larger now, but only that a connection is returned to it.
    const added = Math.min(pool.waitingCount, pool.options.max - pool.totalCount);
    for (let count = 0; count < added; count += 1) void pool.connect().then(returnToPool, () => undefined);
    // One at each check, as the next long uses may follow.
    if (pool.idleCount > 0 && pool.totalCount > pool.options.max) void pool.connect().then(close, () => undefined);
  };

  pool.options.max = usual;
  const timer = setInterval(adapt, CHECK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

function returnToPool(client: PoolClient): void {
  client.release();
}

function close(client: PoolClient): void {
  client.release(true);
}
