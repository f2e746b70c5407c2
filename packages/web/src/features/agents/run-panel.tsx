import { SearchX, Square } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Instant } from "../../components/instant.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { toRequestError } from "../../api/request-error.ts";
import { sayCost, sayCount, sayDuration, sayTokens } from "../../numbers/number-wording.ts";
import { FormAlert } from "../auth/form-alert.tsx";
import { PanelHeader } from "../shell/side-panel.tsx";
import { cancelRuns } from "./agent-actions.ts";
import { useRun } from "./agent-queries.ts";
import { RUN_TRIGGER_LABELS, type Agent, type AgentRunDetail } from "./agent.ts";
import { RunStatusBadge } from "./run-status.tsx";
import { RunSteps } from "./run-steps.tsx";

interface RunPanelProps {
  readonly agent: Agent;
  readonly runId: string;
  readonly onClose: () => void;
}

/** One run, while it happens and afterwards: what the agent said and did, what it cost, and what stopped it. */
export default function RunPanel({ agent, runId, onClose }: RunPanelProps) {
  const { data: run, error, refetch } = useRun(agent.id, runId);
  return (
    <>
      <PanelHeader title="Run" onClose={onClose}>
        {run?.status === "running" && (
          <Button size="small" icon={<Square aria-hidden size={14} />} onClick={() => void cancelRuns(agent)}>
            Cancel
          </Button>
        )}
        {run !== undefined && run.output !== "" && <CopyButton text={run.output} what="the output" />}
      </PanelHeader>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {run !== undefined && <Run run={run} agent={agent} />}
        {run === undefined && error === null && <Loading />}
        {run === undefined && error !== null && <NotThere error={error} onRetry={() => void refetch()} />}
      </div>
    </>
  );
}

function Run({ run, agent }: { run: AgentRunDetail; agent: Agent }) {
  const isRunning = run.status === "running";
  return (
    <div className="flex flex-col gap-5 px-5 py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-muted">
        <RunStatusBadge status={run.status} />
        <span>
          <Instant timestamp={run.startedAt} />
        </span>
        <span>{RUN_TRIGGER_LABELS[run.trigger]}</span>
      </div>
      {run.errorMessage !== null && (
        <FormAlert tone={run.status === "cancelled" ? "info" : "danger"}>{run.errorMessage}</FormAlert>
      )}
      <section aria-label="Output" aria-busy={isRunning} className="flex flex-col gap-3">
        <RunSteps steps={run.steps} isRunning={isRunning} />
        {run.steps.length === 0 && (
          <p className="text-13 text-muted">
            {isRunning ? "Waiting for the model’s first words…" : "The agent said nothing and did nothing."}
          </p>
        )}
      </section>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1.5 border-t border-border pt-4 text-13">
        <Fact name="Cost">{sayCost(run.costUsd, run.isCostKnown)}</Fact>
        <Fact name="Tokens">
          {sayTokens(run.inputTokens)} read
          {run.cachedInputTokens > 0 && ` (${sayTokens(run.cachedInputTokens)} from cache)`},{" "}
          {sayTokens(run.outputTokens)} written
        </Fact>
        <Fact name="Turns">{sayCount(run.numTurns)}</Fact>
        {run.durationMs !== null && <Fact name="Took">{sayDuration(run.durationMs)}</Fact>}
        <Fact name="Model">{run.model ?? "none"}</Fact>
      </dl>
      <details className="group text-13">
        <summary className="cursor-pointer rounded-control py-1 font-medium text-strong">
          The agent’s prompt, as it is now
        </summary>
        <p className="mt-2 rounded-control border border-border bg-background p-3 [overflow-wrap:anywhere] whitespace-pre-wrap text-normal">
          {agent.prompt}
        </p>
      </details>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular [overflow-wrap:anywhere] text-strong">{children}</dd>
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-5">
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-20 w-full" />
    </div>
  );
}

function NotThere({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (toRequestError(error).kind !== "missing") {
    return <ErrorState title="The run could not be opened" error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState icon={<SearchX size={20} />} title="There is no such run">
      It belongs to another agent, or to one that was deleted.
    </EmptyState>
  );
}
