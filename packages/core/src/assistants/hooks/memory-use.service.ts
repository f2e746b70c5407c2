import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { observeMemoryUse } from "../memory/memory-use-observation.ts";
import { selectSessionSteps, selectUnreadSessions, tryLockUnreadSessions } from "./session-steps.queries.ts";

export type MemoryUseService = ReturnType<typeof createMemoryUseService>;

/** Finds out from the events of sessions which of the memories that they were given they used. */
export function createMemoryUseService({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    /** Reads what is new in sessions that have paused. One process at a time does so; cheap if there is nothing new. */
    async observe(): Promise<void> {
      await transaction(db.pool, async (client) => {
        if (!(await tryLockUnreadSessions(client))) return;
        for (const { sessionId, until } of await selectUnreadSessions(client, clock.now())) {
          await observeMemoryUse(client, sessionId, { steps: await selectSessionSteps(client, sessionId), until });
        }
      });
    },
  };
}
