import { clsx } from "clsx";
import { Bot, CircleHelp, CircleX, LoaderCircle, ShieldX, Wrench } from "lucide-react";
import { Suspense } from "react";
import { Badge } from "../../components/badge.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { toolLabel } from "../../components/tool-label.ts";
import { formatCount, formatDuration } from "../../numbers/number-format.ts";
import { LearntHere } from "./learnt-here.tsx";
import { SessionArticle, type RowPlace } from "./session-article.tsx";
import type { SessionStep } from "./session-steps.ts";
import { resultLine } from "./step-result.ts";
import { foldInput, foldSaid } from "./turn-text.ts";
import type { HookSession } from "./use-hook-session.ts";

const CallDetails = lazyPart(() => import("./call-details.tsx"));
const MarkdownText = lazyPart(() => import("../agents/markdown-text.tsx"));

const INDENT = "pr-4 pl-10 max-md:pr-3 max-md:pl-5";

interface StepRowProps {
  readonly place: RowPlace;
  readonly step: SessionStep;
  readonly isUnfolded: boolean;
  /** Whether a call without a result may still run. */
  readonly isRunning: boolean;
  readonly learnt: HookSession["memories"];
  /** The folder of the project. */
  readonly root: string | null;
}

/** What an assistant said, or a call of a tool with what came of it. */
export function StepRow(props: StepRowProps) {
  return props.step.kind === "call" ? <CallRow {...props} /> : <AnswerRow {...props} />;
}

function AnswerRow({ place, step: { text }, isUnfolded, learnt }: StepRowProps) {
  const whole = text ?? "";
  const folded = foldSaid(whole);
  const shown = isUnfolded ? whole : folded.text;
  return (
    <SessionArticle {...place} label="Assistant" className={clsx("flex gap-2 py-2", INDENT)}>
      <Bot aria-hidden size={16} className="mt-0.5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <Suspense fallback={<p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-strong">{shown}</p>}>
          <MarkdownText text={shown} />
        </Suspense>
        {folded.isFolded && (
          <button
            type="button"
            aria-expanded={isUnfolded}
            className="self-start text-12 text-muted hover:text-strong touch:py-2"
            onClick={() => place.cursor.actions.open(place.rowId)}
          >
            {isUnfolded ? "Show less" : `Show all ${formatCount(whole.length)} characters`}
          </button>
        )}
        <LearntHere memories={learnt} />
      </div>
    </SessionArticle>
  );
}

function CallRow({ place, step, isUnfolded, isRunning, learnt, root }: StepRowProps) {
  const { toolName, input, state, isAsked, isOfSubagent, durationMs } = step;
  const name = nameOf(toolName);
  const result = resultLine(step);
  const isBad = state === "failed" || state === "blocked";
  return (
    <SessionArticle {...place} label={`${name}${stateWord(step)}`} className={state === "blocked" ? "bg-danger/8" : ""}>
      <button
        type="button"
        aria-expanded={isUnfolded}
        tabIndex={-1}
        className={clsx(
          "flex min-h-8 w-full min-w-0 items-center gap-2 py-1 text-left hover:bg-hover max-md:flex-wrap touch:min-h-11",
          INDENT,
        )}
        onClick={() => place.cursor.actions.open(place.rowId)}
      >
        <StateIcon step={step} isRunning={isRunning} />
        <span
          className={clsx(
            "w-32 shrink-0 truncate font-mono text-12 max-md:w-auto max-md:max-w-32",
            isBad ? "text-danger" : "text-strong",
          )}
        >
          {name}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-12 text-normal">
          {input === null ? "" : withinProject(foldInput(input).text, root)}
        </span>
        {isOfSubagent && <Badge>Subagent</Badge>}
        {isAsked && <Badge tone="warning">Asked about</Badge>}
        {result !== "" && (
          <span
            className={clsx(
              "order-last max-w-[40%] shrink-0 truncate text-12 max-md:w-full max-md:max-w-full max-md:pl-6 md:order-none",
              isBad ? "text-danger" : "text-muted",
            )}
          >
            {state === "blocked" && "Blocked: "}
            {result}
          </span>
        )}
        <span className="tabular w-16 shrink-0 text-right text-12 text-muted">
          {durationMs === null ? "" : formatDuration(durationMs)}
        </span>
      </button>
      {(isUnfolded || learnt.length > 0) && (
        <div className={clsx("flex flex-col gap-2 pb-3", INDENT)}>
          {isUnfolded && (
            <Suspense>
              <CallDetails step={step} />
            </Suspense>
          )}
          <LearntHere memories={learnt} />
        </div>
      )}
    </SessionArticle>
  );
}

/** "mcp__tracker__list_issues" as "list_issues": what it does says more than where it comes from. */
function nameOf(toolName: string | null): string {
  if (toolName === null) return "Result";
  return toolName.startsWith("mcp__") ? (toolName.split("__").at(-1) ?? toolName) : toolLabel(toolName);
}

function withinProject(path: string, root: string | null): string {
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function stateWord({ state, isAsked }: SessionStep): string {
  if (state === "failed" || state === "blocked") return `, ${state}`;
  return isAsked ? ", asked about" : "";
}

function StateIcon({
  step: { state, isAsked },
  isRunning,
}: {
  readonly step: SessionStep;
  readonly isRunning: boolean;
}) {
  if (state === "blocked") return <ShieldX aria-label="Blocked" size={14} className="shrink-0 text-danger" />;
  if (state === "failed") return <CircleX aria-label="Failed" size={14} className="shrink-0 text-danger" />;
  if (state === "open" && isRunning)
    return <LoaderCircle aria-label="Running" size={14} className="shrink-0 text-info motion-safe:animate-spin" />;
  if (isAsked) return <CircleHelp aria-hidden size={14} className="shrink-0 text-warning" />;
  return <Wrench aria-hidden size={14} className="shrink-0 text-muted" />;
}
