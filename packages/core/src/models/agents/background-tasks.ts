import type { Logger } from "../../platform/logger.ts";

/** Tasks that run in the background. */
export interface BackgroundTasks {
  /** Starts a task. A failure is logged with its description, such as "setting a timer". */
  run(description: string, task: () => Promise<void>): void;
  /** Resolves once the tasks started so far have ended. */
  idle(): Promise<void>;
}

export function createBackgroundTasks(logger: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run(description, task) {
      const done = task()
        .catch((error: unknown) => logger.error({ err: error }, `${description} failed`))
        .finally(() => running.delete(done));
      running.add(done);
    },
    async idle() {
      await Promise.all(running);
    },
  };
}
