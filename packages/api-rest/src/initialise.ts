import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { MIN_PASSWORD_LENGTH, selectFirstUser, type Auth, type NewUser } from "@workspace/core";
import { transaction, type Db } from "@workspace/db";
import * as z from "zod";
import type { Config } from "./env.ts";

const DEFAULT_EMAIL = "admin@workspace.local";
const DEFAULT_NAME = "Admin";

const LOCK_FIRST_USER = "SELECT pg_advisory_xact_lock(hashtext('workspace:first-user'))";

/**
 * Creates the first user if there is none: from the configuration, by asking on a terminal, or with a generated password that
 * is printed only once. Safe if several processes start on one database.
 */
export async function ensureFirstUser(db: Db, auth: Auth, admin: Config["admin"]): Promise<void> {
  if ((await selectFirstUser(db.pool)) !== null) return;
  const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
  const isIncomplete = admin.email === undefined || admin.password === undefined;
  const user = isInteractive && isIncomplete ? await askForUser(admin) : generateUser(admin);
  const createUnlessFound = async (): Promise<boolean> => {
    if ((await selectFirstUser(db.pool)) !== null) return false;
    await auth.createUser(user);
    return true;
  };
  // The lock is held until another connection has stored the user, so that a second process finds them.
  const isCreated = await transaction(db.pool, createUnlessFound, LOCK_FIRST_USER);
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
      (await ask("Email: ", (text) => z.email().safeParse(text).success, "This is not a valid email address."));
    const name = admin.name ?? (await ask("Your name: ", (text) => text !== "", "Please enter a name."));
    const password =
      admin.password ??
      (await ask(
        "Password: ",
        (text) => text.length >= MIN_PASSWORD_LENGTH,
        `Please enter at least ${MIN_PASSWORD_LENGTH} characters.`,
      ));
    return { email, name, password };
  } finally {
    terminal.close();
  }
}
