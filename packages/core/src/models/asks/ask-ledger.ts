import { setTimeout as sleep } from "node:timers/promises";
import { transaction, type Db } from "@workspace/db";
import type { CreditService } from "../../access/credits/credit.service.ts";
import { creditsOfCost } from "../../access/credits/credits-of-cost.ts";
import { ConflictError } from "../../platform/errors.ts";
import { toAnswer } from "./ask-outcome.ts";
import {
  deleteAsk,
  insertAsk,
  lockUnsettledAsk,
  selectAsk,
  selectAskByIdempotencyKey,
  selectEndedRun,
  selectRunCost,
  settleAsk,
  type NewAsk,
  type StoredAsk,
} from "./ask.queries.ts";
import type { AskAnswer } from "./ask.schema.ts";

/** How often a repeated request checks whether the first one has been answered. */
const POLL_INTERVAL_MS = 100;

/** The stored asks, each with the credit that is held for it and then charged. */
export function createAskLedger({ db, credits }: { db: Db; credits: CreditService }) {
  /** Stores an ask and holds a credit for it. Returns the earlier ask if it is a repeat; null otherwise. */
  async function register(ask: NewAsk): Promise<StoredAsk | null> {
    const isNew = await transaction(db.pool, async (client) => {
      const isInserted = await insertAsk(client, ask);
      if (isInserted) await credits.hold(client);
      return isInserted;
    });
    if (isNew || ask.idempotencyKey === null) return null;
    const earlier = await selectAskByIdempotencyKey(db.pool, ask.apiKeyId, ask.idempotencyKey);
    // The first request was withdrawn in the meantime, so this one takes its place.
    if (earlier === null) return register(ask);
    if (earlier.requestHash !== ask.requestHash) {
      throw new ConflictError("This Idempotency-Key was already used for another request.");
    }
    return earlier;
  }

  return {
    register,

    /** Withdraws an ask whose run never started, and releases its credit. */
    async withdraw(id: string): Promise<void> {
      await transaction(db.pool, async (client) => {
        await deleteAsk(client, id);
        await credits.release(client);
      });
    },

    /** Charges an ask whose run has ended. Idempotent, also between processes. */
    async settle(id: string): Promise<void> {
      await transaction(db.pool, async (client) => {
        const ask = await lockUnsettledAsk(client, id);
        if (ask === null) return;
        const cost = await selectRunCost(client, id);
        const creditsUsed =
          cost === null ? 0 : creditsOfCost({ cost: BigInt(cost.costNanoUsd), isCostKnown: cost.isCostKnown });
        const { apiKeyId, agentName: note } = ask;
        const creditsRemaining = await credits.charge(client, { credits: creditsUsed, runId: id, apiKeyId, note });
        await settleAsk(client, { id, creditsUsed, creditsRemaining });
      });
    },

    /** Waits until an ask is charged, and returns its answer; null if it was withdrawn. Throws like {@link toAnswer}. */
    async waitForAnswer(id: string): Promise<AskAnswer | null> {
      for (;;) {
        const ask = await selectAsk(db.pool, id);
        if (ask === null) return null;
        if (ask.creditsUsed !== null) return toAnswer(ask, await selectEndedRun(db.pool, id));
        await sleep(POLL_INTERVAL_MS);
      }
    },
  };
}
