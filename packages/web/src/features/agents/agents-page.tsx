import { useNavigate } from "@tanstack/react-router";
import { Bot, Pause, Play } from "lucide-react";
import { Suspense } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { NoMatch, ResourceList } from "../../lists/resource-list.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useTextFilter } from "../../lists/use-text-filter.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page, Toolbar } from "../shell/page.tsx";
import { cancelRuns, runAgent, setEnabled } from "./agent-actions.ts";
import { useAgents } from "./agent-collection.ts";
import { AgentRow, type AgentRowActions } from "./agent-row.tsx";
import type { Agent } from "./agent.ts";
import { AgentsOverview } from "./agents-overview.tsx";
import { MissingModelNotice } from "./missing-model-notice.tsx";

const AgentDialog = lazyPart(() => import("./agent-dialog.tsx"));
const ROW_PX = 60;

/** All agents: when they are due, how their last runs went, and what they cost. */
export default function AgentsPage() {
  const state = useAgents();
  const { rows: agents } = state;
  const { text, setText, shown } = useTextFilter(state, textOf);
  const navigate = useNavigate();
  const [{ isNew }, setSearchParams] = useSearchParams(parseNew);
  const create = () => setSearchParams({ new: "1" });
  useShortcut("create", create);
  const open = (id: string, search: Record<string, string> = {}) =>
    void navigate({ to: "/agents/$agentId", params: { agentId: id }, search });
  const actions = useRowActions(open);
  const showNew = async (id: string) => {
    // The history entry with the dialog is closed first, so that going back leads to the list.
    await navigate({ to: "/agents", replace: true });
    open(id, { view: "setup" });
  };
  return (
    <Page
      title="Agents"
      createLabel="New agent"
      onCreate={create}
      toolbar={
        agents.length > 0 && (
          <Toolbar>
            <TextFilter text={text} onText={setText} />
            <PauseAllButton agents={agents} />
          </Toolbar>
        )
      }
    >
      <MissingModelNotice />
      {agents.length > 0 && <AgentsOverview />}
      <ResourceList
        label="Agents"
        state={shown}
        heightOf={rowHeight}
        panel={{ openId: undefined, open }}
        renderRow={(agent, place) => <AgentRow agent={agent} position={place} actions={actions} />}
        empty={
          agents.length === 0 ? (
            <NoAgents onCreate={create} />
          ) : (
            <NoMatch title="No matching agents" onClear={() => setText("")}>
              No agent has these words in its name or prompt.
            </NoMatch>
          )
        }
      >
        {({ cursorId }) => <AgentKeys agent={agents.find(({ id }) => id === cursorId)} actions={actions} />}
      </ResourceList>
      <Suspense>
        {isNew && (
          <AgentDialog
            agent={null}
            onSaved={({ id }) => void showNew(id)}
            onClose={() => setSearchParams({ new: undefined })}
          />
        )}
      </Suspense>
    </Page>
  );
}

function useRowActions(open: (id: string, search: Record<string, string>) => void): AgentRowActions {
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  return {
    run: (agent) =>
      void runAgent(client, agent).then((runId) => {
        // On a phone the run takes up the whole screen, so it is shown only on request.
        if (runId !== null && !isPhone) open(agent.id, { run: runId });
      }),
    cancel: (agent) => void cancelRuns(client, agent),
    setEnabled: (agent, enabled) => void setEnabled(client, [agent], enabled),
  };
}

/** The shortcuts that act on the agent under the cursor. */
function AgentKeys({ agent, actions }: { agent: Agent | undefined; actions: AgentRowActions }) {
  const onCursor = (act: (agent: Agent) => void) => () => {
    if (agent === undefined) return false;
    act(agent);
    return true;
  };
  useShortcut(
    "runAgent",
    onCursor((one) => (one.lastStatus === "running" ? actions.cancel(one) : actions.run(one))),
  );
  useShortcut(
    "pauseAgent",
    onCursor((one) => actions.setEnabled(one, !one.enabled)),
  );
  return null;
}

function PauseAllButton({ agents }: { agents: readonly Agent[] }) {
  const client = useClient();
  const isAnyOn = agents.some((agent) => agent.enabled);
  return (
    <Button
      size="small"
      tone="ghost"
      className="ml-auto"
      icon={isAnyOn ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
      onClick={() => void setEnabled(client, agents, !isAnyOn)}
    >
      {isAnyOn ? "Pause all" : "Resume all"}
    </Button>
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
      An agent is a prompt that runs on a schedule and works on your tasks, documents and memories. It uses the model
      that is chosen in the settings.
    </EmptyState>
  );
}

function textOf({ name, prompt }: Agent): string {
  return `${name}\n${prompt}`;
}

function parseNew(search: Record<string, unknown>): { isNew: boolean; new?: "1" } {
  return search["new"] === undefined || search["new"] === "" ? { isNew: false } : { isNew: true, new: "1" };
}

function rowHeight(): number {
  return ROW_PX;
}
