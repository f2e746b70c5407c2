import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { transaction, type Db } from "@workspace/db";
import type { AgentQuestion, Exchange } from "../agents/agent-prompt.ts";
import type { AgentRunService } from "../agents/agent-run.service.ts";
import type { AgentService } from "../agents/agent.service.ts";
import type { ConversationService } from "../conversations/conversation.service.ts";
import type { CreditService } from "../credits/credit.service.ts";
import { creditsOfCost } from "../credits/credits-of-cost.ts";
import { textOf } from "../models/content-block.ts";
import type { Clock } from "../platform/clock.ts";
import { ConflictError, InvalidInputError } from "../platform/errors.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import type { Redactor } from "../platform/redactor.ts";
import type { Delivery } from "../platform/trpc.ts";
import { toAnswer } from "./ask-outcome.ts";
import {
  deleteAsk,
  insertAsk,
  lockUnsettledAsk,
  selectAbandonedAsks,
  selectAsk,
  selectAskByIdempotencyKey,
  selectEndedRun,
  selectExchanges,
  selectRunCost,
  settleAsk,
  type NewAsk,
  type StoredAsk,
} from "./ask.queries.ts";
import type { Ask, AskAnswer } from "./ask.schema.ts";

/** So many earlier exchanges of a conversation are looked at. */
const MAX_EXCHANGES = 20;
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** How often a repeat looks whether the first request has been answered. */
const LOOK_EVERY_MS = 100;
/** What is neither running nor charged for this long was left behind by a crash. */
const ABANDONED_AFTER_MS = 60_000;

export interface AskServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly credits: CreditService;
  readonly agents: Pick<AgentService, "get">;
  readonly agentRuns: Pick<AgentRunService, "start">;
  readonly conversations: Pick<ConversationService, "get">;
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
}

export type AskService = ReturnType<typeof createAskService>;

/** Questions that programs put to agents, charged to the credit pool. */
export function createAskService(deps: AskServiceDeps) {
  const { db, clock, ids, credits, agents, agentRuns, conversations, redactor } = deps;

  async function loadHistory(conversationId: string): Promise<Exchange[]> {
    const exchanges = isUuid(conversationId) ? await selectExchanges(db.pool, conversationId, MAX_EXCHANGES) : [];
    if (exchanges.length > 0) return exchanges;
    const { messages } = await conversations.get(conversationId);
    return messages.flatMap(({ role, content }, index) => {
      const answer = messages[index + 1];
      if (role !== "user" || answer?.role !== "assistant") return [];
      const response = textOf(answer.content);
      return response === "" ? [] : [{ message: textOf(content), response }];
    });
  }

  /** Stores the ask and holds a credit for it, or answers the earlier one that this is a repeat of. */
  async function begin(ask: NewAsk): Promise<StoredAsk | null> {
    const isNew = await transaction(db.pool, async (client) => {
      const isInserted = await insertAsk(client, ask);
      if (isInserted) await credits.hold(client);
      return isInserted;
    });
    if (isNew || ask.idempotencyKey === null) return null;
    const earlier = await selectAskByIdempotencyKey(db.pool, ask.apiKeyId, ask.idempotencyKey);
    // The first request was refused in the meantime, so this one takes its place.
    if (earlier === null) return begin(ask);
    if (earlier.requestHash !== ask.requestHash) {
      throw new ConflictError("This Idempotency-Key was sent with another request before.");
    }
    return earlier;
  }

  /** Charges an ask whose run has ended. Idempotent: whoever comes first charges it. */
  async function settle(id: string): Promise<void> {
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
  }

  /** Takes an ask back whose run never began. */
  async function withdraw(id: string): Promise<void> {
    await transaction(db.pool, async (client) => {
      await deleteAsk(client, id);
      await credits.release(client);
    });
  }

  /** The answer to an ask that somebody else is waiting for too; null where it was withdrawn. */
  async function awaitAnswer(id: string): Promise<AskAnswer | null> {
    for (;;) {
      const ask = await selectAsk(db.pool, id);
      if (ask === null) return null;
      if (ask.creditsUsed !== null) return toAnswer(ask, await selectEndedRun(db.pool, id));
      await sleep(LOOK_EVERY_MS);
    }
  }

  async function run(ask: NewAsk, question: AgentQuestion, { onBegin, onText }: Delivery): Promise<void> {
    const begun = await agentRuns
      .start({
        agentId: ask.agentId,
        trigger: "api",
        runId: ask.id,
        question,
        ...(onText !== undefined && { onText }),
      })
      .catch(async (error: unknown) => {
        await withdraw(ask.id);
        throw error;
      });
    onBegin?.();
    await begun.finished;
    await settle(ask.id);
  }

  return {
    /**
     * Asks an agent and resolves with its answer, when it is charged. A repeat of an `idempotencyKey` gets the answer of the
     * first request, waits for it where it is under way, and is never charged.
     *
     * Throws where there is no such agent or conversation (404); {@link ConflictError} for an `idempotencyKey` that came with another question; where the
     * pool is empty or a budget is used up (402), where no model is configured (503), and where the run does not end as
     * success (402, 409, 502). Nothing is charged where no model was asked.
     */
    async ask(
      { agentId, message, conversationId }: Ask,
      apiKeyId: string,
      delivery: Delivery = {},
    ): Promise<AskAnswer> {
      const idempotencyKey = parseIdempotencyKey(delivery.idempotencyKey);
      const agent = await agents.get(agentId);
      const givenConversation = conversationId ?? null;
      const earlier = givenConversation === null ? [] : await loadHistory(givenConversation);
      for (;;) {
        const ask: NewAsk = {
          id: ids(),
          apiKeyId,
          idempotencyKey,
          requestHash: hashRequest([agentId, message, givenConversation]),
          agentId: agent.id,
          agentName: agent.name,
          conversationId: givenConversation ?? ids(),
          message: redactor.redact(message),
          createdAt: clock.now(),
        };
        const repeated = await begin(ask);
        if (repeated === null) await run(ask, { message, earlier }, delivery);
        const answer = await awaitAnswer(repeated?.id ?? ask.id);
        if (answer !== null) return answer;
      }
    },

    /** Charges what a crash has left uncharged. Any number of processes may do it at once. */
    async settleAbandoned(): Promise<void> {
      const before = new Date(clock.now().getTime() - ABANDONED_AFTER_MS);
      for (const id of await selectAbandonedAsks(db.pool, before)) await settle(id);
    },
  };
}

function parseIdempotencyKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  if (key !== "" && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH && /^[\x20-\x7e]+$/.test(key)) return key;
  throw new InvalidInputError(`The Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} ASCII characters.`);
}

function hashRequest(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
