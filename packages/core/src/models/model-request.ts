/** A tool that the model asks for. The arguments are JSON text as the model wrote it, valid or not. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments object. */
  readonly parameters: Record<string, unknown>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Asks for a JSON object instead of prose. */
  readonly answersJson?: boolean;
}

/** No token is shorter than a byte, and the request's JSON has more bytes around its texts than a model adds tokens. */
export function maxInputTokens(request: ModelRequest): number {
  return Buffer.byteLength(JSON.stringify(request));
}
