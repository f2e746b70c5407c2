import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { PaymentRequiredError } from "../../platform/errors.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import {
  holdCredit,
  insertCreditEntry,
  insertPool,
  moveBalance,
  selectCreditEntries,
  selectPool,
} from "./credit.queries.ts";
import type { CreditEntry, CreditPool, ListCreditEntries, TopUp } from "./credit.schema.ts";

const readPage = createPager("credit-entries", timeAndId, ({ createdAt, id }: CreditEntry) => [createdAt, id]);

export interface CreditServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The initial balance of the pool, which is created at the first start. */
  readonly initialCredits: number;
}

/** What a finished call is charged for. */
export interface CreditCharge {
  readonly credits: number;
  readonly runId: string;
  readonly apiKeyId: string;
  readonly note: string;
}

export type CreditService = ReturnType<typeof createCreditService>;

/**
 * The pool that calls of `/api/v1` spend from. A call holds one credit before it spends anything, so that no more calls start
 * than there are credits, and is charged its actual cost when it ends. A call that costs more than is left makes the balance
 * negative, and is the last one until the pool is topped up. Every change of the balance is recorded in the ledger.
 */
export function createCreditService({ db, clock, ids, events, initialCredits }: CreditServiceDeps) {
  async function getPool(): Promise<CreditPool> {
    const { balance, held } = await selectPool(db.pool);
    return { balance, held, available: Math.max(balance - held, 0) };
  }

  return {
    /** Creates the pool if there is none yet. Idempotent, and safe when several processes start at once. */
    async open(): Promise<void> {
      await transaction(db.pool, async (client) => {
        const isNew = await insertPool(client, initialCredits);
        if (!isNew || initialCredits === 0) return;
        await insertCreditEntry(client, {
          id: ids(),
          delta: initialCredits,
          balanceAfter: initialCredits,
          reason: "grant",
          note: null,
          runId: null,
          apiKeyId: null,
          createdAt: clock.now(),
        });
      });
    },

    getPool,

    /** The ledger, newest first. */
    async listEntries(paging: ListCreditEntries): Promise<Page<CreditEntry>> {
      return readPage(paging, (range) => selectCreditEntries(db.pool, range));
    },

    async topUp({ amount, note = null }: TopUp): Promise<CreditPool> {
      await transaction(db.pool, async (client) => {
        const balanceAfter = await moveBalance(client, { delta: amount, released: 0 });
        await insertCreditEntry(client, {
          id: ids(),
          delta: amount,
          balanceAfter,
          reason: "top_up",
          note,
          runId: null,
          apiKeyId: null,
          createdAt: clock.now(),
        });
      });
      events.publish({ resource: "usage", action: "edit", resourceId: "credits", resourceName: "Credits" });
      return getPool();
    },

    /** Holds a credit for a call, in the caller's transaction. Throws {@link PaymentRequiredError} if none is available. */
    async hold(client: PoolClient): Promise<void> {
      if (!(await holdCredit(client)))
        throw new PaymentRequiredError("The credit pool is empty. Top it up to continue.");
    },

    /** Releases the held credit of a call that never started, in the caller's transaction. */
    async release(client: PoolClient): Promise<void> {
      await moveBalance(client, { delta: 0, released: 1 });
    },

    /** Replaces a held credit by the actual cost of the call, in the caller's transaction. Returns the new balance. */
    async charge(client: PoolClient, { credits, ...about }: CreditCharge): Promise<number> {
      const balanceAfter = await moveBalance(client, { delta: -credits, released: 1 });
      if (credits > 0) {
        const entry = { id: ids(), delta: -credits, balanceAfter, reason: "ask", createdAt: clock.now() } as const;
        await insertCreditEntry(client, { ...entry, ...about });
      }
      return balanceAfter;
    },
  };
}
