import type { Agent, NewAgent } from "./agent.ts";
import type { ToolChoice } from "./tool-groups.ts";
import { missingIn, planOf, toCron, type SchedulePlan } from "./schedule-plan.ts";

/** An agent while it is written: what the fields hold. */
export interface AgentForm {
  readonly name: string;
  readonly prompt: string;
  readonly plan: SchedulePlan;
  readonly timezone: string | null;
  readonly tools: ToolChoice;
  readonly allowDestructive: boolean;
  readonly maxTurns: string;
  readonly maxBudget: string;
  readonly dailyBudget: string;
}

const MAX_TURNS = 1000;
const MAX_BUDGET_USD = 1_000_000;

/** The form of an agent, or of a new one by the user's own clock. */
export function formOf(agent: Agent | null, ownTimeZone: string): AgentForm {
  return {
    name: agent?.name ?? "",
    prompt: agent?.prompt ?? "",
    plan: agent === null ? { kind: "daily", time: "09:00" } : planOf(agent.schedule),
    timezone: agent === null ? ownTimeZone : agent.timezone,
    tools: agent === null ? "reading" : agent.tools,
    allowDestructive: agent?.allowDestructive ?? false,
    maxTurns: String(agent?.maxTurns ?? 50),
    maxBudget: budgetText(agent === null ? 0.5 : agent.maxBudgetUsd),
    dailyBudget: budgetText(agent === null ? 2 : agent.dailyBudgetUsd),
  };
}

/** The form as the server takes it. Only for one that {@link problemsOf} finds nothing in. */
export function toInput(form: AgentForm): NewAgent {
  return {
    name: form.name.trim(),
    prompt: form.prompt,
    schedule: toCron(form.plan),
    timezone: form.timezone,
    // Left out, a new agent is given the tools that read.
    ...(form.tools !== "reading" && { tools: form.tools === null ? null : [...form.tools] }),
    allowDestructive: form.tools !== "reading" && form.allowDestructive,
    maxTurns: Number(form.maxTurns),
    maxBudgetUsd: readBudget(form.maxBudget) ?? null,
    dailyBudgetUsd: readBudget(form.dailyBudget) ?? null,
  };
}

export type AgentFormProblems = Partial<Record<keyof AgentForm, string>>;

/** What is wrong, by field, each in a sentence. What is not written yet is only missing. */
export function problemsOf(form: AgentForm): AgentFormProblems {
  const turns = Number(form.maxTurns);
  const missing = missingIn(form.plan);
  return {
    ...(form.name.trim() === "" && { name: "Give it a name." }),
    ...(form.prompt.trim() === "" && { prompt: "Say what it is to do." }),
    ...(missing !== null && { plan: missing }),
    ...(!(Number.isInteger(turns) && turns >= 1 && turns <= MAX_TURNS) && { maxTurns: "A whole number, 1 to 1,000." }),
    ...(readBudget(form.maxBudget) === undefined && { maxBudget: "An amount in dollars, or nothing." }),
    ...(readBudget(form.dailyBudget) === undefined && { dailyBudget: "An amount in dollars, or nothing." }),
  };
}

function budgetText(usd: number | null): string {
  return usd === null ? "" : String(usd);
}

/** Null for no limit; undefined for what is no amount. */
function readBudget(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/^\$/, "").replace(",", ".");
  if (trimmed === "") return null;
  const usd = Number(trimmed);
  return Number.isFinite(usd) && usd >= 0 && usd <= MAX_BUDGET_USD ? usd : undefined;
}
