import type { Message } from "./conversation-log.ts";

/** The messages of one branch, in order: those that lead to a message, and of those that follow it the latest ones. */
export function branchWith(messages: readonly Message[], chosenId: string | undefined): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const chosen = (chosenId === undefined ? undefined : byId.get(chosenId)) ?? messages.at(-1);
  if (chosen === undefined) return [];
  const branch = [chosen];
  for (let first: Message | undefined = chosen; first !== undefined && branch.length <= messages.length;) {
    first = first.parentId === null ? undefined : byId.get(first.parentId);
    if (first !== undefined) branch.unshift(first);
  }
  const latest = new Map(messages.map((message) => [message.parentId, message]));
  for (let last = latest.get(chosen.id); last !== undefined && branch.length <= messages.length;) {
    branch.push(last);
    last = latest.get(last.id);
  }
  return branch;
}

/** The versions of a message, oldest first: what follows the same message, by the same side. */
export function versionsOf(messages: readonly Message[], { parentId, role }: Message): Message[] {
  return messages.filter((message) => message.parentId === parentId && message.role === role);
}
