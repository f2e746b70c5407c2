import type { Action, ResourceChange } from "../../resources/resource-change.ts";
import { RESOURCES } from "../../resources/resources.ts";

const ACTION_LABELS: Readonly<Record<Action, string>> = {
  create: "created",
  edit: "changed",
  delete: "deleted",
  restore: "restored",
  run: "started",
  cancel: "cancelled",
  complete: "finished",
  fail: "failed",
  remind: "reminder",
};

/** A change in words, for example "Task created". */
export function describeChange({ resource, action, resourceId }: ResourceChange): string {
  if (resource === "hook" && resourceId === "memory") return "Memory settings changed";
  if (resource === "hook") return resourceId === "policy" ? "Policy changed" : "Assistant at work";
  if (action === "remind") return "Reminder";
  return `${RESOURCES[resource].label} ${ACTION_LABELS[action]}`;
}

/** The page of the changed resource; null if it has been deleted. */
export function urlOf(change: ResourceChange): string | null {
  return change.action === "delete" ? null : RESOURCES[change.resource].urlOf(change);
}
