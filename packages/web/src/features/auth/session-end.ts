import type { AnyRouter } from "@tanstack/react-router";
import { onSessionLost } from "../../api/fetch.ts";
import { forgetAll } from "../../api/forget.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionQuery, signOut, type SessionUser } from "../../api/session.ts";
import { clearUndo } from "../../undo/undo-stack.ts";
import { nextAddress } from "./next-address.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { taskCollection } from "../tasks/task-collection.ts";

/** Leads to the sign-in when the server says that the session is over, and remembers where the user was. */
export function followSession(router: AnyRouter): void {
  onSessionLost(() => {
    const { href, pathname } = router.state.location;
    if (pathname === "/sign-in" || pathname === "/sign-up") return;
    queryClient.setQueryData(sessionQuery.queryKey, null);
    void router.navigate({ to: "/sign-in", search: { next: href, ended: true }, replace: true });
  });
}

/** Ends the session and forgets everything that was read in it. Drafts stay in this browser. */
export async function endSession(router: AnyRouter): Promise<void> {
  await signOut();
  forgetData();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  await router.navigate({ to: "/sign-in" });
}

/** Goes on as this user, to `next` where it is an address of ours. */
export async function beginSession(router: AnyRouter, user: SessionUser, next: string | undefined): Promise<void> {
  queryClient.setQueryData(sessionQuery.queryKey, user);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  await router.navigate({ href: nextAddress(next), replace: true });
}

function forgetData(): void {
  queryClient.clear();
  taskCollection.clear();
  projectCollection.clear();
  forgetAll();
  clearUndo();
}
