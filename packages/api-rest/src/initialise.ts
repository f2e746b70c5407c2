import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { MIN_PASSWORD_LENGTH, selectFirstUser, type Auth, type NewUser } from "@workspace/core";
import { transaction, type Db } from "@workspace/db";
import * as z from "zod";
import type { Config } from "./env.ts";

const DEFAULT_EMAIL = "admin@workspace.local";
const DEFAULT_NAME = "Admin";

/**
 * Creates the first user where there is none: from the configuration, from answers on a terminal, or with a generated
 * password that is printed this once. Safe with several processes starting on one database.
 */
export async function ensureFirstUser(db: Db, auth: Auth, admin: Config["admin"]): Promise<void> {
  if ((await selectFirstUser(db.pool)) !== null) return;
  const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
  const isIncomplete = admin.email === undefined || admin.password === undefined;
  const user = isInteractive && isIncomplete ? await askForUser(admin) : generateUser(admin);
  const isCreated = await transaction(db.pool, async (client) => {
    // Held until the user is stored, by another connection: whoever comes second finds them.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('workspace:first-user'))");
    if ((await selectFirstUser(db.pool)) !== null) return false;
    await auth.createUser(user);
    return true;
  });
  if (isCreated && admin.password === undefined && !isInteractive) printCredentials(user);
}

function generateUser(admin: Config["admin"]): NewUser {
  return {
    name: admin.name ?? DEFAULT_NAME,
    email: admin.email ?? DEFAULT_EMAIL,
    password: admin.password ?? randomBytes(15).toString("base64url"),
  };
}

function printCredentials({ email, password }: NewUser): void {
  process.stdout.write(
    `\nThe first user was created. This is shown only once:\n  email:    ${email}\n  password: ${password}\n\n`,
  );
}

async function askForUser(admin: Config["admin"]): Promise<NewUser> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ask = async (question: string, isValid: (answer: string) => boolean, hint: string): Promise<string> => {
    for (;;) {
      const answer = (await terminal.question(question)).trim();
      if (isValid(answer)) return answer;
      process.stdout.write(`${hint}\n`);
    }
  };
  try {
    process.stdout.write("\nWelcome. Create the first user of this workspace.\n");
    const email =
      admin.email ??
      (await ask("Email: ", (text) => z.email().safeParse(text).success, "That is not an email address."));
    const name = admin.name ?? (await ask("Your name: ", (text) => text !== "", "Please give a name."));
    const password =
      admin.password ??
      (await ask(
        "Password: ",
        (text) => text.length >= MIN_PASSWORD_LENGTH,
        `At least ${MIN_PASSWORD_LENGTH} characters, please.`,
      ));
    return { email, name, password };
  } finally {
    terminal.close();
  }
}
