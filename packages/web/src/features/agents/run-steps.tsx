import { ChevronRight, LoaderCircle, Wrench } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import type { RunStep } from "./agent.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const MarkdownText = lazyPart(() => import("./markdown-text.tsx"));

export type ToolUse = Extract<RunStep, { type: "tool_use" }>;
export type ToolResult = Extract<RunStep, { type: "tool_result" }>;

interface RunStepsProps {
  readonly steps: readonly RunStep[];
  readonly isRunning: boolean;
  /** Whether the current call has not been made yet because it awaits approval. */
  readonly isWaiting?: boolean;
  /** What is shown below a call that has succeeded. */
  readonly renderBelow?: (call: ToolUse, result: ToolResult) => ReactNode;
}

/** What an agent said and did, in order; each tool call unfolds to its input and result. */
export function RunSteps({ steps, isRunning, isWaiting = false, renderBelow }: RunStepsProps) {
  const results = new Map(steps.flatMap((step) => (step.type === "tool_result" ? [[step.tool_use_id, step]] : [])));
  return steps.map((step, index) => {
    switch (step.type) {
      case "text":
        return (
          <Suspense key={index} fallback={<p className="whitespace-pre-wrap">{step.text}</p>}>
            <MarkdownText text={step.text} isGrowing={isRunning && index === steps.length - 1} />
          </Suspense>
        );
      case "tool_use": {
        const result = results.get(step.id);
        return (
          <div key={index} className="flex flex-col gap-1.5">
            <ToolCall call={step} result={result} isRunning={isRunning} isWaiting={isWaiting} />
            {result?.is_error === false && renderBelow?.(step, result)}
          </div>
        );
      }
      case "tool_result":
        // Shown inside its call.
        return null;
    }
  });
}

interface ToolCallProps {
  readonly call: ToolUse;
  readonly result: ToolResult | undefined;
  readonly isRunning: boolean;
  readonly isWaiting: boolean;
}

function ToolCall({ call: { name, input }, result, isRunning, isWaiting }: ToolCallProps) {
  const isFailed = result?.is_error === true;
  const isRefused = isFailed && result.content.startsWith("Refused:");
  return (
    <details className="group rounded-control border border-border text-13">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-control px-2.5 hover:bg-hover touch:min-h-11 [&::-webkit-details-marker]:hidden">
        {result === undefined && isRunning && !isWaiting ? (
          <LoaderCircle aria-hidden size={14} className="shrink-0 text-info motion-safe:animate-spin" />
        ) : (
          <Wrench aria-hidden size={14} className={`shrink-0 ${isFailed ? "text-danger" : "text-muted"}`} />
        )}
        <span className="font-mono text-12 text-strong">{name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-12 text-muted">{summarizeInput(input)}</span>
        {result === undefined && isWaiting && (
          <span className="shrink-0 font-medium text-warning">awaiting approval</span>
        )}
        {isFailed && <span className="shrink-0 font-medium text-danger">{isRefused ? "refused" : "failed"}</span>}
        <ChevronRight aria-hidden size={14} className="shrink-0 text-muted group-open:rotate-90" />
      </summary>
      <div className="flex flex-col gap-2 border-t border-border p-2.5">
        <Value title="Given">{JSON.stringify(input, null, 2)}</Value>
        {result === undefined ? (
          <p className="text-muted">{isRunning ? "No result yet." : "Stopped before it returned a result."}</p>
        ) : (
          <Value title={isFailed ? "Error" : "Result"}>{pretty(result.content)}</Value>
        )}
      </div>
    </details>
  );
}

function Value({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <h4 className="mb-1 text-12 text-muted">{title}</h4>
      <pre
        tabIndex={0}
        className="max-h-64 overflow-auto rounded-control bg-background p-2 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
      >
        {children}
      </pre>
    </div>
  );
}

/** The first argument of a call, in short form. */
function summarizeInput(input: ToolUse["input"]): string {
  const value = Object.values(input).find((part) => typeof part === "string" || typeof part === "number");
  return value === undefined ? "" : String(value);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
