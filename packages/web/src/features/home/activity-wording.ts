import type { Resource, ResourceChange } from "../../realtime/resource-changes.ts";

const THINGS: Readonly<Record<Resource, string>> = {
  task: "Task",
  project: "Project",
  document: "Document",
  agent: "Agent",
  hook: "Assistant",
  memory: "Memory",
  conversation: "Chat",
  secret: "Secret",
  usage: "Usage",
  api_key: "API key",
};

const DEEDS: Readonly<Record<ResourceChange["action"], string>> = {
  create: "created",
  edit: "changed",
  delete: "deleted",
  restore: "restored",
  run: "started",
  cancel: "cancelled",
  complete: "finished",
  fail: "failed",
};

/** "Task created". */
export function sayChange({ resource, action, resourceId }: ResourceChange): string {
  if (resource === "hook") return resourceId === "policy" ? "Policy changed" : "Assistant at work";
  return `${THINGS[resource]} ${DEEDS[action]}`;
}

/** Where the thing can be seen; null where it is gone. */
export function addressOf({ resource, resourceId, resourceName, action }: ResourceChange): string | null {
  const id = encodeURIComponent(resourceId);
  if (action === "delete") return null;
  switch (resource) {
    case "task":
      return `/tasks?task=${id}`;
    case "project":
      return `/projects/${id}`;
    case "document":
      return `/documents?doc=${id}`;
    case "agent":
      return `/agents/${id}`;
    case "hook":
      return resourceId === "policy" ? "/hooks?view=policy" : "/hooks";
    case "memory":
      return `/memory?memory=${id}`;
    case "conversation":
      return `/chat?conversation=${id}`;
    case "secret":
      return resourceName === null ? "/secrets" : `/secrets?secret=${encodeURIComponent(resourceName)}`;
    case "usage":
      return "/usage";
    case "api_key":
      return "/connect?view=keys";
  }
}
