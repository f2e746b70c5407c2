import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useClient } from "../../../client/use-client.ts";
import { formatCount } from "../../../numbers/number-format.ts";
import { mirrorStatusQuery } from "../document-queries.ts";

/** With fewer unindexed texts than this, they will be indexed before anyone has read a notice about them. */
const MIN_UNINDEXED_SHOWN = 200;

/** Why documents may be missing: the vault is unavailable, or still being read. */
export function MirrorNotice() {
  const client = useClient();
  const { data: status } = useQuery(mirrorStatusQuery(client));
  if (status === undefined) return null;
  const { suspendedFor, progress, unindexed } = status;
  if (suspendedFor !== null) {
    return (
      <p role="alert" className="flex shrink-0 gap-2 border-b border-border bg-warning/8 px-4 py-2 text-13 text-strong">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
        {suspendedFor} Until this is fixed, no document is changed.
      </p>
    );
  }
  if (progress !== null && progress.total > 0) {
    return <Progress label="Reading the vault" done={progress.done} total={progress.total} />;
  }
  if (unindexed < MIN_UNINDEXED_SHOWN) return null;
  return (
    <p role="status" className="shrink-0 border-b border-border px-4 py-2 text-12 text-muted">
      Search results are still incomplete: <span className="tabular">{formatCount(unindexed)}</span> texts left to index
    </p>
  );
}

function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div className="flex shrink-0 flex-col gap-1.5 border-b border-border px-4 py-2 text-12 text-muted">
      <p role="status">
        {label}:{" "}
        <span className="tabular">
          {formatCount(done)} of {formatCount(total)}
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
