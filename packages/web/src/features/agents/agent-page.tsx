import { Link, useNavigate, useParams } from "@tanstack/react-router";
import {
  ArrowLeft,
  ChartColumn,
  Clock,
  Ellipsis,
  List,
  Pause,
  Pencil,
  Play,
  ScrollText,
  SearchX,
  Square,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Badge } from "../../components/badge.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { cancelRuns, runAgent, setEnabled } from "./agent-actions.ts";
import { useAgents } from "./agent-collection.ts";
import { useCostToday } from "./agent-queries.ts";
import { NextRun } from "./agent-row.tsx";
import { PERIOD_LABELS, PERIODS } from "../../dates/period.ts";
import { AGENT_VIEWS } from "./agent-search.ts";
import type { Agent } from "./agent.ts";
import { MissingModelNotice } from "./missing-model-notice.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunList } from "./run-list.tsx";
import { describeSchedule } from "./describe-schedule.ts";
import { SpendBar } from "./spend-bar.tsx";
import { useAgentSearch, type AgentSearchState } from "./use-agent-search.ts";
import { floating } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const AgentDialog = lazyPart(() => import("./agent-dialog.tsx"));
const AgentSetup = lazyPart(() => import("./agent-setup.tsx"));
const AgentStatisticsView = lazyPart(() => import("./agent-statistics-view.tsx"));
const DeleteAgentDialog = lazyPart(() => import("./delete-agent-dialog.tsx"));
const RunPanel = lazyPart(() => import("./run-panel.tsx"));

const VIEWS = [
  { value: "runs", label: "Runs", icon: <List size={16} /> },
  { value: "statistics", label: "Statistics", icon: <ChartColumn size={16} /> },
  { value: "setup", label: "Setup", icon: <ScrollText size={16} /> },
] as const;

/** One agent: its runs, past and current, its statistics, and its setup. */
export default function AgentPage() {
  const { agentId } = useParams({ from: "/app/agents/$agentId" });
  const { rows: agents, isLoading, error, retry } = useAgents();
  const agent = agents.find(({ id }) => id === agentId);
  if (agent !== undefined) return <LoadedAgent agent={agent} />;
  return (
    <Page title="Agent" lead={<BackToAgents />} onCreate={null}>
      {isLoading && <SkeletonRows />}
      {error !== null && <ErrorState title="The agent could not be opened" error={error} onRetry={retry} />}
      {!isLoading && error === null && (
        <EmptyState icon={<SearchX size={20} />} title="Agent not found">
          It may have been deleted, which cannot be undone.
        </EmptyState>
      )}
    </Page>
  );
}

function LoadedAgent({ agent }: { agent: Agent }) {
  const client = useClient();
  const state = useAgentSearch();
  const { view } = state.search;
  const panel = useItemPanel("run");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const isPhone = useMediaQuery(PHONE);
  const isRunning = agent.lastStatus === "running";
  const toggleEnabled = () => void setEnabled(client, [agent], !agent.enabled);
  const run = async () => {
    setIsStarting(true);
    const runId = await runAgent(client, agent);
    setIsStarting(false);
    if (runId !== null) panel.open(runId);
  };
  const cancel = () => void cancelRuns(client, agent);
  useShortcut("view", () =>
    state.change({ view: AGENT_VIEWS[(AGENT_VIEWS.indexOf(view) + 1) % AGENT_VIEWS.length] ?? "runs" }),
  );
  useShortcut("edit", () => setDialog("edit"));
  useShortcut("runAgent", () => (isRunning ? cancel() : void run()));
  useShortcut("pauseAgent", toggleEnabled);
  const more = [
    {
      label: agent.enabled ? "Pause the schedule" : "Resume the schedule",
      icon: agent.enabled ? <Pause size={16} /> : <Clock size={16} />,
      keys: "shift+p",
      run: toggleEnabled,
    },
    { label: "Edit", icon: <Pencil size={16} />, keys: "e", run: () => setDialog("edit") },
    { label: "Delete", icon: <Trash2 size={16} />, tone: "danger" as const, run: () => setDialog("delete") },
  ];
  return (
    <PanelPage
      label="Run"
      panel={panel}
      renderPanel={(runId) => <RunPanel key={runId} agent={agent} runId={runId} onClose={panel.close} />}
    >
      <Page
        title={agent.name}
        lead={<BackToAgents />}
        onCreate={null}
        actions={
          <>
            {!agent.enabled && !isPhone && <Badge>Paused</Badge>}
            {isRunning ? (
              <Button size="small" shortcut="runAgent" icon={<Square aria-hidden size={14} />} onClick={cancel}>
                Cancel
              </Button>
            ) : (
              <Button
                size="small"
                shortcut="runAgent"
                isBusy={isStarting}
                icon={<Play aria-hidden size={14} />}
                onClick={() => void run()}
              >
                Run now
              </Button>
            )}
            <IconButton
              size="small"
              label="More"
              aria-haspopup="menu"
              icon={<Ellipsis size={16} />}
              onClick={(event) => floating(client).openMenu(event.currentTarget, "More", more)}
            />
          </>
        }
        toolbar={<Toolbar state={state} />}
      >
        <MissingModelNotice />
        <Summary agent={agent} />
        {view === "runs" && <RunList agentId={agent.id} state={state} panel={panel} onRun={() => void run()} />}
        <Suspense fallback={<SkeletonRows />}>
          {view === "statistics" && <AgentStatisticsView agentId={agent.id} period={state.search.period} />}
          {view === "setup" && <AgentSetup agent={agent} onEdit={() => setDialog("edit")} />}
        </Suspense>
        <Suspense>
          {dialog === "edit" && (
            <AgentDialog agent={agent} onSaved={() => setDialog(null)} onClose={() => setDialog(null)} />
          )}
          {dialog === "delete" && (
            <DeleteAgentDialog
              agent={agent}
              onClose={() => setDialog(null)}
              onDeleted={() => void navigate({ to: "/agents" })}
            />
          )}
        </Suspense>
      </Page>
    </PanelPage>
  );
}

function BackToAgents() {
  return (
    <Link
      to="/agents"
      aria-label="All agents"
      data-tooltip="All agents"
      className="-ml-1 flex size-(--control-height-small) shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-strong"
    >
      <ArrowLeft aria-hidden size={16} />
    </Link>
  );
}

function Toolbar({ state }: { state: AgentSearchState }) {
  const { search, change } = state;
  const isPhone = useMediaQuery(PHONE);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border pr-4 pl-3 touch:h-14 max-md:px-2">
      <div className="-my-1 flex min-w-0 flex-1 items-center gap-1 overflow-x-auto py-1 [scrollbar-width:none]">
        {search.view === "runs" && <RunFilters state={state} />}
        {search.view === "statistics" && (
          <Segmented
            label="Period"
            value={search.period}
            hasWords
            options={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value], icon: null }))}
            onChange={(period) => change({ period })}
          />
        )}
      </div>
      <Segmented
        label="View"
        shortcut="view"
        value={search.view}
        hasWords={!isPhone}
        options={VIEWS}
        onChange={(view) => change({ view })}
      />
    </div>
  );
}

/** The agent in one line: when it runs, and what it has cost today. */
function Summary({ agent }: { agent: Agent }) {
  const spentUsd = useCostToday(agent.id);
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b border-border px-4 py-2 text-13">
      <span className="text-strong">{describeSchedule(agent.schedule)}</span>
      <span className="text-muted">
        <NextRun agent={agent} />
      </span>
      {spentUsd !== undefined && (
        <SpendBar spentUsd={spentUsd} limitUsd={agent.dailyBudgetUsd} className="w-40 md:ml-auto" />
      )}
    </div>
  );
}
