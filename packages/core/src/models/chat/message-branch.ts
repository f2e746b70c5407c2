interface Branching {
  readonly id: string;
  readonly parentId: string | null;
}

/** The branch of a conversation that ends with a message: the messages that lead to it, in order. */
export function messagesUpTo<Message extends Branching>(messages: readonly Message[], id: string): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: Message[] = [];
  for (let next = byId.get(id); next !== undefined;) {
    branch.push(next);
    // A message is always older than those that follow it.
    byId.delete(next.id);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return branch.toReversed();
}
