import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";
import { formatTime, formatFullTimestamp } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import type { Claim } from "./claim-label.tsx";
import { releaseTask } from "./task-queue.ts";
import type { Task } from "./task.ts";

/** Who works on a task and until when, what they left for the next one, and the button that takes the task back. */
export function TaskClaim({ task }: { readonly task: Task }) {
  const { claim, handoverNote } = task;
  if (claim === null && (handoverNote === null || task.status === "done")) return null;
  return (
    <section
      aria-label="Work on it"
      className="flex flex-col gap-2 rounded-control border border-border px-3 py-2 text-13"
    >
      {claim !== null && <Holder taskId={task.id} claim={claim} />}
      {handoverNote !== null && (
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          <span className="text-muted">Note from the last one who worked on it: </span>
          {handoverNote}
        </p>
      )}
    </section>
  );
}

function Holder({ taskId, claim }: { taskId: string; claim: Claim }) {
  const client = useClient();
  const now = useNow();
  const [isBusy, setBusy] = useState(false);
  const until = new Date(claim.until);
  const hasEnded = until <= now;
  const release = () => {
    setBusy(true);
    releaseTask(client, taskId)
      .catch((failure: unknown) => toasts(client).show({ message: toRequestError(failure).message, tone: "danger" }))
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex items-center justify-between gap-3">
      <p>
        <span className="font-medium text-strong">{claim.holder}</span>{" "}
        {hasEnded ? "worked on it until" : "works on it until"}{" "}
        <time dateTime={claim.until} data-tooltip={formatFullTimestamp(claim.until)}>
          {formatTime(until)}
        </time>
        {claim.sessionId !== null && (
          <>
            {", in "}
            <Link
              to="/hooks/sessions/$sessionId"
              params={{ sessionId: claim.sessionId }}
              className="text-accent-text underline"
            >
              its session
            </Link>
          </>
        )}
      </p>
      <Button size="small" isBusy={isBusy} onClick={release}>
        Take it back
      </Button>
    </div>
  );
}
