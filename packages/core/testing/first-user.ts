import { randomUUID } from "node:crypto";
import { transaction, type Db } from "@workspace/db";
import type { NewUser } from "../src/access/auth/first-user.ts";
import { createPasswordHashing } from "../src/access/auth/password-hashing.ts";

/**
 * Stores the first user in the template of test databases. Otherwise the first start of a server on each of them would hash the
 * password, in a tenth of its processor time.
 */
export async function insertFirstUser(db: Db, { name, email, password }: NewUser): Promise<void> {
  const id = randomUUID();
  const hash = await createPasswordHashing().hash(password);
  await transaction(db.pool, async (client) => {
    await client.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, $2, $3, now())", [id, name, email]);
    await client.query(
      `INSERT INTO accounts (id, user_id, account_id, provider_id, password, updated_at)
       VALUES ($1, $2::uuid, $2::uuid::text, 'credential', $3, now())`,
      [randomUUID(), id, hash],
    );
  });
}
