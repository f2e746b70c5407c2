import type { Change } from "../../platform/events.ts";
import { READ_SCOPES, type ApiKeyScope, type ResourceKind } from "../../platform/resources.ts";

/** The actions of each kind of resource of which there are changes. */
const ACTIONS_OF = {
  task: ["create", "edit", "delete", "restore"],
  project: ["create", "edit", "delete", "restore"],
  view: ["create", "edit", "delete", "restore"],
  document: ["create", "edit", "delete", "restore"],
  memory: ["create", "edit", "delete", "restore"],
  agent: ["create", "edit", "delete", "run", "complete", "fail", "cancel"],
  conversation: ["create", "edit", "delete", "complete", "fail", "cancel"],
  hook: ["create", "edit"],
  approval: ["create", "edit"],
  secret: ["create", "edit", "delete"],
  usage: ["create", "edit"],
  api_key: ["create", "delete"],
} as const satisfies Record<ResourceKind, readonly Change["action"][]>;

/** A reminder of the webhook's own user. */
export const REMINDER_EVENT = "reminder.due";
/** Sent to every webhook: changes may be missing, because a server process ended before it had logged them. */
export const LOST_EVENT = "changes.lost";
export const TEST_EVENT = "webhook.test";

/** What a webhook can be sent: changes by kind and action, with `*` for all actions of a kind. */
export const WEBHOOK_EVENTS: readonly string[] = [
  REMINDER_EVENT,
  ...Object.entries(ACTIONS_OF).flatMap(([kind, actions]) => ["*", ...actions].map((action) => `${kind}.${action}`)),
];

/** The scope with which a key reads what an event is about; keys get no events of other kinds. */
const SCOPE_OF: Readonly<Record<string, ApiKeyScope>> = { reminder: "tasks:read", ...READ_SCOPES };

/** Whether a key with these scopes may get an event. */
export function isEventOfScopes(event: string, scopes: ReadonlySet<ApiKeyScope>): boolean {
  const scope = SCOPE_OF[kindOf(event)];
  return scope !== undefined && scopes.has(scope);
}

/** The kind of resource that an event is about: `task` of `task.create`. */
export function kindOf(event: string): string {
  return event.split(".")[0] ?? "";
}
