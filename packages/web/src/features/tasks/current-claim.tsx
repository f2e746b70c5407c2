import { Bot, UserRound } from "lucide-react";
import { Badge } from "../../components/badge.tsx";
import { formatTime } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import type { Claim } from "./claim-label.tsx";

/** Who works on a task, until the claim runs out. */
export default function CurrentClaim({ claim }: { readonly claim: Claim }) {
  const now = useNow();
  if (new Date(claim.until) <= now) return null;
  const Icon = claim.sessionId === null ? UserRound : Bot;
  return (
    <span data-tooltip={`${claim.holder} works on it until ${formatTime(new Date(claim.until))}`} className="flex">
      <Badge icon={<Icon aria-hidden size={12} />}>{claim.holder}</Badge>
    </span>
  );
}
