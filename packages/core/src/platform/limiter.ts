/** Runs work as soon as there is room for it, in the order in which it was given. */
export type Limiter = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** A limiter with room for `max` at once. */
export function createLimiter(max: number): Limiter {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes now can take it first.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
