import { PERIODS, type Period } from "../../dates/period.ts";
import { joinChoices, splitChoices } from "../../lists/choices.ts";
import { isRunStatus, type RunStatus } from "./agent.ts";

export const AGENT_VIEWS = ["runs", "statistics", "setup"] as const;
export type AgentView = (typeof AGENT_VIEWS)[number];

/** The state of an agent's page that is kept in the URL. */
export interface AgentSearch {
  readonly view: AgentView;
  readonly statuses: readonly RunStatus[];
  /** Which runs are listed; undefined for all. */
  readonly since: Period | undefined;
  /** The period of the statistics. */
  readonly period: Period;
}

/** Parses URL search parameters; invalid values are dropped. */
export function parseAgentSearch(search: Record<string, unknown>): AgentSearch {
  const status = search["status"];
  return {
    view: AGENT_VIEWS.find((view) => view === search["view"]) ?? "runs",
    statuses: splitChoices(typeof status === "string" ? status : undefined).filter(isRunStatus),
    since: PERIODS.find((period) => period === search["since"]),
    period: PERIODS.find((period) => period === search["period"]) ?? "7d",
  };
}

/** The URL search parameters for this state; undefined removes a parameter. */
export function toAgentSearch({ view, statuses, since, period }: AgentSearch): Record<string, string | undefined> {
  return {
    view: view === "runs" ? undefined : view,
    status: joinChoices(statuses),
    since,
    period: period === "7d" ? undefined : period,
  };
}
