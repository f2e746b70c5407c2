import { trpc } from "../../api/trpc.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { agentCollection, agentsQuery } from "./agent-collection.ts";
import { recordMissingModel, clearMissingModel } from "./missing-model.ts";
import type { Agent, AgentPatch, NewAgent } from "./agent.ts";
import { toasts } from "../../components/toast.ts";
import { undoStack } from "../../undo/undo-stack.ts";

/** Creates an agent. Rejects with a RequestError. */
export async function createAgent(client: Client, input: NewAgent): Promise<Agent> {
  try {
    const { data } = await client.api.agents.create.mutate(input);
    agentCollection(client).put([data]);
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Updates the given fields. Rejects with a RequestError. */
export async function updateAgent(client: Client, { id }: Agent, patch: AgentPatch): Promise<Agent> {
  try {
    const { data } = await client.api.agents.update.mutate({ id, ...patch });
    agentCollection(client).put([data]);
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Pauses or resumes agents in this frame; undo reverts it. */
export async function setEnabled(client: Client, agents: readonly Agent[], enabled: boolean): Promise<void> {
  const changing = agents.filter((agent) => agent.enabled !== enabled);
  if (changing.length === 0) return;
  const [first] = changing;
  const done = enabled ? "Resumed" : "Paused";
  const isOne = changing.length === 1 && first !== undefined;
  undoStack(client).offer(
    {
      id: `agents-enabled-${crypto.randomUUID()}`,
      label: `${done} ${isOne ? `“${first.name}”` : pluralize(changing.length, "agent")}`,
      undo: () => void switchTo(client, changing, !enabled),
    },
    { isQuiet: isOne },
  );
  await switchTo(client, changing, enabled);
}

/** Pauses every agent of the workspace, whether or not the page has loaded it. */
export async function pauseAllAgents(client: Client): Promise<void> {
  try {
    await client.queries.fetchQuery(agentsQuery(client));
  } catch (error) {
    showFailure(client, "Could not pause all agents", error);
    return;
  }
  const enabled = [...agentCollection(client).getSnapshot().values()].filter((agent) => agent.enabled);
  if (enabled.length === 0) toasts(client).show({ message: "No agent was active" });
  else await setEnabled(client, enabled, false);
}

/** Shows the change immediately; an undo is sent after the change that it reverts. */
async function switchTo(client: Client, agents: readonly Agent[], enabled: boolean): Promise<void> {
  const ids = agents.map((agent) => agent.id);
  const pending = ids.map((rowId) =>
    agentCollection(client).begin({
      rowId,
      apply: (row) => row && { ...row, enabled, nextRunAt: enabled ? row.nextRunAt : null },
    }),
  );
  try {
    await agentCollection(client).writes.add(ids, async () => {
      await client.api.agents.setEnabled.mutate({ enabled, ids });
      await client.queries.refetchQueries({ queryKey: agentsQuery(client).queryKey });
    });
  } catch (error) {
    showFailure(
      client,
      `Could not ${enabled ? "resume" : "pause"} ${agents.length === 1 ? "the agent" : "the agents"}`,
      error,
    );
  } finally {
    pending.forEach((handle) => handle.rollback());
  }
}

/** Starts a run, even if the agent is paused. Returns its id; null if it could not start, which a toast reports. */
export async function runAgent(client: Client, { id, name }: Pick<Agent, "id" | "name">): Promise<string | null> {
  try {
    const { runId } = await client.api.agents.run.mutate({ id });
    clearMissingModel(client);
    await refetchAgents(client);
    return runId;
  } catch (error) {
    recordMissingModel(client, toRequestError(error));
    showFailure(client, `“${name}” could not be run`, error);
    return null;
  }
}

/** Cancels whatever the agent is doing. */
export async function cancelRuns(client: Client, { id, name }: Agent): Promise<void> {
  try {
    await client.api.agents.cancel.mutate({ id });
  } catch (error) {
    // It has ended on its own in the meantime.
    if (toRequestError(error).kind !== "missing") showFailure(client, `“${name}” could not be cancelled`, error);
  }
  await refetchAgents(client);
}

/** Permanently deletes an agent with its runs. Rejects with a RequestError. */
export async function deleteAgent(client: Client, { id }: Agent): Promise<void> {
  try {
    await client.api.agents.delete.mutate({ id });
    agentCollection(client).drop([id]);
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Refetches what a run changes: the agents, their runs and their statistics. */
async function refetchAgents(client: Client): Promise<void> {
  await Promise.all([
    client.queries.invalidateQueries({ queryKey: agentsQuery(client).queryKey }),
    client.queries.invalidateQueries({ queryKey: trpc(client).agents.pathKey() }),
  ]);
}

function showFailure(client: Client, message: string, error: unknown): void {
  toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
}
