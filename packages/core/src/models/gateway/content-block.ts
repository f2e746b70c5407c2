import * as z from "zod";
import type { Redactor } from "../../platform/redactor.ts";
import type { ModelMessage, ToolCall } from "./model-request.ts";

/** A part of a message, as shown by the contract and stored in the database. */
export const contentBlock = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({
      type: z.literal("tool_use"),
      id: z.string(),
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
    }),
    z.object({
      type: z.literal("tool_result"),
      tool_use_id: z.string(),
      content: z.string(),
      is_error: z.boolean(),
    }),
  ])
  .meta({ id: "ContentBlock" });
export type ContentBlock = z.infer<typeof contentBlock>;
export type ToolUse = Extract<ContentBlock, { type: "tool_use" }>;
export type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** Stands in for the result of a call that never returned, because the answer was interrupted. */
const NO_RESULT = "There is no result: the answer was interrupted.";

/** Appends text to the last block if that is a text block, so that an answer in many pieces is one block. */
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

/** Redacts secrets in text blocks. Tool results are redacted when they are produced. */
export function redactTexts(blocks: readonly ContentBlock[], { redact }: Redactor): ContentBlock[] {
  return blocks.map((block) => (block.type === "text" ? { ...block, text: redact(block.text) } : block));
}

/**
 * An answer in the model's protocol: one assistant message per turn, each call followed by its result. Every call gets a
 * result, because endpoints reject conversations in which one is missing.
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

/** The call in the model's protocol. Arguments that could not be parsed became an empty object. */
export function toToolCall({ id, name, input }: ToolUse): ToolCall {
  return { id, name, argumentsJson: JSON.stringify(input) };
}
