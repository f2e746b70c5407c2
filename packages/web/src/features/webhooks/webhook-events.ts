/** A kind of resource with the actions of which a webhook can be sent. */
export interface EventGroup {
  readonly kind: string;
  readonly label: string;
  readonly actions: readonly string[];
}

const KEPT = ["create", "edit", "delete", "restore"];

/** What a webhook can be sent, besides reminders. */
export const EVENT_GROUPS: readonly EventGroup[] = [
  { kind: "task", label: "Tasks", actions: KEPT },
  { kind: "project", label: "Projects", actions: KEPT },
  { kind: "document", label: "Documents", actions: KEPT },
  { kind: "memory", label: "Memories", actions: KEPT },
  { kind: "agent", label: "Agents", actions: ["create", "edit", "delete", "run", "complete", "fail", "cancel"] },
  { kind: "conversation", label: "Chats", actions: ["create", "edit", "delete", "complete", "fail", "cancel"] },
  { kind: "approval", label: "Approvals", actions: ["create", "edit"] },
  { kind: "hook", label: "Assistants", actions: ["create", "edit"] },
  { kind: "view", label: "Views", actions: KEPT },
  { kind: "secret", label: "Secrets, without values", actions: ["create", "edit", "delete"] },
  { kind: "usage", label: "Usage", actions: ["create", "edit"] },
  { kind: "api_key", label: "API keys", actions: ["create", "delete"] },
];

export const REMINDER = "reminder.due";

const ACTIONS: Readonly<Record<string, string>> = {
  create: "created",
  edit: "changed",
  delete: "deleted",
  restore: "restored",
  run: "started",
  complete: "finished",
  fail: "failed",
  cancel: "cancelled",
};

/** "created" for `create`. */
export function actionLabel(action: string): string {
  return ACTIONS[action] ?? action;
}

/** The chosen events after one was turned on or off; all actions of a kind become `kind.*`, and the other way round. */
export function toggleEvent(chosen: ReadonlySet<string>, { kind, actions }: EventGroup, action: string): Set<string> {
  const all = `${kind}.*`;
  const names = actions.map((name) => `${kind}.${name}`);
  const others = [...chosen].filter((event) => event !== all && !names.includes(event));
  const before = names.filter((name) => chosen.has(all) || chosen.has(name));
  const event = `${kind}.${action}`;
  const after = before.includes(event) ? before.filter((name) => name !== event) : [...before, event];
  if (action === "*") return new Set(before.length === names.length ? others : [...others, all]);
  return new Set([...others, ...(after.length === names.length ? [all] : after)]);
}

/** "Tasks; agents failed, finished": what a webhook is sent, in words. */
export function describeEvents(events: readonly string[]): string {
  const parts = EVENT_GROUPS.flatMap(({ kind, label, actions }) => {
    if (events.includes(`${kind}.*`)) return [label];
    const some = actions.filter((action) => events.includes(`${kind}.${action}`)).map(actionLabel);
    return some.length === 0 ? [] : [`${label} ${some.join(", ")}`];
  });
  return [...(events.includes(REMINDER) ? ["Reminders"] : []), ...parts].join("; ");
}
