import type { AnyRouter } from "@tanstack/react-router";
import { readSession, sessionQuery } from "../../api/session.ts";
import { atBase } from "../../browser/base-path.ts";
import type { Client } from "../../client/client.ts";

/** How long the cookie of the session that replaces an ended one may take: changing the password renews the session. */
const RENEWAL_MS = 1_000;

/** Those of whoever is not signed in. */
const OPEN_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/reset-password"];

/**
 * Redirects to the sign-in page when the server reports that the session has ended, and remembers where the user was.
 */
export function followSession(client: Client, router: AnyRouter): void {
  client.socket.onSessionEnd(() => setTimeout(() => void checkSession(client), RENEWAL_MS));
  client.onSessionLost(() => {
    const { href, pathname } = router.state.location;
    if (OPEN_PAGES.includes(pathname)) return;
    client.queries.setQueryData(sessionQuery(client).queryKey, null);
    void router.navigate({ to: "/sign-in", search: { next: href, ended: true }, replace: true });
    void yieldToAnother(client, href);
  });
}

/** If the browser has the session of somebody else by now, the page is loaded anew, for them. */
async function yieldToAnother(client: Client, href: string): Promise<void> {
  const user = await readSession(client).catch(() => null);
  if (user !== null && client.pageUser.isNot(user.id)) window.location.assign(atBase(href));
}

/** Reconnects if the browser has another session by now. If nobody is signed in, the frame around the pages redirects. */
async function checkSession(client: Client): Promise<void> {
  const user = await client.queries.fetchQuery({ ...sessionQuery(client), staleTime: 0 }).catch(() => undefined);
  if (user !== null) client.socket.reconnect();
}
