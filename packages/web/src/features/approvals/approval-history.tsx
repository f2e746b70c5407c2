import { ShieldQuestion } from "lucide-react";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { assistantName } from "@workspace/core/assistant-names";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toolLabel } from "../../components/tool-label.ts";
import { STATE_LABELS, type ToolApproval } from "./approvals.ts";
import { visibleText } from "./visible-text.ts";

const TONES: Readonly<Record<ToolApproval["state"], BadgeTone>> = {
  open: "info",
  allowed_once: "success",
  allowed_here: "success",
  denied: "danger",
  withdrawn: "neutral",
  expired: "neutral",
};

/** What was asked before, and how it ended. */
export default function ApprovalHistory() {
  const client = useClient();
  const { rows, isLoading, error, hasMore, isLoadingMore, loadMore, retry } = usePagedRows({
    queryKey: ["approvals", "history"],
    readPage: (cursor, signal) =>
      client.api.approvals.list.query({ open: false, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The history could not be loaded" error={error} onRetry={retry} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={<ShieldQuestion size={24} />} title="Nothing was asked yet">
        What you decide about calls of assistants is listed here for 90 days.
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="History" className="flex flex-col">
        {rows.map((approval) => (
          <Row key={approval.id} approval={approval} />
        ))}
      </ul>
      {hasMore && (
        <Button tone="ghost" className="self-center" isBusy={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}

function Row({ approval }: { readonly approval: ToolApproval }) {
  const { toolName, harness, call, project, state, decidedBy, note, createdAt } = approval;
  return (
    <li className="flex flex-col gap-1 border-b border-border py-3 last:border-0">
      <span className="flex flex-wrap items-center gap-2 text-13 text-muted">
        <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
        {decidedBy !== null && <span>by {decidedBy}</span>}
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {assistantName(harness)} in {project}
        </span>
        <span className="ml-auto">
          <TimeAgo timestamp={createdAt} />
        </span>
      </span>
      <span className="line-clamp-3 font-mono text-12 [overflow-wrap:anywhere] text-strong">
        {toolLabel(toolName)}: {visibleText(call)}
      </span>
      {note !== null && <span className="text-13 [overflow-wrap:anywhere] text-normal">“{note}”</span>}
    </li>
  );
}
