import { ConflictError, DomainError, NotFoundError, PaymentRequiredError } from "../platform/errors.ts";
import type { EndedRun, StoredAsk } from "./ask.queries.ts";
import type { AskAnswer } from "./ask.schema.ts";

/** The agent was asked and came to no answer. What it has cost is charged. */
export class AskFailedError extends DomainError {
  readonly status = 502;
}

/**
 * What a program is told of every failure behind the workspace. What the model's endpoint said may name addresses, models
 * and accounts; it is in the run, for the workspace's owner.
 */
const FAILED_MESSAGE = "The agent could not answer. The workspace's owner finds the reason in the agent's runs.";

/** The answer to an ask that is charged. Throws what its caller is told where the run did not end as success. */
export function toAnswer(ask: StoredAsk, run: EndedRun | null): AskAnswer {
  if (run === null) throw new NotFoundError("The agent was deleted while it answered.");
  const reason = run.errorMessage ?? "The agent gave no answer.";
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
