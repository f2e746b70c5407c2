import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { trpcClient } from "../../api/trpc.ts";
import { onFrame, onSocketOpen, sendFrame } from "../../realtime/socket.ts";
import { addEvent, type ConversationLog } from "./conversation-log.ts";
import { removeOutgoing, useOutgoing, type Outgoing } from "./outbox.ts";

export interface ConversationState {
  /** Undefined while nothing is known. */
  readonly log: ConversationLog | undefined;
  readonly error: Error | null;
  retry(): void;
}

/** A conversation as it goes on: read once, then followed step by step, also across lost connections. */
export function useConversation(id: string): ConversationState {
  const [log, setLog] = useState<ConversationLog>();
  const { data, error, refetch } = useQuery({
    queryKey: ["conversations", "one", id],
    queryFn: async ({ signal }) => (await trpcClient.conversations.get.query({ id }, { signal })).data,
    staleTime: 0,
    // What changes is told step by step.
    meta: { isFollowed: true },
    structuralSharing: false,
  });
  // A read that is older than what was told since brings nothing new.
  const isNewer =
    data !== undefined && (log?.id !== id || data.lastSeq > log.lastSeq || data.messages.length > log.messages.length);
  if (isNewer && data !== log) {
    setLog({ ...data, model: log?.id === id ? log.model : null, approval: null });
  }
  const lastSeq = log?.id === id ? log.lastSeq : undefined;
  const isKnown = lastSeq !== undefined;

  useEffect(() => {
    if (!isKnown) return undefined;
    let seq = lastSeq;
    const follow = () => sendFrame({ type: "chat:resume", conversationId: id, afterSeq: seq });
    const readAgain = async () => {
      const { data: read } = await refetch();
      if (read === undefined) return;
      // Steps that came while it was read were dropped; they are told again.
      seq = read.lastSeq;
      follow();
    };
    const stopFollowing = onFrame((frame) => {
      if (!("conversationId" in frame) || frame.conversationId !== id) return;
      if (frame.type === "resync") {
        void readAgain();
        return;
      }
      if (!("seq" in frame) || frame.seq === null) return;
      seq = Math.max(seq, frame.seq);
      setLog((current) => {
        if (current?.id !== id) return current;
        const next = addEvent(current, frame);
        if (next !== "read-again") return next;
        void readAgain();
        return current;
      });
    });
    const stopResuming = onSocketOpen(follow);
    return () => {
      stopFollowing();
      stopResuming();
    };
    // The number is where following begins; from there on the steps themselves count.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, isKnown, refetch]);

  useArrivals(id, log);
  return { log: log?.id === id ? log : undefined, error, retry: () => void refetch() };
}

/** What was sent has arrived when it stands in the conversation, behind what was there before it. */
function useArrivals(id: string, log: ConversationLog | undefined): void {
  const outgoing = useOutgoing();
  const arrived = outgoing.find(
    (message) => message.conversationId === id && log?.id === id && hasArrived(message, log),
  );
  useEffect(() => {
    if (arrived !== undefined) removeOutgoing(arrived.requestId);
  }, [arrived]);
}

function hasArrived({ text, afterMessageId }: Outgoing, { messages }: ConversationLog): boolean {
  const later = messages.slice(messages.findIndex((message) => message.id === afterMessageId) + 1);
  return later.some(
    ({ role, content }) => role === "user" && content.some((block) => block.type === "text" && block.text === text),
  );
}
