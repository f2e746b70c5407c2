import { DomainError } from "../../platform/errors.ts";
import type { TurnLoopEnd } from "../tools/turn-loop.ts";
import { BudgetExceededError } from "../usage/spending-errors.ts";
import type { RunEnd } from "./agent-run.queries.ts";

/** Why a run is stopped from outside: it was ended in the database, or its process is shutting down. */
export type StopReason = "ended" | "shutdown";

/** How to end a run; null if it has already been ended elsewhere. */
export type RunOutcome = RunEnd | null;

export const SHUTDOWN_MESSAGE = "The server was stopped while the run was in progress.";
export const CRASH_MESSAGE = "The server process that executed the run ended unexpectedly.";
export const CANCEL_MESSAGE = "Cancelled by a user.";

/** The outcome of a run whose loop has ended. */
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

/** The outcome of a run that failed. Messages not meant for users are masked. */
export function outcomeOfError(error: unknown): NonNullable<RunOutcome> {
  const status = error instanceof BudgetExceededError ? "budget_exceeded" : "error";
  const errorMessage =
    error instanceof DomainError ? error.message : "Something went wrong on the server. The log has the details.";
  return { status, errorMessage };
}
