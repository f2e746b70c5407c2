import { CopyButton } from "../../components/copy-button.tsx";
import { formatFullTimestamp } from "../../dates/date-format.ts";
import { DiffLines } from "../approvals/diff-lines.tsx";
import type { SessionStep } from "./session-steps.ts";
import { editsOf } from "./step-edits.ts";
import { formatInput } from "./turn-text.ts";

/** What a tool was given and what it returned; an edit as a diff. */
export default function CallDetails({ step }: { readonly step: SessionStep }) {
  const { input, output, state, reason, startedAt } = step;
  const edits = editsOf(step);
  return (
    <>
      {startedAt !== null && <p className="text-12 text-muted">{formatFullTimestamp(startedAt)}</p>}
      {reason !== null && <p className="text-13 [overflow-wrap:anywhere] text-danger">{reason}</p>}
      {edits.map(({ path, diff }) => (
        <div key={path}>
          <p className="mb-1 font-mono text-12 [overflow-wrap:anywhere] text-muted">{path}</p>
          <DiffLines diff={diff} />
        </div>
      ))}
      {edits.length === 0 && input !== null && <Text title="Given" text={formatInput(input)} />}
      {output !== null && output !== "" && (
        <Text title={state === "failed" || state === "blocked" ? "Error" : "Result"} text={output} />
      )}
      {output === null && state === "done" && (
        <p className="text-13 text-muted">What it returned comes with the transcript, when the session ends.</p>
      )}
    </>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <div className="mb-1 flex items-center justify-between">
        <h4 className="text-12 text-muted">{title}</h4>
        <CopyButton isBare text={text} what={title === "Given" ? "what it was given" : "what it returned"} />
      </div>
      <pre
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-control border border-border bg-background p-2 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
      >
        {text}
      </pre>
    </div>
  );
}
