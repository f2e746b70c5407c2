import type { AgentQuestion } from "./agent-prompt.ts";
import type { StoredAgent } from "./agent.schema.ts";
import type { StopReason } from "./run-outcome.ts";

/** A run that is stored as running and waits to be executed. */
export interface PendingRun {
  readonly id: string;
  readonly agent: StoredAgent;
  /** The process that executes it. */
  readonly processId: string;
  readonly startedAt: Date;
  /** What the agent is asked; null if its own prompt is the task. */
  readonly question: AgentQuestion | null;
  /** Called with each piece of the answer as it arrives. */
  readonly onText?: (delta: string) => void;
}

/** How a run is stopped from outside. */
export interface RunControl {
  readonly signal: AbortSignal;
  /** Why, once the signal has aborted. */
  reason(): StopReason | null;
}
