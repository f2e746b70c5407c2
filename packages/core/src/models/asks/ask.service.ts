import { createHash } from "node:crypto";
import { assertIdempotencyKey } from "../../access/kept-responses/idempotency-key.ts";
import type { CreditService } from "../../access/credits/credit.service.ts";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import type { Delivery } from "../../platform/procedures/trpc.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { AgentQuestion } from "../agents/agent-prompt.ts";
import type { AgentRunService } from "../agents/agent-run.service.ts";
import type { AgentService } from "../agents/agent.service.ts";
import type { ConversationService } from "../chat/conversation.service.ts";
import { loadHistory } from "./ask-history.ts";
import { createAskLedger } from "./ask-ledger.ts";
import { selectAbandonedAsks, type NewAsk } from "./ask.queries.ts";
import type { Ask, AskAnswer } from "./ask.schema.ts";

/** An ask that has been neither running nor charged for this long was abandoned in a crash. */
const ABANDONED_AFTER_MS = 60_000;

export interface AskServiceDeps extends Deps<"db" | "clock" | "ids"> {
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
  const { db, clock, ids, credits, agents, agentRuns, redactor } = deps;
  const ledger = createAskLedger({ db, credits });

  async function run(ask: NewAsk, question: AgentQuestion, { onBegin, onText }: Delivery): Promise<void> {
    const started = await agentRuns
      .start({
        agentId: ask.agentId,
        trigger: "api",
        runId: ask.id,
        question,
        ...(onText !== undefined && { onText }),
      })
      .catch(async (error: unknown) => {
        await ledger.withdraw(ask.id);
        throw error;
      });
    onBegin?.();
    await started.finished;
    await ledger.settle(ask.id);
  }

  return {
    /**
     * Asks an agent and resolves with its answer once that is charged. A repeat of an `idempotencyKey` gets the answer to the
     * first request, waits for it if necessary, and is never charged.
     *
     * Throws with status 404 if there is no such agent or conversation, 409 for an `idempotencyKey` that was used for another
     * request, 402 if the pool is empty or a budget used up, 503 if no model is configured, and 402, 409 or 502 if the run
     * does not succeed. Nothing is charged if no model was called.
     */
    async ask(
      { agentId, message, conversationId, idempotencyKey: givenKey }: Ask,
      apiKeyId: string,
      delivery: Delivery = {},
    ): Promise<AskAnswer> {
      const idempotencyKey = givenKey ?? delivery.idempotencyKey ?? null;
      if (delivery.idempotencyKey !== undefined && delivery.idempotencyKey !== idempotencyKey)
        throw InvalidInputError.at("idempotencyKey", "must not differ from Idempotency-Key");
      if (idempotencyKey !== null) assertIdempotencyKey(idempotencyKey);
      const agent = await agents.get(agentId);
      const givenConversation = conversationId ?? null;
      const earlier = givenConversation === null ? [] : await loadHistory(deps, givenConversation);
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
        const repeated = await ledger.register(ask);
        if (repeated === null) await run(ask, { message, earlier }, delivery);
        const answer = await ledger.waitForAnswer(repeated?.id ?? ask.id);
        if (answer !== null) return answer;
      }
    },

    /** Charges asks that were left uncharged by a crash. Any number of processes may do so at once. */
    async settleAbandoned(): Promise<void> {
      const before = new Date(clock.now().getTime() - ABANDONED_AFTER_MS);
      for (const id of await selectAbandonedAsks(db.pool, before)) await ledger.settle(id);
    },
  };
}

function hashRequest(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
