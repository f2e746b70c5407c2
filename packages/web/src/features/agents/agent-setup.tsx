import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Instant } from "../../components/instant.tsx";
import { sayCount, sayMoney } from "../../numbers/number-wording.ts";
import type { Agent } from "./agent.ts";
import { NextRuns } from "./next-runs.tsx";
import { saySchedule } from "./schedule-wording.ts";

interface AgentSetupProps {
  readonly agent: Agent;
  readonly onEdit: () => void;
}

/** How an agent is set up: its prompt, when it runs, what it may use, and what it may cost. */
export default function AgentSetup({ agent, onEdit }: AgentSetupProps) {
  const { prompt, schedule, timezone, enabled, tools, maxBudgetUsd, dailyBudgetUsd, maxTurns } = agent;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-200 flex-col gap-6 p-4 md:p-6">
        <div className="flex items-center justify-between gap-2">
          <p className="text-13 text-muted">
            Made by {agent.creator.name} <Instant timestamp={agent.createdAt} />, changed{" "}
            <Instant timestamp={agent.updatedAt} />
          </p>
          <Button size="small" shortcut="edit" icon={<Pencil aria-hidden size={14} />} onClick={onEdit}>
            Edit
          </Button>
        </div>
        <Section title="What it is to do" action={<CopyButton text={prompt} what="the prompt" />}>
          <p className="rounded-panel border border-border bg-background p-4 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong">
            {prompt}
          </p>
        </Section>
        <Section title="When it runs">
          <p className="mb-2 text-14 text-strong">
            {saySchedule(schedule)}
            {!enabled && <span className="text-muted">, but the schedule is paused. It would be due:</span>}
          </p>
          <div className="max-w-100">
            <NextRuns schedule={schedule} timezone={timezone} />
          </div>
        </Section>
        <Section title="What it may cost">
          <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-13">
            <Fact name="A run">{maxBudgetUsd === null ? "No limit" : sayMoney(maxBudgetUsd)}</Fact>
            <Fact name="A day">{dailyBudgetUsd === null ? "No limit" : sayMoney(dailyBudgetUsd)}</Fact>
            <Fact name="Most turns">{sayCount(maxTurns)}</Fact>
          </dl>
        </Section>
        <Section title="What it may use">
          {tools === null ? (
            <p className="text-13 text-strong">Every tool, except those that reach other services</p>
          ) : tools.length === 0 ? (
            <p className="text-13 text-strong">Nothing; it can only answer.</p>
          ) : (
            <ul className="flex flex-wrap gap-1">
              {tools.map((tool) => (
                <li key={tool}>
                  <Badge className="font-mono">{tool}</Badge>
                </li>
              ))}
            </ul>
          )}
          <p className="mt-2 text-13 text-muted">
            {agent.allowDestructive
              ? "It may delete, overwrite and send by itself, also after it has read what somebody else may have written."
              : "Once it has read anything, it may not delete, overwrite or send: such calls are refused."}
          </p>
        </Section>
      </div>
    </div>
  );
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-14 font-semibold text-strong">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular text-strong">{children}</dd>
    </>
  );
}
