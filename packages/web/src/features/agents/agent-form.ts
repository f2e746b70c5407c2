import type { Agent, NewAgent } from "./agent.ts";
import type { ToolChoice } from "./tool-groups.ts";
import { missingIn, planOf, toCron, type SchedulePlan } from "./schedule-plan.ts";

/** An agent being edited: the values of the form's fields. */
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

/** The form for an agent, or for a new one in the user's own time zone. */
export function formOf(agent: Agent | null, localTimeZone: string): AgentForm {
  return {
    name: agent?.name ?? "",
    prompt: agent?.prompt ?? "",
    plan: agent === null ? { kind: "daily", time: "09:00" } : planOf(agent.schedule),
    timezone: agent === null ? localTimeZone : agent.timezone,
    tools: agent === null ? "reading" : agent.tools,
    allowDestructive: agent?.allowDestructive ?? false,
    maxTurns: String(agent?.maxTurns ?? 50),
    maxBudget: budgetText(agent === null ? 0.5 : agent.maxBudgetUsd),
    dailyBudget: budgetText(agent === null ? 2 : agent.dailyBudgetUsd),
  };
}

/** Converts the form to the server's input. Only for a form without {@link problemsOf problems}. */
export function toInput(form: AgentForm): NewAgent {
  return {
    name: form.name.trim(),
    prompt: form.prompt,
    schedule: toCron(form.plan),
    timezone: form.timezone,
    // If left out, the server gives a new agent the read-only tools.
    ...(form.tools !== "reading" && { tools: form.tools === null ? null : [...form.tools] }),
    allowDestructive: form.tools !== "reading" && form.allowDestructive,
    maxTurns: Number(form.maxTurns),
    maxBudgetUsd: readBudget(form.maxBudget) ?? null,
    dailyBudgetUsd: readBudget(form.dailyBudget) ?? null,
  };
}

export type AgentFormProblems = Partial<Record<keyof AgentForm, string>>;

/** The problems of each field, as sentences. */
export function problemsOf(form: AgentForm): AgentFormProblems {
  const turns = Number(form.maxTurns);
  const missing = missingIn(form.plan);
  return {
    ...(form.name.trim() === "" && { name: "Give it a name." }),
    ...(form.prompt.trim() === "" && { prompt: "Describe what it should do." }),
    ...(missing !== null && { plan: missing }),
    ...(!(Number.isInteger(turns) && turns >= 1 && turns <= MAX_TURNS) && {
      maxTurns: "Enter a whole number from 1 to 1,000.",
    }),
    ...(readBudget(form.maxBudget) === undefined && { maxBudget: "Enter an amount in dollars, or leave it empty." }),
    ...(readBudget(form.dailyBudget) === undefined && {
      dailyBudget: "Enter an amount in dollars, or leave it empty.",
    }),
  };
}

function budgetText(usd: number | null): string {
  return usd === null ? "" : String(usd);
}

/** Null for no limit; undefined if the text is not an amount. */
function readBudget(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/^\$/, "").replace(",", ".");
  if (trimmed === "") return null;
  const usd = Number(trimmed);
  return Number.isFinite(usd) && usd >= 0 && usd <= MAX_BUDGET_USD ? usd : undefined;
}
