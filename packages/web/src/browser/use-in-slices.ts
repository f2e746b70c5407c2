import { useEffect, useState } from "react";
import { computeInSlices, type Pausable } from "./compute-in-slices.ts";

/**
 * The result of a computation in slices of a few milliseconds: null until the first one is complete, and the previous one
 * while another is running. `computation` must be the same function at each call.
 */
export function useInSlices<Args extends readonly unknown[], Result>(
  computation: (...args: Args) => Pausable<Result>,
  ...args: Args
): Result | null {
  const [result, setResult] = useState<Result | null>(null);
  useEffect(() => {
    let isWanted = true;
    void computeInSlices(computation(...args)).then((next) => {
      if (isWanted) setResult(next);
    });
    return () => {
      isWanted = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, args);
  return result;
}
