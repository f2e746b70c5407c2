import { Link, useRouterState } from "@tanstack/react-router";
import { ShieldQuestion } from "lucide-react";
import { useOpenApprovals } from "./approvals.ts";

/** That calls wait for a decision, on every page that does not show them. */
export default function ApprovalBanner() {
  const { open = [] } = useOpenApprovals();
  const isThere = useRouterState({ select: ({ location }) => ["/", "/approvals"].includes(location.pathname) });
  return (
    <div role="status">
      {open.length > 0 && !isThere && (
        <p className="animate-fade flex items-center gap-2 border-b border-border bg-accent-soft px-4 py-2 text-13 text-strong">
          <ShieldQuestion aria-hidden size={16} className="shrink-0 text-accent-text" />
          <span className="min-w-0 flex-1">
            {open.length === 1
              ? "An assistant waits for your decision."
              : `${open.length} calls wait for your decision.`}
          </span>
          <Link to="/approvals" className="shrink-0 font-medium text-accent-text hover:underline">
            Decide
          </Link>
        </p>
      )}
    </div>
  );
}
