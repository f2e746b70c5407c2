import pLimit, { type LimitFunction } from "p-limit";

/** Runs what concerns the same key one after the other, in this process. */
export function createKeyedLimit() {
  const limits = new Map<string, LimitFunction>();
  return async <Result>(key: string, run: () => Promise<Result>): Promise<Result> => {
    const limit = limits.get(key) ?? pLimit(1);
    limits.set(key, limit);
    try {
      return await limit(run);
    } finally {
      if (limit.activeCount === 0 && limit.pendingCount === 0) limits.delete(key);
    }
  };
}
