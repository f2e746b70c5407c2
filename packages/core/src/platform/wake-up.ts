export type WakeUp = ReturnType<typeof createWakeUp>;

/** Lets one loop sleep until something happens, a time is over, or it is to end. */
export function createWakeUp() {
  let ring: (() => void) | undefined;
  let hasRung = false;

  return {
    ring(): void {
      hasRung = true;
      ring?.();
    },

    /** Resolves at the next ring, at once if there was one since the last wait. */
    async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          const timer = setTimeout(wake, timeoutMs);
          signal.addEventListener("abort", wake);
          ring = wake;
        });
        ring = undefined;
      }
      hasRung = false;
    },
  };
}
