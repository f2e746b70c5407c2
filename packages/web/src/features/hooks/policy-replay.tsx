import type { JudgedDraft } from "@workspace/hooks-cli/policy-draft";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { useNow } from "../../dates/use-now.ts";
import { formatMoment } from "./moment-format.ts";
import { OUTCOMES } from "./policy-outcomes.ts";
import { MatchedRules } from "./policy-test.tsx";
import type { SessionCall } from "./session-calls.ts";
import { useRecordedSessions, useSessionCalls } from "./use-session-calls.ts";

type Judge = NonNullable<JudgedDraft["judge"]>;

/** Which calls of a recorded session the policy would have stopped, as it is being edited. */
export function PolicyReplay({ draft }: { draft: JudgedDraft | undefined }) {
  const now = useNow();
  const [sessionId, setSessionId] = useState("");
  const { rows: sessions, error, retry } = useRecordedSessions();
  return (
    <section aria-labelledby="replay" className="flex flex-col gap-3">
      <h2 id="replay" className="text-14 font-semibold text-strong">
        Replay a session
      </h2>
      {sessions === undefined && error !== null ? (
        <Failure what="The sessions could not be loaded." error={error} onRetry={retry} />
      ) : (
        <Field
          label="Session"
          hint={
            sessions?.length === 0
              ? "No session has been recorded yet."
              : "Its recorded calls are judged by the rules on this page, saved or not. Nothing is run."
          }
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={sessions === undefined || sessions.length === 0}
              value={sessionId}
              onChange={(event) => setSessionId(event.target.value)}
            >
              <option value="">{sessions === undefined ? "Loading…" : "Choose a session"}</option>
              {(sessions ?? []).map(({ sessionId: id, label, at }) => (
                <option key={id} value={id}>
                  {formatMoment(at, now)} · {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {sessionId !== "" &&
        (draft?.judge === undefined ? (
          <p className="text-muted">The rules have to be valid first.</p>
        ) : (
          <Calls sessionId={sessionId} judge={draft.judge} />
        ))}
    </section>
  );
}

function Calls({ sessionId, judge }: { sessionId: string; judge: Judge }) {
  const { rows: calls, error, retry, isLoadingMore, loadMore } = useSessionCalls(sessionId);
  // Judging hundreds of calls takes a moment, and must not delay what is typed.
  const deferred = useDeferredValue(judge);
  const matched = useMemo(
    () =>
      (calls ?? [])
        .map((call) => ({ call, verdict: deferred(call) }))
        .filter(({ verdict }) => verdict.decision !== "allow"),
    [calls, deferred],
  );
  if (calls === undefined && error !== null)
    return <Failure what="The calls could not be loaded." error={error} onRetry={retry} />;
  return (
    <>
      <p role="status" className="text-normal">
        {calls === undefined ? "Loading the calls…" : summaryText(calls, matched)}{" "}
        <Link to="/hooks/sessions/$sessionId" params={{ sessionId }} className="text-accent-text underline">
          Open the session
        </Link>
      </p>
      {matched.length > 0 && (
        <ul aria-label="Calls that rules match" className="flex flex-col">
          {matched.map(({ call, verdict }) => (
            <li key={call.id} className="flex flex-col gap-1 border-b border-border py-2 text-13 last:border-0">
              <div className="flex items-start gap-3">
                <span className="min-w-0 flex-1 font-mono text-12 text-strong wrap-anywhere">
                  {call.tool}: {call.summary}
                </span>
                <Badge tone={OUTCOMES[verdict.decision].tone}>{OUTCOMES[verdict.decision].short}</Badge>
              </div>
              <MatchedRules verdict={verdict} />
            </li>
          ))}
        </ul>
      )}
      {loadMore !== undefined && (
        <Button size="small" className="self-start" isBusy={isLoadingMore} onClick={loadMore}>
          Judge earlier calls, too
        </Button>
      )}
    </>
  );
}

interface MatchedCall {
  readonly call: SessionCall;
  readonly verdict: ReturnType<Judge>;
}

function summaryText(calls: readonly SessionCall[], matched: readonly MatchedCall[]): string {
  if (calls.length === 0) return "No calls of this session have been recorded.";
  const count = (decision: string): number => matched.filter(({ verdict }) => verdict.decision === decision).length;
  const cut = calls.filter(({ wasCut }) => wasCut).length;
  return [
    `Of ${calls.length} ${calls.length === 1 ? "call" : "calls"}, ${count("deny")} would have been refused, ${count("ask")} asked about, ${count("undo")} made undoable and ${count("warn")} warned about.`,
    ...(cut === 0 ? [] : [`${cut} were too long to be recorded as a whole.`]),
  ].join(" ");
}

function Failure({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-danger">
        {what} {toRequestError(error).message}
      </p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
