import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatCount, formatMoney } from "../../numbers/number-format.ts";
import type { Agent } from "./agent.ts";
import { NextRuns } from "./next-runs.tsx";
import { describeSchedule } from "./describe-schedule.ts";

interface AgentSetupProps {
  readonly agent: Agent;
  readonly onEdit: () => void;
}

/** An agent's setup: its instructions, schedule, tools and budget. */
export default function AgentSetup({ agent, onEdit }: AgentSetupProps) {
  const { prompt, schedule, timezone, enabled, tools, maxBudgetUsd, dailyBudgetUsd, maxTurns } = agent;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-200 flex-col gap-6 p-4 md:p-6">
        <div className="flex items-center justify-between gap-2">
          <p className="text-13 text-muted">
            Made by {agent.creator.name} <TimeAgo timestamp={agent.createdAt} />, changed{" "}
            <TimeAgo timestamp={agent.updatedAt} />
          </p>
          <Button size="small" shortcut="edit" icon={<Pencil aria-hidden size={14} />} onClick={onEdit}>
            Edit
          </Button>
        </div>
        <Section title="Instructions" action={<CopyButton text={prompt} what="the prompt" />}>
          <p className="rounded-panel border border-border bg-background p-4 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong">
            {prompt}
          </p>
        </Section>
        <Section title="Schedule">
          <p className="mb-2 text-14 text-strong">
            {describeSchedule(schedule)}
            {!enabled && <span className="text-muted">, but the schedule is paused. It would be due:</span>}
          </p>
          <div className="max-w-100">
            <NextRuns schedule={schedule} timezone={timezone} />
          </div>
        </Section>
        <Section title="Budget">
          <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-13">
            <Fact name="Per run">{maxBudgetUsd === null ? "No limit" : formatMoney(maxBudgetUsd)}</Fact>
            <Fact name="Per day">{dailyBudgetUsd === null ? "No limit" : formatMoney(dailyBudgetUsd)}</Fact>
            <Fact name="Maximum turns">{formatCount(maxTurns)}</Fact>
          </dl>
        </Section>
        <Section title="Tools">
          {tools === null ? (
            <p className="text-13 text-strong">All tools except those that reach other services</p>
          ) : tools.length === 0 ? (
            <p className="text-13 text-strong">None; it can only reply.</p>
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
              ? "It may delete, overwrite and send without approval, even after reading text that someone else may have written."
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
