import type { AnyRouter } from "@tanstack/react-router";
import { signOut } from "../../api/session-actions.ts";
import { sessionQuery, type SessionUser } from "../../api/session.ts";
import { atBase } from "../../browser/base-path.ts";
import { clearSessionValues } from "../../browser/session-values.ts";
import type { Client } from "../../client/client.ts";
import { redirectPath } from "./redirect-path.ts";

/**
 * Signs out and drops everything read in the session, after what `discard` drops. Drafts stay in this browser, until the same user
 * signs in again. Rejects with a RequestError, and drops nothing, if the session could not be ended.
 */
export async function endSession(client: Client, router: AnyRouter, discard: () => Promise<void>): Promise<void> {
  await signOut(client);
  // What the browser's storage does not let go is the user's own, and not shown to others.
  await discard().catch(() => undefined);
  clearSessionValues();
  client.forget();
  client.queries.setQueryData(sessionQuery(client).queryKey, null);
  await router.navigate({ to: "/sign-in" });
}

/**
 * Continues as this user, at `next` if it is an address of this app. A page that another user has had before is loaded anew, so that
 * nothing which that one has typed is shown to this one, or saved as theirs.
 */
export async function beginSession(
  client: Client,
  router: AnyRouter,
  user: SessionUser,
  next: string | undefined,
): Promise<void> {
  if (client.pageUser.isNot(user.id)) {
    window.location.assign(atBase(redirectPath(next)));
    return;
  }
  const { queryKey } = sessionQuery(client);
  client.queries.setQueryData(queryKey, user);
  void client.queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  await router.navigate({ href: redirectPath(next), replace: true });
}
