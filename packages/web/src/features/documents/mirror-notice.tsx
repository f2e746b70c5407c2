import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { sayCount } from "../../numbers/number-wording.ts";
import { mirrorStatusQuery } from "./document-queries.ts";

/** Fewer texts than these are found by searches before anybody has read that they are not. */
const MANY_TEXTS = 200;

/** Why the documents may not be all that is in the vault: it is away, or still being read. */
export function MirrorNotice() {
  const { data: status } = useQuery(mirrorStatusQuery);
  if (status === undefined) return null;
  const { suspendedFor, progress, unindexed } = status;
  if (suspendedFor !== null) {
    return (
      <p role="alert" className="flex shrink-0 gap-2 border-b border-border bg-warning/8 px-4 py-2 text-13 text-strong">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
        {suspendedFor} Until that is mended no document is changed.
      </p>
    );
  }
  if (progress !== null && progress.total > 0) {
    return <Progress label="Reading the vault" done={progress.done} total={progress.total} />;
  }
  if (unindexed < MANY_TEXTS) return null;
  return (
    <p role="status" className="shrink-0 border-b border-border px-4 py-2 text-12 text-muted">
      Searches do not find everything yet: <span className="tabular">{sayCount(unindexed)}</span> texts to go
    </p>
  );
}

function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div className="flex shrink-0 flex-col gap-1.5 border-b border-border px-4 py-2 text-12 text-muted">
      <p role="status">
        {label}:{" "}
        <span className="tabular">
          {sayCount(done)} of {sayCount(total)}
        </span>{" "}
        files
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={done}
        aria-valuemax={total}
        className="h-1 overflow-hidden rounded-full bg-pressed"
      >
        <div className="h-full bg-accent" style={{ width: `${(100 * done) / total}%` }} />
      </div>
    </div>
  );
}
