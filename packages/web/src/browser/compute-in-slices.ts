import { yieldToBrowser } from "./yield-to-browser.ts";

const SLICE_MS = 8;

/** A computation that can be paused wherever it yields. */
export type Pausable<Result> = Generator<undefined, Result, undefined>;

/** Runs a computation in slices of a few milliseconds, between which the browser can paint and handle input. */
export async function computeInSlices<Result>(computation: Pausable<Result>): Promise<Result> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await yieldToBrowser();
    end = performance.now() + SLICE_MS;
  }
}

/** Runs a computation without a pause. */
export function compute<Result>(computation: Pausable<Result>): Result {
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
  }
}
