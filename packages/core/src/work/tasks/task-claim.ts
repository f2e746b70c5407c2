import type { PoolClient } from "@workspace/db";
import { ConflictError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { selectLiveClaims, type LiveClaim } from "./task-claim.queries.ts";

/**
 * Throws {@link ConflictError} if somebody else has claimed one of the tasks. A person may end any claim; a program or a model only its
 * own, which it proves by being what has claimed, or with the claim's id.
 */
export async function assertMayEndClaims(
  client: PoolClient,
  ids: readonly string[],
  { author, claimId }: { readonly author: Author; readonly claimId: string | undefined },
): Promise<void> {
  if (author.kind === "person") return;
  const claims = await selectLiveClaims(client, ids);
  const other = claims.find((claim) => claim.claimId !== claimId && !isOwn(claim, author));
  if (other === undefined) return;
  const { holder, title, until } = other;
  throw new ConflictError(`${holder} has claimed “${title}” until ${until}. Only its holder or a person can end that.`);
}

/** A claim is of whatever made it; of sessions with the same key, of the one that did, as far as both are known. */
function isOwn({ author: holder }: LiveClaim, author: Author): boolean {
  if (holder === null) return true;
  if (holder.sessionId !== undefined && author.sessionId !== undefined && holder.sessionId !== author.sessionId)
    return false;
  return (["userId", "agentId", "conversationId", "keyId"] as const).every((part) => holder[part] === author[part]);
}
