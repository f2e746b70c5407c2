import { afterEarlierWrites } from "../../api/optimistic-write.ts";
import { queryClient } from "../../api/query-client.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpc, trpcClient } from "../../api/trpc.ts";
import { showToast } from "../../components/toast.ts";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { offerUndo } from "../../undo/undo-stack.ts";
import { agentCollection, agentsQuery } from "./agent-collection.ts";
import { tellMissingModel, tellModel } from "./missing-model.ts";
import type { Agent, AgentPatch, NewAgent } from "./agent.ts";

/** Makes an agent. Rejects with a RequestError. */
export async function createAgent(input: NewAgent): Promise<Agent> {
  try {
    const { data } = await trpcClient.agents.create.mutate(input);
    agentCollection.put([data]);
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Changes what is given. Rejects with a RequestError. */
export async function updateAgent({ id }: Agent, patch: AgentPatch): Promise<Agent> {
  try {
    const { data } = await trpcClient.agents.update.mutate({ id, ...patch });
    agentCollection.put([data]);
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Lets the schedules of agents hold or not, in this frame; taken back by undo. */
export async function setEnabled(agents: readonly Agent[], enabled: boolean): Promise<void> {
  const changing = agents.filter((agent) => agent.enabled !== enabled);
  if (changing.length === 0) return;
  const [first] = changing;
  const done = enabled ? "Resumed" : "Paused";
  const isOne = changing.length === 1 && first !== undefined;
  offerUndo(
    {
      id: `agents-enabled-${crypto.randomUUID()}`,
      label: `${done} ${isOne ? `“${first.name}”` : sayCountOf(changing.length, "agent")}`,
      undo: () => void switchTo(changing, !enabled),
    },
    { isQuiet: isOne },
  );
  await switchTo(changing, enabled);
}

/** Pauses every agent of the workspace, known to the page or not. */
export async function pauseAllAgents(): Promise<void> {
  try {
    await queryClient.fetchQuery(agentsQuery);
  } catch (error) {
    tellFailure("Could not pause all agents", error);
    return;
  }
  const enabled = [...agentCollection.getSnapshot().values()].filter((agent) => agent.enabled);
  if (enabled.length === 0) showToast({ message: "No agent was on" });
  else await setEnabled(enabled, false);
}

/** Shows the change at once; an undo does not overtake what it undoes. */
async function switchTo(agents: readonly Agent[], enabled: boolean): Promise<void> {
  const ids = agents.map((agent) => agent.id);
  const pending = ids.map((rowId) =>
    agentCollection.begin({
      rowId,
      apply: (row) => row && { ...row, enabled, nextRunAt: enabled ? row.nextRunAt : null },
    }),
  );
  try {
    await afterEarlierWrites(agentCollection, ids, async () => {
      await trpcClient.agents.setEnabled.mutate({ enabled, ids });
      await queryClient.refetchQueries({ queryKey: agentsQuery.queryKey });
    });
  } catch (error) {
    tellFailure(`Could not ${enabled ? "resume" : "pause"} ${agents.length === 1 ? "the agent" : "the agents"}`, error);
  } finally {
    pending.forEach((handle) => handle.rollback());
  }
}

/** Begins a run, of a paused agent too. Answers its id; null where it could not begin, which was told. */
export async function runAgent({ id, name }: Agent): Promise<string | null> {
  try {
    const { runId } = await trpcClient.agents.run.mutate({ id });
    tellModel();
    await readAnew();
    return runId;
  } catch (error) {
    tellMissingModel(toRequestError(error));
    tellFailure(`“${name}” could not be run`, error);
    return null;
  }
}

/** Ends whatever the agent is doing. */
export async function cancelRuns({ id, name }: Agent): Promise<void> {
  try {
    await trpcClient.agents.cancel.mutate({ id });
  } catch (error) {
    // It has ended by itself in the meantime.
    if (toRequestError(error).kind !== "missing") tellFailure(`“${name}” could not be cancelled`, error);
  }
  await readAnew();
}

/** Deletes an agent with its runs, for good. Rejects with a RequestError. */
export async function deleteAgent({ id }: Agent): Promise<void> {
  try {
    await trpcClient.agents.delete.mutate({ id });
    agentCollection.prune((agent) => agent.id === id, agentCollection.startRead());
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Reads what a run changes: the agents, their runs, their statistics. */
async function readAnew(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
  ]);
}

function tellFailure(message: string, error: unknown): void {
  showToast({ message, detail: toRequestError(error).message, tone: "danger" });
}
