import { clsx } from "clsx";
import { Link } from "@tanstack/react-router";
import { Check, CheckCheck, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useIsAway } from "../../api/use-is-away.ts";
import { useClient } from "../../client/use-client.ts";
import { assistantName } from "@workspace/core/assistant-names";
import { AwayNotice } from "../../components/away-notice.tsx";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { toolLabel } from "../../components/tool-label.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { shortSessionId } from "../hooks/hook-event.ts";
import { decide, type ToolApproval, type ToolDecision } from "./approvals.ts";
import { DiffLines } from "./diff-lines.tsx";
import { visibleText } from "./visible-text.ts";

const STEADY_MS = 600;

interface ApprovalCardProps {
  readonly approval: ToolApproval;
  /** From 0. The shortcuts are about the first. */
  readonly position: number;
  /** Whether it is the one that was opened from a notification. */
  readonly isMarked: boolean;
  /** Whether keys answer the first one; not where they mean something else. */
  readonly hasShortcuts?: boolean;
}

/** A call that waits for a decision: what it is, why it is asked about, and the answers. */
export function ApprovalCard({ approval, position, isMarked, hasShortcuts = true }: ApprovalCardProps) {
  const client = useClient();
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isMarked) article.current?.scrollIntoView({ block: "nearest" });
  }, [isMarked]);
  const [note, setNote] = useState("");
  const [chosen, setChosen] = useState<ToolDecision>();
  const [error, setError] = useState<string>();
  const isSteady = useIsSteady(position);
  const isAway = useIsAway();
  const answer = (decision: ToolDecision) => {
    if (chosen !== undefined || !isSteady || isAway) return;
    setChosen(decision);
    setError(undefined);
    decide(client, approval.id, decision, note.trim()).catch((failure: unknown) => {
      const { status, message } = toRequestError(failure);
      setChosen(undefined);
      setError(message);
      // The card is gone by then.
      if (status === 409) toasts(client).show({ message, tone: "danger" });
    });
  };
  const isEnabled = hasShortcuts && position === 0;
  useShortcut("allowOnce", () => answer("allowed_once"), { isEnabled });
  useShortcut("allowHere", () => answer("allowed_here"), { isEnabled });
  useShortcut("deny", () => answer("denied"), { isEnabled });
  return (
    <article
      ref={article}
      aria-label={`${toolLabel(approval.toolName)}: ${visibleText(approval.call).slice(0, 80)}`}
      className={clsx(
        "flex flex-col gap-3 rounded-panel border bg-raised p-4",
        isMarked ? "border-accent" : "border-border",
      )}
    >
      <Heading approval={approval} />
      <pre className="max-h-72 overflow-auto rounded-control border border-border bg-background px-3 py-2 font-mono text-13 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong">
        {visibleText(approval.call)}
      </pre>
      <p className="[overflow-wrap:anywhere] text-pretty text-normal">{visibleText(approval.effect)}</p>
      {approval.diff !== null && <DiffLines diff={approval.diff} />}
      {error !== undefined && <FormAlert tone="danger">Not decided. {error}</FormAlert>}
      <AwayNotice>This call can be decided about once the server responds.</AwayNotice>
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          {...(isEnabled && { shortcut: "allowOnce" as const })}
          disabled={!isSteady || isAway}
          icon={<Check aria-hidden size={16} />}
          isBusy={chosen === "allowed_once"}
          className="max-md:flex-1"
          onClick={() => answer("allowed_once")}
        >
          Allow once
        </Button>
        <Button
          {...(isEnabled && { shortcut: "allowHere" as const })}
          disabled={!isSteady || isAway}
          icon={<CheckCheck aria-hidden size={16} />}
          isBusy={chosen === "allowed_here"}
          className="max-md:flex-1"
          onClick={() => answer("allowed_here")}
        >
          Always allow here
        </Button>
        <Button
          tone="danger"
          {...(isEnabled && { shortcut: "deny" as const })}
          disabled={!isSteady || isAway}
          icon={<X aria-hidden size={16} />}
          isBusy={chosen === "denied"}
          className="max-md:flex-1"
          onClick={() => answer("denied")}
        >
          Deny
        </Button>
        <Input
          aria-label="What to do instead"
          placeholder="If you deny it: what to do instead"
          maxLength={2_000}
          value={note}
          className="min-w-48 flex-1 max-md:basis-full"
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </article>
  );
}

function Heading({ approval }: { readonly approval: ToolApproval }) {
  const { toolName, harness, project, folder, sessionId, prompt, expiresAt } = approval;
  return (
    <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-13 text-muted">
      <h2 className="text-14 font-semibold text-strong">{toolLabel(toolName)}</h2>
      <span className="[overflow-wrap:anywhere]">
        {assistantName(harness)} in {project === folder ? project : `${project}, in ${folder}`}
      </span>
      <TimeLeft until={expiresAt} />
      {sessionId !== null && (
        <Link
          to="/hooks/sessions/$sessionId"
          params={{ sessionId }}
          className="line-clamp-2 basis-full [overflow-wrap:anywhere] text-accent-text hover:underline"
        >
          {prompt === null ? `Session ${shortSessionId(sessionId)}` : visibleText(prompt)}
        </Link>
      )}
    </header>
  );
}

/** What has just moved under a finger or a shortcut was not what was meant: the answers wait until it has been there for a moment. */
function useIsSteady(position: number): boolean {
  const [steadyAt, setSteadyAt] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setSteadyAt(position), STEADY_MS);
    return () => clearTimeout(timer);
  }, [position]);
  return steadyAt === position;
}

/** How long the assistant waits for the decision. */
function TimeLeft({ until }: { readonly until: string }) {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <span role="timer" className="tabular ml-auto">
      {left > 0 ? `${left} s left` : "The time is up"}
    </span>
  );
}

function secondsUntil(instant: string): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1_000));
}
