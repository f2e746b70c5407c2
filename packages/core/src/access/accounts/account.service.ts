import type { Deps } from "../../platform/deps.ts";
import { ConflictError, ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";
import { deleteProviderLink } from "../sign-in-provider/provider.queries.ts";
import { providerIdOf, type SignInProvider } from "../sign-in-provider/sign-in-provider.ts";
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

export interface AccountServiceOptions extends Deps<"db" | "clock" | "ids"> {
  /** Null if there is none. */
  readonly signInProvider: Pick<SignInProvider, "issuer" | "name"> | null;
}

/** Where a person is signed in, what happened to their account, and who else has one. */
export function createAccountService({ db, clock, ids, signInProvider }: AccountServiceOptions) {
  const providerId = signInProvider === null ? null : providerIdOf(signInProvider);

  async function listSignInMethods({ userId }: UserPrincipal): Promise<SignInMethods> {
    const use = await selectPasswordUse(db.pool, userId, providerId);
    if (use === null) throw new NotFoundError("There is no such user.");
    const { isLinked, ...withPassword } = use;
    return {
      ...withPassword,
      passkeys: await selectPasskeys(db.pool, userId, MAX_PASSKEYS + 1),
      provider: signInProvider === null ? null : { name: signInProvider.name, isLinked },
    };
  }

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
    listSignInMethods,

    /**
     * Has the user no longer sign in with the provider. Throws {@link NotFoundError} if they do not, and {@link ConflictError} if
     * they have nothing else to sign in with.
     */
    async unlinkProvider(user: UserPrincipal): Promise<void> {
      if (providerId !== null && (await deleteProviderLink(db.pool, user.userId, providerId))) return;
      const { provider } = await listSignInMethods(user);
      if (provider?.isLinked !== true) throw new NotFoundError("You do not sign in with it.");
      throw new ConflictError(`You have nothing but ${provider.name} to sign in with. Set a password first.`);
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
