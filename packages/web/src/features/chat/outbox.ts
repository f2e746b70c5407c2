import { useSyncExternalStore } from "react";
import { onForget } from "../../api/forget.ts";
import { newLocalId } from "../../api/local-id.ts";
import { onFrame, onSocketOpen, sendFrame } from "../../realtime/socket.ts";

/** A message that the server has not taken yet. */
export interface Outgoing {
  readonly requestId: string;
  readonly text: string;
  /** Null for one that begins a conversation, until that is made. */
  readonly conversationId: string | null;
  /** The last message before it, as far as was known when it was sent. */
  readonly afterMessageId: string | null;
  /** Why the server refused it; null while it is on its way. */
  readonly error: string | null;
}

let outgoing: readonly Outgoing[] = [];
const listeners = new Set<() => void>();

/**
 * Sends a message. While the connection is away it waits; a message whose acceptance was lost is sent again, and the server
 * knows it by its id.
 */
export function sendMessage(sent: Pick<Outgoing, "text" | "conversationId" | "afterMessageId">): void {
  const message: Outgoing = { ...sent, requestId: newLocalId(), error: null };
  set([...outgoing, message]);
  transmit(message);
}

/** The message has arrived, or is given up. */
export function removeOutgoing(requestId: string): void {
  set(outgoing.filter((message) => message.requestId !== requestId));
}

export function useOutgoing(): readonly Outgoing[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => outgoing,
  );
}

function transmit({ requestId, text, conversationId }: Outgoing): void {
  sendFrame({ type: "chat:send", message: text, conversationId, requestId });
}

function update(requestId: string | undefined, change: Partial<Outgoing>): void {
  if (outgoing.some((message) => message.requestId === requestId)) {
    set(outgoing.map((message) => (message.requestId === requestId ? { ...message, ...change } : message)));
  }
}

function set(next: readonly Outgoing[]): void {
  outgoing = next;
  listeners.forEach((listener) => listener());
}

onSocketOpen(() => outgoing.filter(({ error }) => error === null).forEach(transmit));
onFrame((frame) => {
  if (frame.type === "chat:session_created") update(frame.requestId, { conversationId: frame.conversationId });
  if (frame.type === "chat:error" && frame.seq === null) update(frame.requestId, { error: frame.message });
});
onForget(() => set([]));
