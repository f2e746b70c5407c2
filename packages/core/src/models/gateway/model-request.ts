/** A call requested by the model. The arguments are JSON text as written by the model, valid or not. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A tool as described to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of the arguments object. */
  readonly parameters: Record<string, unknown>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Asks for a JSON object instead of prose. */
  readonly expectsJson?: boolean;
}

/** An upper bound: every token has at least one byte, and the JSON adds more bytes to the texts than a model adds tokens. */
export function maxInputTokens(request: ModelRequest): number {
  return Buffer.byteLength(JSON.stringify(request));
}
