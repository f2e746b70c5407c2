import type { ChatEvent } from "../../platform/realtime/frames.ts";
import { appendText, type ContentBlock } from "../gateway/content-block.ts";

/** Longer tool results are truncated for clients and in the stored message. */
export const MAX_SHOWN_RESULT_LENGTH = 5_000;

/**
 * Adds an event to the content of an answer. The stored message is built from the same events that are sent to clients, so that
 * both are the same, even after a crash.
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

/** Merges consecutive text deltas into one. */
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
