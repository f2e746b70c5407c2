import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { createSingleFlight } from "../../platform/single-flight.ts";

/** How often the last use of a busy credential is written. */
const WRITE_INTERVAL_MS = 60_000;
/** Once this many credentials are remembered, all are forgotten, which costs each of them one extra write. */
const MAX_REMEMBERED = 10_000;

export interface UseRecorder {
  /** Costs a lookup in memory; the write follows in the background, batched with those of others. */
  record(id: string): void;
  /** Resolves once everything recorded is written or has failed. */
  idle(): Promise<void>;
}

export interface UseRecorderOptions {
  /** Stores when credentials were last used. */
  readonly write: (uses: ReadonlyMap<string, Date>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Records when credentials were last used, to the minute. A failed write is logged and not retried. */
export function createUseRecorder({ write, clock, logger }: UseRecorderOptions): UseRecorder {
  const writtenAtMs = new Map<string, number>();
  let pending = new Map<string, Date>();

  async function writePending(): Promise<void> {
    const uses = pending;
    pending = new Map();
    await write(uses);
  }
  const writing = createSingleFlight(writePending, (error) =>
    logger.warn({ err: error }, "could not record when credentials were last used"),
  );

  return {
    record(id) {
      const now = clock.now();
      const last = writtenAtMs.get(id);
      if (last !== undefined && now.getTime() - last < WRITE_INTERVAL_MS) return;
      if (writtenAtMs.size >= MAX_REMEMBERED) writtenAtMs.clear();
      writtenAtMs.set(id, now.getTime());
      pending.set(id, now);
      writing.run();
    },
    idle: () => writing.idle(),
  };
}
