import { Bot, UserRound } from "lucide-react";
import { Badge } from "../../components/badge.tsx";
import { formatTime } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import type { Task } from "./task.ts";

export type Claim = NonNullable<Task["claim"]>;

/** Who works on a task, in a list; nothing once the claim has run out. */
export function ClaimLabel({ task }: { readonly task: Task }) {
  return task.claim === null ? null : <CurrentClaim claim={task.claim} />;
}

function CurrentClaim({ claim }: { claim: Claim }) {
  const now = useNow();
  if (new Date(claim.until) <= now) return null;
  const Icon = claim.sessionId === null ? UserRound : Bot;
  return (
    <span data-tooltip={`${claim.holder} works on it until ${formatTime(new Date(claim.until))}`} className="flex">
      <Badge icon={<Icon aria-hidden size={12} />}>{claim.holder}</Badge>
    </span>
  );
}
