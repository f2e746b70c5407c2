import type { Inputs, Outputs } from "../../api/api.ts";
import type { BadgeTone } from "../../components/badge.tsx";

export type Agent = Outputs["agents"]["list"]["data"][number];
export type AgentRun = Outputs["agents"]["runs"]["data"][number];
export type AgentRunDetail = Outputs["agents"]["getRun"]["data"];
export type RunStep = AgentRunDetail["steps"][number];
export type AgentTool = Outputs["agents"]["tools"]["data"][number];
export type NewAgent = Inputs["agents"]["create"];
export type AgentPatch = Omit<Inputs["agents"]["update"], "id">;

export const RUN_STATUSES = ["running", "success", "error", "budget_exceeded", "cancelled"] as const;
export type RunStatus = AgentRun["status"];

export const RUN_STATUS_LABELS: Readonly<Record<RunStatus, string>> = {
  running: "Running",
  success: "Succeeded",
  error: "Failed",
  budget_exceeded: "Over budget",
  cancelled: "Cancelled",
};

export const RUN_STATUS_TONES: Readonly<Record<RunStatus, BadgeTone>> = {
  running: "info",
  success: "success",
  error: "danger",
  budget_exceeded: "warning",
  cancelled: "neutral",
};

export const RUN_TRIGGER_LABELS: Readonly<Record<AgentRun["trigger"], string>> = {
  schedule: "Scheduled",
  manual: "Manual",
  api: "API",
};

/** Whether a string is a run status. */
export function isRunStatus(text: string): text is RunStatus {
  return RUN_STATUSES.some((status) => status === text);
}

/** Whether two versions of an agent would be shown the same. */
export function isSameAgent(a: Agent, b: Agent): boolean {
  return (
    a.updatedAt === b.updatedAt &&
    a.nextRunAt === b.nextRunAt &&
    a.lastRunAt === b.lastRunAt &&
    a.lastStatus === b.lastStatus
  );
}
