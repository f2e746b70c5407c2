import type { Toolbox, ToolScope } from "../tools/toolbox.ts";
import type { SpendingLimits } from "../usage/spend-guard.ts";
import { toToolCall, type ToolResult, type ToolUse } from "./content-block.ts";
import type { BudgetExceededError, ModelError } from "./model-error.ts";
import type { ModelCall, ModelGateway } from "./model-gateway.ts";
import type { ModelMessage } from "./model-request.ts";

export interface TurnLoopOptions {
  readonly gateway: ModelGateway;
  readonly toolbox: Toolbox;
  readonly scope: ToolScope;
  readonly messages: readonly ModelMessage[];
  /** How many calls of the model there may be. */
  readonly maxTurns: number;
  /** What the next call may spend. */
  readonly limits: () => SpendingLimits;
  readonly signal: AbortSignal;
  readonly observer: TurnObserver;
}

/** Hears what happens, in order. */
export interface TurnObserver {
  onText(delta: string): void;
  /** See `CallOptions.onRestart`. */
  readonly onRestart?: () => void;
  onToolStart(use: ToolUse): void;
  onToolEnd(result: ToolResult): void;
  /** Stores a turn that ended in tool calls, with its charge, before they are made. */
  saveTurn(call: ModelCall): Promise<void>;
  /** Comes before each tool call; what it throws ends the loop with the call not made. */
  beforeTool(): Promise<void>;
}

/**
 * How the loop ended. `call` is the last one where it has not gone through `saveTurn`: whoever stores the end of the run
 * stores it with that.
 */
export type TurnLoopEnd = { readonly call: ModelCall | null } & (
  | { readonly end: "finished" | "turns_exhausted" | "aborted" }
  | { readonly end: "failed"; readonly error: ModelError | BudgetExceededError }
);

/**
 * Asks the model, makes the tool calls that it wants, tells it the results, and so on until it wants none. Throws what the
 * gateway throws before a call, and what `saveTurn` and `beforeTool` throw.
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
    // Calls whose results the model could not see any more are not made.
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
