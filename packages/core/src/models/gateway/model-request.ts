/** A call requested by the model. The arguments are JSON text as written by the model, valid or not. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

/** An image that a message shows to the model. */
export interface ModelImage {
  readonly mediaType: string;
  readonly base64: string;
}

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ModelImage[] }
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

/** More than the tokens as which any endpoint counts one image. */
const MAX_IMAGE_TOKENS = 50_000;

/** The images in a message. */
export function imagesOf(message: ModelMessage): readonly ModelImage[] {
  return message.role === "user" ? (message.images ?? []) : [];
}

/** An upper bound: every token has at least one byte, and the JSON adds more bytes to the texts than a model adds tokens. */
export function maxInputTokens(request: ModelRequest): number {
  const images = request.messages.flatMap(imagesOf).length;
  const messages = images === 0 ? request.messages : request.messages.map((message) => ({ ...message, images: [] }));
  return Buffer.byteLength(JSON.stringify({ ...request, messages })) + images * MAX_IMAGE_TOKENS;
}
