import { SearchX, Square } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { formatCost, formatCount, formatDuration, formatTokens } from "../../numbers/number-format.ts";
import { FormAlert } from "../../components/form-alert.tsx";
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

/** One run, live or finished: what the agent said and did, what it cost, and why it stopped. */
export default function RunPanel({ agent, runId, onClose }: RunPanelProps) {
  const client = useClient();
  const { data: run, error, refetch } = useRun(agent.id, runId);
  return (
    <>
      <PanelHeader title="Run" onClose={onClose}>
        {run?.status === "running" && (
          <Button size="small" icon={<Square aria-hidden size={14} />} onClick={() => void cancelRuns(client, agent)}>
            Cancel
          </Button>
        )}
        {run !== undefined && run.output !== "" && <CopyButton text={run.output} what="the output" />}
      </PanelHeader>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {run !== undefined && <Run run={run} agent={agent} />}
        {run === undefined && error === null && <Loading />}
        {run === undefined && error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
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
          <TimeAgo timestamp={run.startedAt} />
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
            {isRunning ? "Waiting for the model to respond…" : "The agent produced no output."}
          </p>
        )}
      </section>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1.5 border-t border-border pt-4 text-13">
        <Fact name="Cost">{formatCost(run.costUsd, run.isCostKnown)}</Fact>
        <Fact name="Tokens">
          {formatTokens(run.inputTokens)} input
          {run.cachedInputTokens > 0 && ` (${formatTokens(run.cachedInputTokens)} from cache)`},{" "}
          {formatTokens(run.outputTokens)} output
        </Fact>
        <Fact name="Turns">{formatCount(run.numTurns)}</Fact>
        {run.durationMs !== null && <Fact name="Duration">{formatDuration(run.durationMs)}</Fact>}
        <Fact name="Model">{run.model ?? "none"}</Fact>
      </dl>
      <details className="group text-13">
        <summary className="cursor-pointer rounded-control py-1 font-medium text-strong">
          The agent’s current prompt
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

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (toRequestError(error).kind !== "missing") {
    return <ErrorState title="The run could not be opened" error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState icon={<SearchX size={20} />} title="Run not found">
      It belongs to another agent, or to one that was deleted.
    </EmptyState>
  );
}
