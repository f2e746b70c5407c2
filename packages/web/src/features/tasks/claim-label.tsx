import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import type { Task } from "./task.ts";

export type Claim = NonNullable<Task["claim"]>;

// Most lists show no claims.
const CurrentClaim = lazyPart(() => import("./current-claim.tsx"));

/** Who works on a task, or that the claim has run out, in a list. */
export function ClaimLabel({ task }: { readonly task: Task }) {
  if (task.claim === null || task.status === "done") return null;
  return (
    <Suspense>
      <CurrentClaim claim={task.claim} />
    </Suspense>
  );
}
