import { toToolCall, type ToolResult, type ToolUse } from "../gateway/content-block.ts";
import type { ModelError } from "../gateway/model-error.ts";
import type { ModelCall, ModelGateway } from "../gateway/model-gateway.ts";
import type { ModelMessage } from "../gateway/model-request.ts";
import type { SpendingLimits } from "../usage/spend-guard.ts";
import type { BudgetExceededError } from "../usage/spending-errors.ts";
import type { Toolbox, ToolScope } from "./toolbox.ts";

export interface TurnLoopOptions {
  readonly gateway: ModelGateway;
  readonly toolbox: Toolbox;
  readonly scope: ToolScope;
  readonly messages: readonly ModelMessage[];
  /** The maximum number of model calls. */
  readonly maxTurns: number;
  /** The limits of the next call. */
  readonly limits: () => SpendingLimits;
  readonly signal: AbortSignal;
  readonly observer: TurnObserver;
}

/** Receives the events of the loop, in order. */
export interface TurnObserver {
  onText(delta: string): void;
  /** See `CallOptions.onRestart`. */
  readonly onRestart?: () => void;
  onToolStart(use: ToolUse): void;
  onToolEnd(result: ToolResult): void;
  /** Stores a turn that ended in tool calls, with its charge, before the calls are made. */
  saveTurn(call: ModelCall): Promise<void>;
  /** Called before each tool call. If it throws, the call is not made and the loop ends. */
  beforeTool(): Promise<void>;
}

/**
 * How the loop ended. `call` is the last model call if it was not passed to `saveTurn`: the caller stores its charge together
 * with the end.
 */
export type TurnLoopEnd = { readonly call: ModelCall | null } & (
  | { readonly end: "finished" | "turns_exhausted" | "aborted" }
  | { readonly end: "failed"; readonly error: ModelError | BudgetExceededError }
);

/**
 * Asks the model, makes the tool calls that it requests, returns the results to it, and repeats until it requests none. Throws
 * what the gateway throws before a call, and what `saveTurn` and `beforeTool` throw.
 */
export async function runTurns(options: TurnLoopOptions): Promise<TurnLoopEnd> {
  const { gateway, toolbox, scope, maxTurns, limits, signal, observer } = options;
  const messages = [...options.messages];
  const tools = toolbox.definitionsFor(scope);
  const { onRestart } = observer;
  for (let turn = 1; ; turn += 1) {
    const call = await gateway.call(
      { messages, tools },
      {
        limits: limits(),
        signal,
        onText: (delta) => observer.onText(delta),
        ...(onRestart !== undefined && { onRestart }),
      },
    );
    if (call.outcome === "failed") return { end: "failed", error: call.error, call };
    if (call.outcome === "aborted") return { end: "aborted", call };
    const { text, toolCalls } = call.answer;
    if (toolCalls.length === 0) return { end: "finished", call };
    // The model would never see the results of these calls, so they are not made.
    if (turn >= maxTurns) return { end: "turns_exhausted", call };

    await observer.saveTurn(call);
    const prepared = toolCalls.map((toolCall) => ({ toolCall, use: toolbox.parseCall(toolCall) }));
    messages.push({ role: "assistant", content: text, toolCalls: prepared.map(({ use }) => toToolCall(use)) });
    for (const { toolCall, use } of prepared) {
      if (signal.aborted) return { end: "aborted", call: null };
      await observer.beforeTool();
      observer.onToolStart(use);
      const result = await toolbox.run(toolCall, scope, signal);
      observer.onToolEnd(result);
      messages.push({ role: "tool", toolCallId: toolCall.id, content: result.content });
    }
    if (signal.aborted) return { end: "aborted", call: null };
  }
}
