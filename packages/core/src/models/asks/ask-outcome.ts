import { ConflictError, DomainError, NotFoundError, PaymentRequiredError } from "../../platform/errors.ts";
import type { EndedRun, StoredAsk } from "./ask.queries.ts";
import type { AskAnswer } from "./ask.schema.ts";

/** The agent did not arrive at an answer. The cost is still charged. */
export class AskFailedError extends DomainError {
  readonly status = 502;
}

/**
 * The message that programs get for any internal failure. The reason, which may name addresses, models and accounts, is stored
 * in the run, for the workspace's owner.
 */
const FAILED_MESSAGE = "The agent could not answer. The workspace's owner can see the reason in the agent's runs.";

/** Returns the answer to a charged ask. Throws an error for the caller if the run did not succeed. */
export function toAnswer(ask: StoredAsk, run: EndedRun | null): AskAnswer {
  if (run === null) throw new NotFoundError("The agent was deleted while it was answering.");
  const reason = run.errorMessage ?? "The agent did not answer.";
  switch (run.status) {
    case "success":
      return {
        agentId: ask.agentId,
        runId: ask.id,
        conversationId: ask.conversationId,
        response: run.output,
        costUsd: run.costUsd,
        isCostKnown: run.isCostKnown,
        inputTokens: run.inputTokens,
        outputTokens: run.outputTokens,
        creditsUsed: ask.creditsUsed ?? 0,
        creditsRemaining: ask.creditsRemaining ?? 0,
      };
    case "budget_exceeded":
      throw new PaymentRequiredError(reason);
    case "cancelled":
      throw new ConflictError(reason);
    case "error":
    case "running":
      throw new AskFailedError(FAILED_MESSAGE);
  }
}
