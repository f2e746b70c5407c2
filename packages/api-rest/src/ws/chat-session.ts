import {
  DomainError,
  toPublicError,
  type ChatSend,
  type ClientFrame,
  type Logger,
  type Services,
  type UserPrincipal,
} from "@workspace/core";
import type { ClientSocket } from "./client-socket.ts";

/** How many conversations one client may follow; beyond that, the oldest subscription ends. */
const MAX_SUBSCRIPTIONS = 100;

export interface ChatSessionOptions {
  readonly socket: ClientSocket;
  readonly user: UserPrincipal;
  readonly services: Pick<Services, "chat" | "conversationFeed">;
  readonly logger: Logger;
}

/** Handles the chat frames of one client and its subscriptions to conversations. */
export interface ChatSession {
  /** Executes a frame. Never throws: failures are reported to the client. */
  handle(frame: Exclude<ClientFrame, { type: "ping" }>): Promise<void>;
  /** Ends every subscription. Answers in progress continue. */
  close(): void;
}

export function createChatSession({ socket, user, services, logger }: ChatSessionOptions): ChatSession {
  const subscriptions = new Map<string, () => void>();
  let isClosed = false;

  async function subscribe(conversationId: string, afterSeq: number): Promise<void> {
    subscriptions.get(conversationId)?.();
    subscriptions.delete(conversationId);
    const end = await services.conversationFeed.subscribe(conversationId, afterSeq, {
      onEvents: (events) => {
        for (const { seq, event } of events) socket.send({ ...event, conversationId, seq });
      },
      onGap: (lastSeq) => socket.send({ type: "resync", lastSeq, conversationId }),
    });
    if (isClosed) {
      end();
      return;
    }
    subscriptions.set(conversationId, end);
    const [oldest] = subscriptions;
    if (oldest === undefined || subscriptions.size <= MAX_SUBSCRIPTIONS) return;
    oldest[1]();
    subscriptions.delete(oldest[0]);
  }

  async function send(frame: ChatSend): Promise<void> {
    const { conversationId, sessionId, title, afterSeq, isFirst } = await services.chat.send(frame, user);
    const requestId = frame.requestId ?? undefined;
    if (isFirst) {
      socket.send({
        type: "chat:session_created",
        conversationId,
        sessionId,
        title,
        ...(requestId !== undefined && { requestId }),
      });
    }
    if (!subscriptions.has(conversationId)) await subscribe(conversationId, afterSeq);
  }

  async function execute(frame: Exclude<ClientFrame, { type: "ping" }>): Promise<void> {
    switch (frame.type) {
      case "chat:send":
        return send(frame);
      case "chat:interrupt":
        return services.chat.interrupt(frame.conversationId);
      case "chat:approve":
        return services.chat.approve(frame);
      case "chat:resume":
        return subscribe(frame.conversationId, frame.afterSeq);
    }
  }

  return {
    async handle(frame) {
      try {
        await execute(frame);
      } catch (error) {
        if (!(error instanceof DomainError)) logger.error({ err: error, frame: frame.type }, "a frame failed");
        const requestId = frame.type === "chat:send" ? (frame.requestId ?? undefined) : undefined;
        socket.send({
          type: "chat:error",
          conversationId: frame.conversationId ?? null,
          seq: null,
          message: toPublicError(error).message,
          ...(requestId !== undefined && { requestId }),
        });
      }
    },
    close() {
      isClosed = true;
      for (const end of subscriptions.values()) end();
      subscriptions.clear();
    },
  };
}
