import { column, defineQuery, type Queryable } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";

const CLAIM = {
  id: column.uuid,
  title: column.text,
  claimId: column.uuid.nullable,
  holder: column.text.nullable,
  author: column.json.as<Author>().nullable,
  until: column.timestamp.nullable,
};

const claims = defineQuery({
  name: "select-live-claims",
  row: CLAIM,
  text: `
    SELECT id, title, claim_id AS "claimId", claim_holder AS holder, claim_author AS author, claim_expires_at AS until
    FROM tasks WHERE id = ANY($1::uuid[]) AND claim_expires_at > now()`,
});

/** A claim that has not run out. */
export interface LiveClaim {
  readonly title: string;
  readonly claimId: string;
  readonly holder: string;
  /** Null if it was claimed before this was recorded. */
  readonly author: Author | null;
  readonly until: string;
}

/** The claims of these tasks that have not run out. */
export async function selectLiveClaims(db: Queryable, ids: readonly string[]): Promise<LiveClaim[]> {
  const rows = await claims.all(db, [ids]);
  return rows.flatMap(({ title, claimId, holder, author, until }) =>
    claimId === null || holder === null || until === null ? [] : [{ title, claimId, holder, author, until }],
  );
}
