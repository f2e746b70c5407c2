export interface SingleFlight {
  /** Runs the work now or, if it is already running, once more afterwards. */
  run(): void;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

/** Runs work one at a time. However often it is requested while running, it runs once more afterwards. */
export function createSingleFlight(work: () => Promise<void>, onError: (error: unknown) => void): SingleFlight {
  let running: Promise<void> | undefined;
  let isRequested = false;
  const run = async (): Promise<void> => {
    while (isRequested) {
      isRequested = false;
      await work().catch(onError);
    }
    running = undefined;
  };
  return {
    run(): void {
      isRequested = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
