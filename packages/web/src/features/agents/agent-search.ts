import { PERIODS, type Period } from "../../dates/period.ts";
import { joinChoices, splitChoices } from "../../lists/address-choices.ts";
import { isRunStatus, type RunStatus } from "./agent.ts";

export const AGENT_VIEWS = ["runs", "statistics", "setup"] as const;
export type AgentView = (typeof AGENT_VIEWS)[number];

/** What the address of an agent's page says. */
export interface AgentSearch {
  readonly view: AgentView;
  readonly statuses: readonly RunStatus[];
  /** Which runs are listed; undefined is all. */
  readonly since: Period | undefined;
  /** What the statistics are over. */
  readonly period: Period;
}

/** Reads an address; whatever it says that means nothing is dropped. */
export function parseAgentSearch(search: Record<string, unknown>): AgentSearch {
  const status = search["status"];
  return {
    view: AGENT_VIEWS.find((view) => view === search["view"]) ?? "runs",
    statuses: splitChoices(typeof status === "string" ? status : undefined).filter(isRunStatus),
    since: PERIODS.find((period) => period === search["since"]),
    period: PERIODS.find((period) => period === search["period"]) ?? "7d",
  };
}

/** The part of an address that says this; undefined takes a part out. */
export function toAgentSearch({ view, statuses, since, period }: AgentSearch): Record<string, string | undefined> {
  return {
    view: view === "runs" ? undefined : view,
    status: joinChoices(statuses),
    since,
    period: period === "7d" ? undefined : period,
  };
}
