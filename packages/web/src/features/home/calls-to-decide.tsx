import { Link } from "@tanstack/react-router";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { useOpenApprovals } from "../approvals/approvals.ts";
import { HomePart } from "./home-part.tsx";

const MAX_CALLS = 3;

/** The calls of assistants that wait for a decision, which is made here. */
export function CallsToDecide() {
  const { open = [] } = useOpenApprovals();
  if (open.length === 0) return null;
  return (
    <HomePart title={open.length === 1 ? "An assistant waits for you" : "Assistants wait for you"}>
      <div className="flex flex-col gap-3">
        {open.slice(0, MAX_CALLS).map((approval, position) => (
          <ApprovalCard
            key={approval.id}
            approval={approval}
            position={position}
            isMarked={false}
            hasShortcuts={false}
          />
        ))}
      </div>
      {open.length > MAX_CALLS && (
        <Link to="/approvals" className="mt-2 inline-block px-2 text-13 font-medium text-accent-text hover:underline">
          Show all {open.length}
        </Link>
      )}
    </HomePart>
  );
}
