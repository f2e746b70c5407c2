import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { conversationKey } from "./conversation-actions.ts";
import { addEvent, withRead, type ConversationLog } from "./conversation-log.ts";
import { outbox, useOutgoing, type Outgoing } from "./outbox.ts";

export interface ConversationState {
  /** Undefined until loaded. */
  readonly log: ConversationLog | undefined;
  readonly error: Error | null;
  retry(): void;
}

/** A live conversation: read once, then followed event by event, even across lost connections. */
export function useConversation(id: string): ConversationState {
  const client = useClient();
  const [log, setLog] = useState<ConversationLog>();
  const { data, error, refetch } = useQuery({
    queryKey: conversationKey(id),
    queryFn: async ({ signal }) => (await client.api.conversations.get.query({ id }, { signal })).data,
    staleTime: 0,
    // Changes arrive event by event.
    meta: { isFollowed: true },
    structuralSharing: false,
  });
  // Not while rendering: React forgets what is set then if events that came before wait to be applied.
  useLayoutEffect(() => {
    if (data !== undefined) setLog((current) => withRead(current, data));
  }, [data]);
  const lastSeq = log?.id === id ? log.lastSeq : undefined;
  const isKnown = lastSeq !== undefined;

  useEffect(() => {
    if (!isKnown) return undefined;
    let seq = lastSeq;
    const follow = () => client.socket.send({ type: "chat:resume", conversationId: id, afterSeq: seq });
    let isReading = false;
    const resync = async () => {
      if (isReading) return;
      isReading = true;
      const { data: read } = await refetch();
      isReading = false;
      if (read === undefined) return;
      // Events that arrived during the read were dropped; they are sent again.
      seq = read.lastSeq;
      follow();
    };
    const stopFollowing = client.socket.onFrame((frame) => {
      if (frame.type === "resource_change" && frame.resourceId === id && frame.action === "edit") void refetch();
      if (!("conversationId" in frame) || frame.conversationId !== id) return;
      if (frame.type === "resync") {
        void resync();
        return;
      }
      if (!("seq" in frame) || frame.seq === null) return;
      seq = Math.max(seq, frame.seq);
      setLog((current) => {
        if (current?.id !== id) return current;
        const next = addEvent(current, frame);
        // What an answer that did not finish has cost is not part of its end.
        if (frame.type === "chat:interrupted" || frame.type === "chat:error") void refetch();
        if (next !== "refetch") return next;
        void resync();
        return current;
      });
    });
    const stopResuming = client.socket.onOpen(follow);
    return () => {
      stopFollowing();
      stopResuming();
    };
    // `lastSeq` is only where following starts; from there on the events themselves count.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, isKnown, refetch]);

  useOutboxCleanup(id, log);
  return { log: log?.id === id ? log : undefined, error, retry: () => void refetch() };
}

/** A sent message has arrived when it appears in the conversation after the message that preceded it. */
function useOutboxCleanup(id: string, log: ConversationLog | undefined): void {
  const client = useClient();
  const outgoing = useOutgoing();
  const arrived = outgoing.find(
    (message) => message.conversationId === id && log?.id === id && hasArrived(message, log),
  );
  useEffect(() => {
    if (arrived !== undefined) outbox(client).remove(arrived.requestId);
  }, [client, arrived]);
}

function hasArrived({ text, afterMessageId }: Outgoing, { messages }: ConversationLog): boolean {
  const later = messages.slice(messages.findIndex((message) => message.id === afterMessageId) + 1);
  return later.some(
    ({ role, content }) => role === "user" && content.some((block) => block.type === "text" && block.text === text),
  );
}
