import type { Pool } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { createSingleFlight } from "../../platform/single-flight.ts";
import { updateApiKeyUses } from "./api-key.queries.ts";

/** How often the last use of a busy key is written. */
const WRITE_INTERVAL_MS = 60_000;
/** Once this many keys are remembered, all are forgotten, which costs each of them one extra write. */
const MAX_REMEMBERED_KEYS = 10_000;

export interface KeyUseRecorder {
  /** Costs a lookup in memory; the write follows in the background, batched with those of other keys. */
  record(keyId: string): void;
  /** Resolves once everything recorded is written or has failed. */
  idle(): Promise<void>;
}

/** Records when keys were last used, to the minute. A failed write is logged and not retried. */
export function createKeyUseRecorder(deps: { pool: Pool; clock: Clock; logger: Logger }): KeyUseRecorder {
  const { pool, clock, logger } = deps;
  const writtenAtMs = new Map<string, number>();
  let pending = new Map<string, Date>();

  async function write(): Promise<void> {
    const uses = pending;
    pending = new Map();
    await updateApiKeyUses(pool, uses);
  }
  const writing = createSingleFlight(write, (error) =>
    logger.warn({ err: error }, "could not record when API keys were last used"),
  );

  return {
    record(keyId) {
      const now = clock.now();
      const last = writtenAtMs.get(keyId);
      if (last !== undefined && now.getTime() - last < WRITE_INTERVAL_MS) return;
      if (writtenAtMs.size >= MAX_REMEMBERED_KEYS) writtenAtMs.clear();
      writtenAtMs.set(keyId, now.getTime());
      pending.set(keyId, now);
      writing.run();
    },
    idle: () => writing.idle(),
  };
}
