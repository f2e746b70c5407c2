import type { AgentValues } from "./agent.queries.ts";
import type { UpdateAgent } from "./agent.schema.ts";

const DEFAULT_MAX_TURNS = 50;

/** An agent before a patch; a new one has no schedule in force yet. */
type BaseValues = Omit<AgentValues, "updatedAt" | "scheduledSince"> & { readonly scheduledSince: Date | null };

/** The values of a new agent that its creator did not give. */
export function defaultValues(id: string, tools: readonly string[]): BaseValues {
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

/** Changes only the fields given. A schedule that changes is in force from now on. */
export function applyPatch(
  current: BaseValues,
  patch: Omit<UpdateAgent, "id" | "expectedVersion">,
  now: Date,
): AgentValues {
  const given = <Value>(value: Value | undefined, fallback: Value): Value => (value === undefined ? fallback : value);
  const schedule = patch.schedule?.trim() ?? current.schedule;
  const timezone = given(patch.timezone, current.timezone);
  const enabled = patch.enabled ?? current.enabled;
  const isSameSchedule = schedule === current.schedule && timezone === current.timezone && enabled === current.enabled;
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
    scheduledSince: isSameSchedule && current.scheduledSince !== null ? current.scheduledSince : now,
    updatedAt: now,
  };
}
