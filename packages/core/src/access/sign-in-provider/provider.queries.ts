import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";

const linkedUser = defineQuery({
  name: "select-provider-user",
  row: { userId: column.uuid },
  text: `SELECT user_id AS "userId" FROM accounts WHERE provider_id = $1 AND account_id = $2`,
});

/** The user to whom an account of the provider is linked; null if there is none. */
export async function selectProviderUser(db: Queryable, providerId: string, subject: string): Promise<string | null> {
  return (await linkedUser.first(db, [providerId, subject]))?.userId ?? null;
}

const candidate = defineQuery({
  name: "select-provider-candidate",
  row: { userId: column.uuid, isVouchedFor: column.boolean.neverNull, isLinked: column.boolean.neverNull },
  text: `
    SELECT id AS "userId",
      email_verified OR id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1) AS "isVouchedFor",
      EXISTS (SELECT FROM accounts WHERE user_id = u.id AND provider_id = $2) AS "isLinked"
    FROM users u WHERE lower(email) = $1`,
});

/** The user with an email in lower case: whether it is known to be theirs, and whether they are linked to the provider. */
export function selectProviderCandidate(
  db: Queryable,
  email: string,
  providerId: string,
): Promise<{ userId: string; isVouchedFor: boolean; isLinked: boolean } | null> {
  return candidate.first(db, [email, providerId]);
}

const newUser = defineCommand({
  name: "insert-provider-user",
  text: `
    INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ($1, $2, $3, true, $4, $4)
    ON CONFLICT DO NOTHING`,
});

/** Creates a user without a password, whose email the provider has verified. Returns whether the email was free. */
export async function insertProviderUser(
  db: Queryable,
  { id, name, email, now }: { readonly id: string; readonly name: string; readonly email: string; readonly now: Date },
): Promise<boolean> {
  return (await newUser.run(db, [id, name, email, now])) === 1;
}

export interface NewProviderLink {
  readonly id: string;
  readonly userId: string;
  readonly providerId: string;
  readonly subject: string;
  readonly now: Date;
}

const newLink = defineCommand({
  name: "insert-provider-link",
  text: `
    INSERT INTO accounts (id, user_id, provider_id, account_id, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3, $4, $5::timestamptz, $5::timestamptz
    WHERE NOT EXISTS (SELECT FROM accounts WHERE user_id = $2::uuid AND provider_id = $3)
    ON CONFLICT DO NOTHING`,
});

/** Links a user to an account of the provider, unless one of them is linked already. Returns whether it did. */
export async function insertProviderLink(db: Queryable, link: NewProviderLink): Promise<boolean> {
  const { id, userId, providerId, subject, now } = link;
  return (await newLink.run(db, [id, userId, providerId, subject, now])) === 1;
}

const removedLink = defineCommand({
  name: "delete-provider-link",
  text: `
    DELETE FROM accounts a WHERE user_id = $1 AND provider_id = $2 AND (
      EXISTS (SELECT FROM accounts o WHERE o.user_id = a.user_id AND o.provider_id = 'credential')
      OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = a.user_id))`,
});

/** Removes the link, unless the user has no other way to sign in. Returns whether it did. */
export async function deleteProviderLink(db: Queryable, userId: string, providerId: string): Promise<boolean> {
  return (await removedLink.run(db, [userId, providerId])) > 0;
}

const allLinks = defineCommand({
  name: "delete-all-provider-links",
  text: "DELETE FROM accounts WHERE user_id = $1 AND provider_id <> 'credential'",
});

/** Removes all links of a user to providers, and returns how many. */
export function deleteAllProviderLinks(db: Queryable, userId: string): Promise<number> {
  return allLinks.run(db, [userId]);
}
