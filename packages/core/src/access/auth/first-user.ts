import type { AuthContext } from "better-auth";

/** What initialisation needs to create the first user. */
export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Creates a user who can sign in with email and password, bypassing the sign-up policy. Throws if the email is taken. The user
 * and their password are stored in one transaction.
 */
export async function createUserWithPassword(
  context: Pick<AuthContext, "adapter" | "password">,
  { name, email, password }: NewUser,
): Promise<void> {
  const hash = await context.password.hash(password);
  await context.adapter.transaction(async (adapter) => {
    const now = new Date();
    // Whoever runs the workspace vouches for it.
    const user = await adapter.create<{ id: string }>({
      model: "user",
      data: { name, email: email.toLowerCase(), emailVerified: true, createdAt: now, updatedAt: now },
    });
    await adapter.create({
      model: "account",
      data: {
        userId: user.id,
        accountId: user.id,
        providerId: "credential",
        password: hash,
        createdAt: now,
        updatedAt: now,
      },
    });
  });
}
