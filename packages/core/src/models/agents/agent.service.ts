import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { NotFoundError } from "../../platform/errors.ts";
import type { Change } from "../../platform/events.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, cursorText, type Page } from "../../platform/paging.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { lockAgentVersion, noSuchAgent, requireAgent } from "./agent-lookup.ts";
import { cancelRuns } from "./agent-run.queries.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { createAgentTools } from "./agent-tools.ts";
import { applyPatch, defaultValues } from "./agent-values.ts";
import { deleteAgent, insertAgent, selectAgent, selectAgents, setAgentsEnabled, updateAgent } from "./agent.queries.ts";
import type {
  Agent,
  CreateAgent,
  ListAgents,
  NextRuns,
  PreviewSchedule,
  SetEnabled,
  StoredAgent,
  UpdateAgent,
} from "./agent.schema.ts";
import { previewSchedule, withNextRun } from "./next-runs.ts";
import { CANCEL_MESSAGE } from "./run-outcome.ts";

const readPage = createPager("agents", z.tuple([cursorText, z.uuid()]), ({ name, id }: Agent) => [name, id]);

export interface AgentServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly toolbox: Toolbox;
  readonly runner: AgentRunner;
  /** For agents without a time zone of their own. */
  readonly timeZone: string;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** Agents: prompts that are run on a schedule. The scheduler learns of changes from their events. */
export function createAgentService({ db, clock, ids, events, toolbox, runner, timeZone }: AgentServiceDeps) {
  const tools = createAgentTools(toolbox);
  const publish = (action: Change["action"], agent: { id: string; name: string }) =>
    events.publish({ resource: "agent", action, resourceId: agent.id, resourceName: agent.name });
  const show = (agent: StoredAgent): Agent => withNextRun(agent, timeZone, clock.now());

  return {
    /** Alphabetically by name. */
    async list(paging: ListAgents): Promise<Page<Agent>> {
      return readPage(paging, async (range) => (await selectAgents(db.pool, range)).map(show));
    },

    /** Throws {@link NotFoundError}. */
    async get(id: string): Promise<Agent> {
      return show(await requireAgent(db.pool, id));
    },

    /** Without `tools` an agent may only read. Throws InvalidInputError if `tools` names one that does not exist. */
    async create(input: CreateAgent, creatorId: string): Promise<Agent> {
      const patch = { ...input, tools: input.tools?.map(tools.resolveName) ?? input.tools };
      const now = clock.now();
      const id = ids();
      const values = applyPatch(defaultValues(id, tools.defaultNames()), patch, now);
      await insertAgent(db.pool, { ...values, creatorId, createdAt: now });
      const agent = await requireAgent(db.pool, id);
      publish("create", agent);
      return show(agent);
    },

    /**
     * Changes only the fields given; does not affect a run in progress. Throws like `create` and `get`, and
     * PreconditionFailedError if `expectedVersion` does not match.
     */
    async update({ id, expectedVersion, ...changes }: UpdateAgent): Promise<Agent> {
      const hasChanged = givesFields(changes);
      const patch = { ...changes, tools: changes.tools?.map(tools.resolveName) ?? changes.tools };
      const agent = await transaction(db.pool, async (client) => {
        const locked = await lockAgentVersion(client, id, expectedVersion);
        const before = { ...locked.agent, scheduledSince: new Date(locked.scheduledSince) };
        if (hasChanged) await updateAgent(client, applyPatch(before, patch, clock.now()));
        return selectAgent(client, id);
      });
      if (agent === null) throw noSuchAgent();
      if (hasChanged) publish("edit", agent);
      return show(agent);
    },

    /**
     * Cancels the agent's runs in progress and deletes it permanently, with its runs; their costs remain in the usage. Throws
     * {@link NotFoundError}, and PreconditionFailedError if `expectedVersion` does not match, in which case its runs continue.
     */
    async delete(id: string, expectedVersion?: string): Promise<{ id: string; name: string }> {
      const { agent, runIds } = await transaction(db.pool, async (client) => {
        await lockAgentVersion(client, id, expectedVersion);
        const ended = await cancelRuns(client, id, CANCEL_MESSAGE, clock.now());
        return { agent: await deleteAgent(client, id), runIds: ended };
      });
      if (agent === null) throw noSuchAgent();
      await runner.stopEnded(runIds);
      publish("delete", agent);
      return agent;
    },

    /** Enables or disables agents, and returns those that this changed. */
    async setEnabled({ enabled, ids: agentIds }: SetEnabled): Promise<{ id: string; name: string }[]> {
      const known = agentIds?.filter(isUuid) ?? null;
      const changed = await setAgentsEnabled(db.pool, { enabled, ids: known, now: clock.now() });
      for (const agent of changed) publish("edit", agent);
      return changed;
    },

    /** Cancels the agent's runs in progress, in whichever process they are. Throws {@link NotFoundError} if there are none. */
    async cancel(id: string): Promise<number> {
      const agent = await requireAgent(db.pool, id);
      // First in the database, then wherever they are executed.
      const runIds = await cancelRuns(db.pool, agent.id, CANCEL_MESSAGE, clock.now());
      await runner.stopEnded(runIds);
      if (runIds.length === 0) throw new NotFoundError("The agent has no running execution.");
      publish("cancel", agent);
      return runIds.length;
    },

    /** When a schedule is next due. */
    previewSchedule: ({ schedule, timezone = timeZone }: PreviewSchedule): NextRuns =>
      previewSchedule(schedule, timezone, clock.now()),

    /** When the agent's schedule is next due, enabled or not. Throws {@link NotFoundError}. */
    async nextRuns(id: string): Promise<NextRuns> {
      const { schedule, timezone } = await requireAgent(db.pool, id);
      return previewSchedule(schedule, timezone ?? timeZone, clock.now());
    },

    listTools: tools.list,
  };
}
