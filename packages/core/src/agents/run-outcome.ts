import { BudgetExceededError } from "../models/model-error.ts";
import type { TurnLoopEnd } from "../models/turn-loop.ts";
import { DomainError } from "../platform/errors.ts";
import type { RunEnd } from "./agent-run.queries.ts";

/** Why a run is stopped from outside: somebody has ended it already, or its process is to stop. */
export type StopReason = "ended" | "shutdown";

/** How a run is to be ended; null where somebody else has ended it. */
export type RunOutcome = RunEnd | null;

export const SHUTDOWN_MESSAGE = "The server was stopped while the run was under way.";
export const CRASH_MESSAGE = "The server process that executed the run ended unexpectedly.";
export const CANCEL_MESSAGE = "Cancelled by a user.";

/** What the end of the loop means for the run. */
export function outcomeOf(
  ending: TurnLoopEnd,
  { maxTurns, reason }: { maxTurns: number; reason: StopReason | null },
): RunOutcome {
  switch (ending.end) {
    case "finished":
      return { status: "success", errorMessage: null };
    case "turns_exhausted":
      return { status: "error", errorMessage: `The run reached its limit of ${maxTurns} turns.` };
    case "aborted":
      return reason === "shutdown" ? { status: "cancelled", errorMessage: SHUTDOWN_MESSAGE } : null;
    case "failed":
      return outcomeOfError(ending.error);
  }
}

/** What a failure means for the run that it ended. Messages that are not for users are masked. */
export function outcomeOfError(error: unknown): NonNullable<RunOutcome> {
  const status = error instanceof BudgetExceededError ? "budget_exceeded" : "error";
  const errorMessage =
    error instanceof DomainError ? error.message : "Something went wrong on the server. The log has the details.";
  return { status, errorMessage };
}
