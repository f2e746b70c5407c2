import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import {
  insertProviderLink,
  insertProviderUser,
  selectProviderCandidate,
  selectProviderUser,
} from "./provider.queries.ts";
import { ProviderError, providerIdOf, type ProviderIdentity, type SignInProvider } from "./sign-in-provider.ts";

export interface ProviderUsersOptions extends Deps<"db" | "clock" | "ids"> {
  readonly provider: SignInProvider;
  readonly isSignUpOpen: boolean;
}

/** How somebody came in. */
export interface ProviderSignIn {
  readonly userId: string;
  readonly isNew: boolean;
}

/** Which user of the workspace an account of the provider belongs to. */
export interface ProviderUsers {
  /**
   * The user who is linked to it; otherwise the one with its address, who is linked by that, or a new one. Throws
   * {@link ProviderError} if there is none and none may be created.
   */
  signIn(identity: ProviderIdentity): Promise<ProviderSignIn>;
  /** Links it to a user who is signed in. Throws {@link ProviderError} if one of the two is linked already. */
  link(userId: string, identity: ProviderIdentity): Promise<void>;
}

/**
 * An address links by itself only if both sides vouch for it: the provider has verified it, and here whoever runs the workspace has
 * given it. An account that somebody has created with it by signing up may be that of an impostor, who would wait in it for its
 * owner; to that one, its owner has to sign in and link the provider.
 */
export function createProviderUsers({ db, clock, ids, provider, isSignUpOpen }: ProviderUsersOptions): ProviderUsers {
  const providerId = providerIdOf(provider);
  const newLink = (userId: string, { subject }: ProviderIdentity) => ({
    id: ids(),
    userId,
    providerId,
    subject,
    now: clock.now(),
  });

  function mayCreate(email: string): boolean {
    if (provider.domains.length === 0) return isSignUpOpen;
    return provider.domains.includes(email.slice(email.lastIndexOf("@") + 1));
  }

  async function create(identity: ProviderIdentity, email: string): Promise<string> {
    const id = ids();
    const name = identity.name ?? email.slice(0, email.lastIndexOf("@"));
    return transaction(db.pool, async (client) => {
      const isCreated =
        (await insertProviderUser(client, { id, name, email, now: clock.now() })) &&
        (await insertProviderLink(client, newLink(id, identity)));
      // At the same time, somebody else did.
      if (!isCreated) throw new ProviderError("failed");
      return id;
    });
  }

  return {
    async signIn(identity) {
      const linked = await selectProviderUser(db.pool, providerId, identity.subject);
      if (linked !== null) return { userId: linked, isNew: false };
      const email = identity.verifiedEmail;
      if (email === null) throw new ProviderError("unverified_email");
      const found = await selectProviderCandidate(db.pool, email, providerId);
      if (found === null) {
        if (!mayCreate(email)) throw new ProviderError("sign_up_closed");
        return { userId: await create(identity, email), isNew: true };
      }
      if (found.isLinked) throw new ProviderError("linked_elsewhere");
      if (!found.isVouchedFor) throw new ProviderError("not_linked");
      if (!(await insertProviderLink(db.pool, newLink(found.userId, identity)))) throw new ProviderError("failed");
      return { userId: found.userId, isNew: false };
    },

    async link(userId, identity) {
      if (await insertProviderLink(db.pool, newLink(userId, identity))) return;
      const linked = await selectProviderUser(db.pool, providerId, identity.subject);
      if (linked !== userId) throw new ProviderError("linked_elsewhere");
    },
  };
}
