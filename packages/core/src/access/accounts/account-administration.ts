import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type Auth } from "../auth/auth.ts";
import { deleteUserChallenges } from "../auth/auth.queries.ts";
import type { NewUser } from "../auth/first-user.ts";
import { createPasswordHashing } from "../auth/password-hashing.ts";
import {
  deleteAllSessions,
  deleteSignInMethods,
  selectUserByEmail,
  setPassword,
} from "./account-administration.queries.ts";
import { insertSignIn, selectAccountSessions, selectMembers } from "./account.queries.ts";
import type { AccountSession, Member } from "./account.schema.ts";

/** More users or sessions than anybody reads in a terminal. */
const ALL: PageRange<TimeAndId> = { limit: 1000, after: undefined };

export type AccountAdministration = ReturnType<typeof createAccountAdministration>;

/** What whoever has access to the data folder can do with accounts, without being signed in. */
export function createAccountAdministration({
  db,
  clock,
  ids,
  auth,
}: Deps<"db" | "clock" | "ids"> & { readonly auth: Pick<Auth, "createUser"> }) {
  const hashing = createPasswordHashing();

  async function findUser(email: string) {
    const user = await selectUserByEmail(db.pool, email);
    if (user === null) throw new NotFoundError(`There is no user with the email ${email}.`);
    return user;
  }

  return {
    /** The users, the first one first. */
    listUsers: (): Promise<Member[]> => selectMembers(db.pool, ALL),

    /** Creates a user. Throws {@link ConflictError} if the email is taken. */
    async addUser(user: NewUser): Promise<void> {
      assertPassword(user.password);
      if ((await selectUserByEmail(db.pool, user.email)) !== null) {
        throw new ConflictError(`There is a user with the email ${user.email}.`);
      }
      await auth.createUser(user);
    },

    /** Sets a user's password and signs them out everywhere; returns in how many places. */
    async resetPassword(email: string, password: string): Promise<{ readonly endedSessions: number }> {
      assertPassword(password);
      const user = await findUser(email);
      const hash = await hashing.hash(password);
      const now = clock.now();
      return transaction(db.pool, async (client) => {
        await setPassword(client, { id: ids(), userId: user.id, hash, now });
        await deleteUserChallenges(client, user.id);
        const change = { id: ids(), email: user.email, outcome: "password_changed", createdAt: now } as const;
        await insertSignIn(client, { ...change, address: "command line", userAgent: null }, 0);
        return { endedSessions: await deleteAllSessions(client, user.id) };
      });
    },

    /** Removes a user's authenticator app, passkeys and links to providers, which leaves the password, and signs them out everywhere. */
    async resetSignIn(
      email: string,
    ): Promise<{ hadCodes: boolean; passkeys: number; providers: number; endedSessions: number }> {
      const user = await findUser(email);
      const now = clock.now();
      return transaction(db.pool, async (client) => {
        const removed = await deleteSignInMethods(client, user.id, now);
        const change = { id: ids(), email: user.email, outcome: "codes_turned_off", createdAt: now } as const;
        if (removed.hadCodes) await insertSignIn(client, { ...change, address: "command line", userAgent: null }, 0);
        return { ...removed, endedSessions: await deleteAllSessions(client, user.id) };
      });
    },

    /** The sessions of a user that have not ended, newest first. */
    async listSessions(email: string): Promise<AccountSession[]> {
      const user = await findUser(email);
      return selectAccountSessions(db.pool, { userId: user.id, sessionId: null, now: clock.now() }, ALL);
    },

    /** Signs a user out everywhere; returns in how many places. */
    async endSessions(email: string): Promise<number> {
      return deleteAllSessions(db.pool, (await findUser(email)).id);
    },
  };
}

function assertPassword(password: string): void {
  if (password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH) return;
  throw InvalidInputError.at("password", `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
}
