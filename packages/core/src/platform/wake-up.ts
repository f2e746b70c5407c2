export type WakeUp = ReturnType<typeof createWakeUp>;

/** Lets a single loop sleep until it is woken, a timeout expires, or it is aborted. */
export function createWakeUp() {
  let wakeWaiter: (() => void) | undefined;
  let isPending = false;

  return {
    /** Wakes the loop, or keeps its next wait from sleeping. */
    wake(): void {
      isPending = true;
      wakeWaiter?.();
    },

    /** Resolves on the next wake-up; immediately if there was one since the last wait. */
    async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (!isPending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const finish = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", finish);
            resolve();
          };
          const timer = setTimeout(finish, timeoutMs);
          signal.addEventListener("abort", finish);
          wakeWaiter = finish;
        });
        wakeWaiter = undefined;
      }
      isPending = false;
    },
  };
}
