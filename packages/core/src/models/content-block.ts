import * as z from "zod";
import type { Redactor } from "../platform/redactor.ts";
import type { ModelMessage, ToolCall } from "./model-request.ts";

/** A part of a message, as the contract shows and the database stores it. */
export const contentBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean(),
  }),
]);
export type ContentBlock = z.infer<typeof contentBlock>;
export type ToolUse = Extract<ContentBlock, { type: "tool_use" }>;
export type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** What is said of a call whose result never came, because the answer was interrupted. */
const NO_RESULT = "There is no result: the answer was interrupted.";

/** Adds text to the last block where that is text, so that an answer in many pieces is one block. */
export function appendText(blocks: readonly ContentBlock[], text: string): ContentBlock[] {
  const last = blocks.at(-1);
  if (last?.type !== "text") return [...blocks, { type: "text", text }];
  return [...blocks.slice(0, -1), { type: "text", text: last.text + text }];
}

/** The texts of a message, without its tool calls. */
export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .flatMap((block) => (block.type === "text" ? [block.text.trim()] : []))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The blocks without the values of secrets in their texts. Results of tools are redacted when they arise. */
export function redactTexts(blocks: readonly ContentBlock[], { redact }: Redactor): ContentBlock[] {
  return blocks.map((block) => (block.type === "text" ? { ...block, text: redact(block.text) } : block));
}

/**
 * An answer as the model's protocol has it: one assistant message per turn, each call followed by its result. Every call
 * gets one, since endpoints refuse a conversation in which a result is missing.
 */
export function toModelMessages(blocks: readonly ContentBlock[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let text = "";
  let calls: ToolUse[] = [];
  let results = new Map<string, string>();

  const endTurn = (): void => {
    if (text === "" && calls.length === 0) return;
    messages.push({ role: "assistant", content: text, toolCalls: calls.map(toToolCall) });
    for (const { id } of calls) messages.push({ role: "tool", toolCallId: id, content: results.get(id) ?? NO_RESULT });
    [text, calls, results] = ["", [], new Map()];
  };
  for (const block of blocks) {
    const isNextTurn = block.type !== "tool_result" && results.size > 0;
    if (isNextTurn) endTurn();
    switch (block.type) {
      case "text":
        text += block.text;
        break;
      case "tool_use":
        calls.push(block);
        break;
      case "tool_result":
        results.set(block.tool_use_id, block.content);
        break;
    }
  }
  endTurn();
  return messages;
}

/** The call as the model's protocol has it; arguments that could not be read are an empty object there. */
export function toToolCall({ id, name, input }: ToolUse): ToolCall {
  return { id, name, argumentsJson: JSON.stringify(input) };
}
