import type { Deps } from "../../platform/deps.ts";
import { ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";
import {
  deleteAccountSession,
  deleteExpiredVerifications,
  deleteOtherSessions,
  insertSignIn,
  selectAccountSessions,
  selectMembers,
  selectPasskeys,
  selectPasswordUse,
  selectSignIns,
  type NewSignIn,
} from "./account.queries.ts";
import type { AccountSession, Member, SignIn, SignInMethods } from "./account.schema.ts";

/** Who tries passwords must not fill the disk. */
const MAX_FAILURES_AN_HOUR = 50;
/** Browsers name themselves in a few hundred characters. */
const MAX_USER_AGENT_LENGTH = 500;

/** More devices and password managers than a person has. */
export const MAX_PASSKEYS = 20;

const readSessions = createPager("account-sessions", timeAndId, ({ createdAt, id }: AccountSession) => [createdAt, id]);
const readSignIns = createPager("sign-ins", timeAndId, ({ createdAt, id }: SignIn) => [createdAt, id]);
const readMembers = createPager("members", timeAndId, ({ createdAt, id }: Member) => [createdAt, id]);

export type AccountService = ReturnType<typeof createAccountService>;

/** Where a person is signed in, what happened to their account, and who else has one. */
export function createAccountService({ db, clock, ids }: Deps<"db" | "clock" | "ids">) {
  return {
    /** The user's sessions that have not ended, newest first. */
    listSessions({ userId, sessionId }: UserPrincipal, paging: Paging): Promise<Page<AccountSession>> {
      const search = { userId, sessionId: sessionId ?? null, now: clock.now() };
      return readSessions(paging, (range) => selectAccountSessions(db.pool, search, range));
    },

    /** Signs the user out where they are signed in by this session. Throws {@link NotFoundError}. */
    async endSession({ userId }: UserPrincipal, id: string): Promise<{ ended: true }> {
      if (!isUuid(id) || !(await deleteAccountSession(db.pool, userId, id)))
        throw new NotFoundError("There is no such session.");
      return { ended: true };
    },

    /**
     * Signs the user out everywhere but in the session of this call, and returns in how many places. Throws
     * {@link ForbiddenError} for a token, which is no session: that would end all of them.
     */
    async endOtherSessions({ userId, sessionId }: UserPrincipal): Promise<{ ended: number }> {
      if (sessionId === undefined) throw new ForbiddenError("Only a person who is signed in can do this.");
      return { ended: await deleteOtherSessions(db.pool, userId, sessionId) };
    },

    /** What the user signs in with; one passkey more than there may be, so that none that is too many stays unseen. */
    async listSignInMethods({ userId }: UserPrincipal): Promise<SignInMethods> {
      const use = await selectPasswordUse(db.pool, userId);
      if (use === null) throw new NotFoundError("There is no such user.");
      return { ...use, passkeys: await selectPasskeys(db.pool, userId, MAX_PASSKEYS + 1) };
    },

    /** What happened to the user's account, as far back as that is kept, newest first. */
    listSignIns: ({ userId }: UserPrincipal, paging: Paging): Promise<Page<SignIn>> =>
      readSignIns({ ...paging, filter: { userId } }, (range) => selectSignIns(db.pool, userId, range)),

    listMembers: (paging: Paging): Promise<Page<Member>> =>
      readMembers(paging, (range) => selectMembers(db.pool, range)),

    /** Records what happened to the account with this email, if there is one. */
    async recordSignIn({ userAgent, email, ...signIn }: Omit<NewSignIn, "id" | "createdAt">): Promise<void> {
      const shown = userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
      await insertSignIn(
        db.pool,
        { ...signIn, id: ids(), email: email.toLowerCase(), userAgent: shown, createdAt: clock.now() },
        MAX_FAILURES_AN_HOUR,
      );
    },

    /** Removes challenges to sign in whose time is over. */
    deleteExpired: (): Promise<void> => deleteExpiredVerifications(db.pool, clock.now()),
  };
}
