import { appendText, type ContentBlock } from "../models/content-block.ts";
import type { ChatEvent } from "../realtime/frames.ts";

/** How much of a tool's result clients and the stored message have. */
export const MAX_SHOWN_RESULT_LENGTH = 5_000;

/**
 * The content of an answer with one more event in it. The stored message is made by it from the same events that clients
 * are told, so that both are the same, also after a crash.
 */
export function addChatEvent(content: ContentBlock[], event: ChatEvent): ContentBlock[] {
  switch (event.type) {
    case "chat:text_delta":
      return appendText(content, event.delta);
    case "chat:tool_start":
      return [...content, { type: "tool_use", id: event.toolUseId, name: event.toolName, input: event.input }];
    case "chat:tool_end":
      return [
        ...content,
        { type: "tool_result", tool_use_id: event.toolUseId, content: event.result, is_error: event.isError },
      ];
    case "chat:stream_start":
    case "chat:approval_request":
    case "chat:approval_end":
    case "chat:stream_end":
    case "chat:interrupted":
    case "chat:error":
      return content;
  }
}

/** Events in as few as say the same: texts that follow each other become one. */
export function mergeTextDeltas(events: readonly ChatEvent[]): ChatEvent[] {
  const merged: ChatEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.type === "chat:text_delta" && last?.type === "chat:text_delta") {
      merged[merged.length - 1] = { ...last, delta: last.delta + event.delta };
    } else merged.push(event);
  }
  return merged;
}
