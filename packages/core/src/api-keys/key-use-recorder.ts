import type { Pool } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import { updateApiKeyUses } from "./api-key.queries.ts";

/** A key that is used all the time is written this often. */
const WRITE_EVERY_MS = 60_000;
/** More keys than this that were used lately are forgotten, and written once too often. */
const MAX_REMEMBERED = 10_000;

export interface KeyUseRecorder {
  /** Costs a look-up in memory; the write follows, of all keys together that came up meanwhile. */
  record(keyId: string): void;
  /** Resolves when what was recorded is written, or has failed to be. */
  idle(): Promise<void>;
}

/** Keeps when keys were last used, to the minute. What cannot be written is logged and left out. */
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
    logger.warn({ err: error }, "when API keys were last used could not be written"),
  );

  return {
    record(keyId) {
      const now = clock.now();
      const last = writtenAtMs.get(keyId);
      if (last !== undefined && now.getTime() - last < WRITE_EVERY_MS) return;
      if (writtenAtMs.size >= MAX_REMEMBERED) writtenAtMs.clear();
      writtenAtMs.set(keyId, now.getTime());
      pending.set(keyId, now);
      writing.run();
    },
    idle: () => writing.idle(),
  };
}
