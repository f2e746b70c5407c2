export interface SingleFlight {
  /** Runs the work now or, where it is under way, once more after that. */
  run(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Runs work one at a time; however often it is asked for meanwhile, it runs once more afterwards. */
export function createSingleFlight(work: () => Promise<void>, onError: (error: unknown) => void): SingleFlight {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await work().catch(onError);
    }
    running = undefined;
  };
  return {
    run(): void {
      isWanted = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
