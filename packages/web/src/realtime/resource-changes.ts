import type { ServerFrame } from "@workspace/core";
import { queryClient } from "../api/query-client.ts";
import { onFrame } from "./socket.ts";

export type ResourceChange = Extract<ServerFrame, { type: "resource_change" }>;
export type Resource = ResourceChange["resource"];

/** Changes of one resource in quick succession are taken together. */
const GATHER_MS = 150;
/** So many at once, as when a vault is read for the first time, that to read anew for each would slow down what they come from. */
const GATHER_MANY_MS = 3_000;
const MANY = "*";

/** Where queries about a resource stand: the first part of their keys. */
const QUERY_ROOTS: Readonly<Record<Resource, readonly string[]>> = {
  task: ["tasks"],
  project: ["projects", "tasks"],
  document: ["documents", "fs"],
  agent: ["agents"],
  hook: ["hooks"],
  memory: ["memory"],
  conversation: ["conversations"],
  secret: ["secrets"],
  usage: ["usage", "assistantUsage", "credits"],
  api_key: ["apiKeys", "credits"],
};

type Handler = (changes: readonly ResourceChange[]) => void;
const handlers = new Map<Resource, Handler>();
const waiting = new Map<Resource, ResourceChange[]>();

/**
 * Says how to take over changes of a resource, where reading only the rows that changed is better than reading anew all
 * that is on the screen, which is what happens otherwise. To be called once, when a feature is loaded.
 */
export function handleResourceChanges(resource: Resource, handler: Handler): void {
  handlers.set(resource, handler);
}

/** Reads anew what the page shows of a resource, and the rest when it is next shown. */
export function refreshResource(resource: Resource): void {
  const roots = QUERY_ROOTS[resource];
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, meta }) => meta?.["isFollowed"] !== true && roots.includes(rootOf(queryKey)),
  });
}

/** Keys are written by hand (`["tasks", …]`) or made by the typed client (`[["tasks", "tags"], …]`). */
function rootOf([first]: readonly unknown[]): string {
  const root: unknown = Array.isArray(first) ? first[0] : first;
  return typeof root === "string" ? root : "";
}

/** Keeps what the page knows in step with what others change. Answers how to stop. */
export function followResourceChanges(): () => void {
  return onFrame((frame) => {
    // Something was missed, and nobody knows what.
    if (frame.type === "resync" && frame.conversationId === undefined) void queryClient.invalidateQueries();
    if (frame.type === "resource_change") gather(frame);
  });
}

function gather(change: ResourceChange): void {
  const { resource } = change;
  const gathered = waiting.get(resource);
  if (gathered !== undefined) {
    gathered.push(change);
    return;
  }
  const changes = [change];
  waiting.set(resource, changes);
  setTimeout(
    () => {
      waiting.delete(resource);
      const handle = handlers.get(resource);
      if (handle === undefined) refreshResource(resource);
      else handle(changes);
    },
    change.resourceId === MANY ? GATHER_MANY_MS : GATHER_MS,
  );
}
