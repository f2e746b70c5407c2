import { Bot, UserRound } from "lucide-react";
import { Badge } from "../../components/badge.tsx";
import { formatTime } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import type { Claim } from "./claim-label.tsx";

/** Who works on a task; that the claim has ended, once it has run out and nobody has taken the task. */
export default function CurrentClaim({ claim }: { readonly claim: Claim }) {
  const now = useNow();
  const until = new Date(claim.until);
  if (until <= now)
    return (
      <span
        data-tooltip={`${claim.holder} worked on it until ${formatTime(until)}; others can claim it`}
        className="text-12 whitespace-nowrap text-muted"
      >
        Claim ended
      </span>
    );
  const Icon = claim.sessionId === null ? UserRound : Bot;
  return (
    <span data-tooltip={`${claim.holder} works on it until ${formatTime(until)}`} className="flex">
      <Badge icon={<Icon aria-hidden size={12} />}>{claim.holder}</Badge>
    </span>
  );
}
