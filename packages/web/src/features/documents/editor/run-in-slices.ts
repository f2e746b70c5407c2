/** Such work blocks the page for no longer than this at a time. */
const SLICE_MS = 8;

const pending = new Set<() => void>();
let isSliceOpen = false;
let sliceEnd = 0;

/**
 * Runs a function immediately, or in a later task if such functions have already used up the time of the current one.
 * Returns a function that cancels it.
 */
export function runInSlices(work: () => void): () => void {
  if (!isSliceOpen) openSlice();
  if (pending.size === 0 && performance.now() < sliceEnd) work();
  else pending.add(work);
  return () => pending.delete(work);
}

function openSlice(): void {
  isSliceOpen = true;
  sliceEnd = performance.now() + SLICE_MS;
  setTimeout(runPending);
}

function runPending(): void {
  const end = performance.now() + SLICE_MS;
  for (const work of pending) {
    pending.delete(work);
    work();
    if (performance.now() > end) break;
  }
  isSliceOpen = false;
  if (pending.size > 0) openSlice();
}
