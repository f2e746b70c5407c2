import { TimeAgo } from "../../components/time-ago.tsx";
import { countOf, type RetentionStatus } from "./retention.ts";

/** When old data was removed last, and what. */
export function LastRemoval({ status: { isRunning, lastRun } }: { readonly status: RetentionStatus }) {
  if (isRunning) return "Being removed…";
  if (lastRun === null) return "Nothing was removed yet";
  const removed = lastRun.removed.map(({ kind, rows }) => countOf(kind, rows));
  return (
    <>
      {lastRun.completedAt === null ? "Removal interrupted" : "Removed"} <TimeAgo timestamp={lastRun.startedAt} />:{" "}
      {removed.length === 0 ? "nothing was old enough" : removed.join(", ")}
    </>
  );
}
