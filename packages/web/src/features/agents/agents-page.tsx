import { useNavigate } from "@tanstack/react-router";
import { Bot, Pause, Play, SearchX } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useMemo, useState } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useAddressPart } from "../../lists/use-address-part.ts";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page } from "../shell/page.tsx";
import { cancelRuns, runAgent, setEnabled } from "./agent-actions.ts";
import { useAgents, type AgentsState } from "./agent-collection.ts";
import { AgentRow, type AgentRowActions } from "./agent-row.tsx";
import type { Agent } from "./agent.ts";
import { AgentsOverview } from "./agents-overview.tsx";
import { MissingModelNotice } from "./missing-model-notice.tsx";

const AgentDialog = lazy(() => import("./agent-dialog.tsx"));
const ROW_PX = 60;

/** Prompts that run by themselves: when they are due, how they went, and what they cost. */
export default function AgentsPage() {
  const state = useAgents();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const deferredText = useDeferredValue(text);
  const [isNew, changeAddress] = useAddressPart(parseNew);
  const create = () => changeAddress({ new: "1" });
  useShortcut("create", create);
  const open = (id: string, search: Record<string, string> = {}) =>
    void navigate({ to: "/agents/$agentId", params: { agentId: id }, search });
  const showNew = async (id: string) => {
    // The entry with the dialog goes first, so that the way back leads to the list.
    await navigate({ to: "/agents", replace: true });
    open(id, { view: "setup" });
  };
  return (
    <Page
      title="Agents"
      createLabel="New agent"
      onCreate={create}
      toolbar={state.agents.length > 0 && <Toolbar agents={state.agents} text={text} onText={setText} />}
    >
      <MissingModelNotice />
      {state.agents.length > 0 && <AgentsOverview />}
      <AgentList state={state} text={deferredText} onOpen={open} onCreate={create} onClear={() => setText("")} />
      <Suspense>
        {isNew.isNew && (
          <AgentDialog
            agent={null}
            onSaved={({ id }) => void showNew(id)}
            onClose={() => changeAddress({ new: undefined })}
          />
        )}
      </Suspense>
    </Page>
  );
}

interface ToolbarProps {
  readonly agents: readonly Agent[];
  readonly text: string;
  readonly onText: (text: string) => void;
}

function Toolbar({ agents, text, onText }: ToolbarProps) {
  const isAnyOn = agents.some((agent) => agent.enabled);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-3 touch:h-14 max-md:px-2">
      <TextFilter text={text} onText={onText} />
      <Button
        size="small"
        tone="ghost"
        className="ml-auto"
        icon={isAnyOn ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
        onClick={() => void setEnabled(agents, !isAnyOn)}
      >
        {isAnyOn ? "Pause all" : "Resume all"}
      </Button>
    </div>
  );
}

interface AgentListProps {
  readonly state: AgentsState;
  readonly text: string;
  readonly onOpen: (id: string, search?: Record<string, string>) => void;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

function AgentList({ state, text, onOpen, onCreate, onClear }: AgentListProps) {
  const { agents, isLoading, error, retry } = state;
  const shown = useMemo(() => agents.filter((agent) => matches(agent, text)), [agents, text]);
  const ids = useMemo(() => shown.map(idOf), [shown]);
  const cursor = useListCursor(ids, { open: onOpen, isPanelOpen: false });
  useListShortcuts(cursor, {});
  const isPhone = useMediaQuery(PHONE);
  const actions: AgentRowActions = {
    run: (agent) =>
      void runAgent(agent).then((runId) => {
        // On a phone the run takes the whole screen, so that it is shown only where it was asked for.
        if (runId !== null && !isPhone) onOpen(agent.id, { run: runId });
      }),
    cancel: (agent) => void cancelRuns(agent),
    setEnabled: (agent, enabled) => void setEnabled([agent], enabled),
  };
  const onCursor = (act: (agent: Agent) => void) => () => {
    const agent = shown.find(({ id }) => id === cursor.cursorId);
    if (agent === undefined) return false;
    act(agent);
    return true;
  };
  useShortcut(
    "runAgent",
    onCursor((agent) => (agent.lastStatus === "running" ? actions.cancel(agent) : actions.run(agent))),
  );
  useShortcut(
    "pauseAgent",
    onCursor((agent) => actions.setEnabled(agent, !agent.enabled)),
  );

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The agents could not be loaded" error={error} onRetry={retry} />;
  if (agents.length === 0) return <NoAgents onCreate={onCreate} />;
  if (shown.length === 0) return <NoMatch onClear={onClear} />;
  return (
    <VirtualList
      label="Agents"
      items={shown}
      idOf={idOf}
      heightOf={rowHeight}
      cursorId={cursor.cursorId}
      focusRequest={cursor.focusRequest}
      renderRow={(agent, rowIndex) => <AgentRow agent={agent} rowIndex={rowIndex} cursor={cursor} actions={actions} />}
    />
  );
}

function NoAgents({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<Bot size={20} />}
      title="No agents yet"
      action={
        <Button tone="primary" shortcut="create" onClick={onCreate}>
          Create an agent
        </Button>
      }
    >
      An agent is a prompt that runs on a schedule and works on your tasks, documents and memories. To run, it needs a
      model: the settings OPENAI_API_KEY and OPENAI_MODEL of the server. You can write it before that.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No agent matches"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No name or prompt here has these words.
    </EmptyState>
  );
}

function matches({ name, prompt }: Agent, text: string): boolean {
  const found = `${name}\n${prompt}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}

function parseNew(search: Record<string, unknown>): { isNew: boolean; new?: "1" } {
  return search["new"] === undefined || search["new"] === "" ? { isNew: false } : { isNew: true, new: "1" };
}

function idOf(agent: Agent): string {
  return agent.id;
}

function rowHeight(): number {
  return ROW_PX;
}
