import type { ChatEvent } from "@workspace/core";
import type { Outputs } from "../../api/api.ts";

export type ConversationDetail = Outputs["conversations"]["get"]["data"];
export type FoundConversation = Outputs["conversations"]["list"]["data"][number];
export type ModelChoice = NonNullable<ConversationDetail["model"]>;
export type Message = ConversationDetail["messages"][number];
type Block = Message["content"][number];

/** An event of an answer with its number in the conversation. */
export type NumberedEvent = ChatEvent & { readonly seq: number };

/** A conversation as far as it is known: as it was last read, with every event received since. */
export interface ConversationLog extends ConversationDetail {
  /** The call that awaits approval; null if there is none. */
  readonly approval: PendingApproval | null;
}

export type PendingApproval = Extract<ChatEvent, { type: "chat:approval_request" }>;

/** The log with what was read. A read that is older than the events received since adds nothing but the title and the model. */
export function withRead(log: ConversationLog | undefined, read: ConversationDetail): ConversationLog {
  if (log?.id !== read.id) return { ...read, approval: null };
  const isCurrent = read.lastSeq >= log.lastSeq || read.messages.length > log.messages.length;
  return isCurrent ? { ...read, approval: log.approval } : { ...log, title: read.title, model: read.model };
}

/** `refetch`: an event is missing, or it refers to an unknown message. */
export type NextLog = ConversationLog | "refetch";

/** The log with one more event applied. An event that was already applied changes nothing. */
export function addEvent(log: ConversationLog, event: NumberedEvent): NextLog {
  if (event.seq <= log.lastSeq) return log;
  if (event.seq > log.lastSeq + 1) return "refetch";
  const next = { ...log, lastSeq: event.seq };
  switch (event.type) {
    case "chat:stream_start": {
      if (!log.messages.some((message) => message.id === event.userMessageId)) return "refetch";
      const messages = [...log.messages, answerOf(log, event)];
      return { ...next, status: "streaming", errorMessage: null, messages };
    }
    case "chat:text_delta":
      return withAnswer(next, (answer) => ({ ...answer, content: withText(answer.content, event.delta) }));
    case "chat:tool_start": {
      const call: Block = { type: "tool_use", id: event.toolUseId, name: event.toolName, input: event.input };
      return withAnswer(next, (answer) => ({ ...answer, content: [...answer.content, call] }));
    }
    case "chat:tool_end": {
      const { toolUseId, result, isError } = event;
      const block: Block = { type: "tool_result", tool_use_id: toolUseId, content: result, is_error: isError };
      return withAnswer(next, (answer) => ({ ...answer, content: [...answer.content, block] }));
    }
    case "chat:approval_request":
      return { ...next, approval: event };
    case "chat:approval_end":
      return { ...next, approval: null };
    case "chat:stream_end": {
      const { costUsd, durationMs, isCostKnown } = event;
      const ended = withAnswer(next, (answer) => ({ ...answer, costUsd, isCostKnown, durationMs }));
      return {
        ...ended,
        status: "idle",
        approval: null,
        totalCostUsd: log.totalCostUsd + costUsd,
        isCostKnown: log.isCostKnown && isCostKnown,
      };
    }
    case "chat:interrupted":
      return { ...next, status: "interrupted", approval: null };
    case "chat:error":
      return { ...next, status: "error", errorMessage: event.message, approval: null };
  }
}

/** The texts of a message, without its tool calls, as they were written. */
export function textOf(content: Message["content"]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

type AnswerStart = Extract<ChatEvent, { type: "chat:stream_start" }>;

function answerOf({ id }: ConversationLog, { messageId, userMessageId, model }: AnswerStart): Message {
  return {
    id: messageId,
    conversationId: id,
    role: "assistant",
    parentId: userMessageId,
    content: [],
    mentions: [],
    attachments: [],
    costUsd: null,
    isCostKnown: true,
    durationMs: null,
    model,
    createdAt: new Date().toISOString(),
  };
}

function withAnswer(log: ConversationLog, change: (answer: Message) => Message): ConversationLog {
  const answer = log.messages.at(-1);
  return answer === undefined ? log : { ...log, messages: [...log.messages.slice(0, -1), change(answer)] };
}

function withText(content: readonly Block[], delta: string): Block[] {
  const last = content.at(-1);
  if (last?.type !== "text") return [...content, { type: "text", text: delta }];
  return [...content.slice(0, -1), { type: "text", text: last.text + delta }];
}
