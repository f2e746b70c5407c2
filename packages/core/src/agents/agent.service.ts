import * as z from "zod";
import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { assertVersion, parseExpectedVersions } from "../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { Change, EventBus } from "../platform/events.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import { createCursors, cursorText, foreignCursor, toPage, type Page, type Paging } from "../platform/paging.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { AgentRunner } from "./agent-runner.ts";
import {
  deleteAgent,
  insertAgent,
  lockAgent,
  selectAgent,
  selectAgents,
  setAgentsEnabled,
  updateAgent,
  type AgentValues,
} from "./agent.queries.ts";
import type {
  Agent,
  AgentTool,
  CreateAgent,
  ListAgents,
  NextRuns,
  SetEnabled,
  StoredAgent,
  UpdateAgent,
} from "./agent.schema.ts";
import { cancelRuns } from "./agent-run.queries.ts";
import { createCronSchedule, nextTimes } from "./cron-schedule.ts";
import { CANCEL_MESSAGE } from "./run-outcome.ts";

const toolCursors = createCursors("agent-tools", z.tuple([z.string()]));
const cursors = createCursors("agents", z.tuple([cursorText, z.uuid()]));
const NEXT_RUNS_SHOWN = 5;
const DEFAULT_MAX_TURNS = 50;

export interface AgentServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly toolbox: Toolbox;
  readonly runner: AgentRunner;
  /** For agents without a time zone of their own. */
  readonly timeZone: string;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** Agents: prompts that are run on a schedule. Schedules are followed by the scheduler, which hears of changes by event. */
export function createAgentService({ db, clock, ids, events, toolbox, runner, timeZone }: AgentServiceDeps) {
  const publish = (action: Change["action"], agent: { id: string; name: string }) =>
    events.publish({ resource: "agent", action, resourceId: agent.id, resourceName: agent.name });

  function withNextRun(agent: StoredAgent): Agent {
    const schedule = createCronSchedule(agent.schedule, agent.timezone ?? timeZone);
    return { ...agent, nextRunAt: agent.enabled ? schedule.next(clock.now()).toISOString() : null };
  }

  function previewSchedule({
    schedule,
    timezone = timeZone,
  }: {
    schedule: string;
    timezone?: string | undefined;
  }): NextRuns {
    const times = nextTimes(createCronSchedule(schedule, timezone), clock.now(), NEXT_RUNS_SHOWN);
    return { timezone, nextRuns: times.map((time) => time.toISOString()) };
  }

  async function getStored(id: string): Promise<StoredAgent> {
    const agent = isUuid(id) ? await selectAgent(db.pool, id) : null;
    if (agent === null) throw noSuchAgent();
    return agent;
  }

  function requireKnownTools(names: readonly string[] | null | undefined): void {
    const known = toolbox.tools.map(({ name }) => name);
    const unknown = names?.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw InvalidInputError.at("tools", `${unknown} is no tool; there are ${known.join(", ")}`);
  }

  function readingTools(): string[] {
    return toolbox.tools.flatMap(({ name, effect, mustBeNamed }) =>
      effect === "reads" && mustBeNamed !== true ? [name] : [],
    );
  }

  /** Ends the runs under way in the database, then wherever they are executed. */
  async function cancelRunsOf(agentId: string): Promise<number> {
    const runIds = await cancelRuns(db.pool, agentId, CANCEL_MESSAGE, clock.now());
    await runner.stopEnded(runIds);
    return runIds.length;
  }

  return {
    /** Alphabetically by name. */
    async list({ limit, cursor }: ListAgents): Promise<Page<Agent>> {
      const after = cursors.read(cursor);
      const rows = await selectAgents(db.pool, { limit: limit === undefined ? undefined : limit + 1, after });
      return toPage(rows.map(withNextRun), limit, (agent) => cursors.write([agent.name, agent.id]));
    },

    /** Throws {@link NotFoundError}. */
    async get(id: string): Promise<Agent> {
      return withNextRun(await getStored(id));
    },

    /**
     * Without `tools` an agent may only read: whatever goes beyond that is somebody's choice. Throws
     * {@link InvalidInputError} where `tools` names one that there is not.
     */
    async create(input: CreateAgent, creatorId: string): Promise<Agent> {
      requireKnownTools(input.tools);
      const now = clock.now();
      const id = ids();
      await insertAgent(db.pool, {
        ...applyPatch(newAgent(id, readingTools()), input, now),
        creatorId,
        createdAt: now,
      });
      const agent = await getStored(id);
      publish("create", agent);
      return withNextRun(agent);
    },

    /**
     * Changes what is given and nothing else; a run that is under way goes on as it began. Throws as `create` and `get`, and
     * PreconditionFailedError where `expectedVersion` does not match.
     */
    async update({ id, expectedVersion, ...patch }: UpdateAgent): Promise<Agent> {
      requireKnownTools(patch.tools);
      if (!isUuid(id)) throw noSuchAgent();
      const agent = await transaction(db.pool, async (client) => {
        const locked = await lockAgent(client, id);
        if (locked === null) throw noSuchAgent();
        assertVersion(parseExpectedVersions(expectedVersion), Number(locked.agent.version));
        const before = { ...locked.agent, scheduledSince: new Date(locked.scheduledSince) };
        await updateAgent(client, applyPatch(before, patch, clock.now()));
        return selectAgent(client, id);
      });
      if (agent === null) throw noSuchAgent();
      publish("edit", agent);
      return withNextRun(agent);
    },

    /**
     * Ends what is running and removes the agent with its runs, for good. What they have cost stays in the usage. Throws
     * {@link NotFoundError}, and PreconditionFailedError where `expectedVersion` does not match: then its runs go on.
     */
    async delete(id: string, expectedVersion?: string): Promise<{ id: string; name: string }> {
      if (!isUuid(id)) throw noSuchAgent();
      const { agent, runIds } = await transaction(db.pool, async (client) => {
        const locked = await lockAgent(client, id);
        if (locked === null) throw noSuchAgent();
        assertVersion(parseExpectedVersions(expectedVersion), Number(locked.agent.version));
        const ended = await cancelRuns(client, id, CANCEL_MESSAGE, clock.now());
        return { agent: await deleteAgent(client, id), runIds: ended };
      });
      if (agent === null) throw noSuchAgent();
      await runner.stopEnded(runIds);
      publish("delete", agent);
      return agent;
    },

    /** Switches agents on or off and answers those that this changed. */
    async setEnabled({ enabled, ids: agentIds }: SetEnabled): Promise<{ id: string; name: string }[]> {
      const changed = await setAgentsEnabled(db.pool, {
        enabled,
        ids: agentIds?.filter(isUuid) ?? null,
        now: clock.now(),
      });
      for (const agent of changed) publish("edit", agent);
      return changed;
    },

    /** Ends every run that is under way, in whichever process. Throws {@link NotFoundError} where none is. */
    async cancel(id: string): Promise<number> {
      const agent = await getStored(id);
      const cancelledCount = await cancelRunsOf(agent.id);
      if (cancelledCount === 0) throw new NotFoundError("The agent has no running execution.");
      publish("cancel", agent);
      return cancelledCount;
    },

    /** When a schedule is due next, stored or not. */
    previewSchedule,

    /** When the agent's schedule is due next, switched on or not. Throws {@link NotFoundError}. */
    async nextRuns(id: string): Promise<NextRuns> {
      const { schedule, timezone } = await getStored(id);
      return previewSchedule({ schedule, timezone: timezone ?? undefined });
    },

    /** What agents may use. */
    listTools({ limit, cursor }: Paging = {}): Page<AgentTool> {
      const tools = toolbox.tools.map(({ name, description, effect, allows }) => ({
        name,
        description,
        effect,
        allows,
      }));
      const [after] = toolCursors.read(cursor) ?? [];
      const start = after === undefined ? 0 : tools.findIndex(({ name }) => name === after) + 1;
      if (after !== undefined && start === 0) throw foreignCursor();
      return toPage(tools.slice(start), limit, ({ name }) => toolCursors.write([name]));
    },
  };
}

function newAgent(
  id: string,
  tools: readonly string[],
): Omit<AgentValues, "updatedAt" | "scheduledSince"> & { scheduledSince: null } {
  return {
    id,
    name: "",
    description: null,
    schedule: "",
    timezone: null,
    prompt: "",
    enabled: true,
    maxTurns: DEFAULT_MAX_TURNS,
    maxBudgetUsd: null,
    dailyBudgetUsd: null,
    tools,
    allowDestructive: false,
    scheduledSince: null,
  };
}

type BeforePatch = Omit<AgentValues, "updatedAt" | "scheduledSince"> & { scheduledSince: Date | null };

function applyPatch(current: BeforePatch, patch: Omit<UpdateAgent, "id" | "expectedVersion">, now: Date): AgentValues {
  const given = <Value>(value: Value | undefined, otherwise: Value): Value => (value === undefined ? otherwise : value);
  const schedule = patch.schedule?.trim() ?? current.schedule;
  const timezone = given(patch.timezone, current.timezone);
  const enabled = patch.enabled ?? current.enabled;
  const isScheduleSame = schedule === current.schedule && timezone === current.timezone && enabled === current.enabled;
  return {
    id: current.id,
    name: patch.name ?? current.name,
    description: given(patch.description, current.description),
    schedule,
    timezone,
    prompt: patch.prompt ?? current.prompt,
    enabled,
    maxTurns: patch.maxTurns ?? current.maxTurns,
    maxBudgetUsd: given(patch.maxBudgetUsd, current.maxBudgetUsd),
    dailyBudgetUsd: given(patch.dailyBudgetUsd, current.dailyBudgetUsd),
    tools: given(patch.tools, current.tools),
    allowDestructive: patch.allowDestructive ?? current.allowDestructive,
    scheduledSince: isScheduleSame && current.scheduledSince !== null ? current.scheduledSince : now,
    updatedAt: now,
  };
}

function noSuchAgent(): NotFoundError {
  return new NotFoundError("There is no such agent.");
}
