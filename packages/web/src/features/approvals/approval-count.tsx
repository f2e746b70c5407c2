import { useOpenApprovals } from "./approvals.ts";

/** In the navigation: how many calls wait for a decision. */
export default function ApprovalCount() {
  const { open = [] } = useOpenApprovals();
  if (open.length === 0) return null;
  return (
    <span className="tabular ml-auto rounded-full bg-accent px-1.5 text-12 font-medium text-on-accent">
      {open.length.toLocaleString("en")}
      <span className="sr-only"> to decide</span>
    </span>
  );
}
