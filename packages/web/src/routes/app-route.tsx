import { createRoute, redirect } from "@tanstack/react-router";
import { sessionQuery, type SessionUser } from "../api/session.ts";
import type { Client } from "../client/client.ts";
import { localCopy } from "../local-copy/local-copy.ts";
import { AppFrame } from "../features/shell/app-frame.tsx";
import { rootRoute } from "./root-route.tsx";

/**
 * Everything that requires signing in. `?task=` opens a task's panel beside any page, `?doc=` a document on the documents
 * page.
 */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "app",
  validateSearch: (
    search: Record<string, unknown>,
  ): { task?: string; doc?: string; day?: string; beside?: string } => ({
    ...(typeof search["task"] === "string" && { task: search["task"] }),
    ...(typeof search["doc"] === "string" && { doc: search["doc"] }),
    ...(typeof search["day"] === "string" && { day: search["day"] }),
    ...(typeof search["beside"] === "string" && { beside: search["beside"] }),
  }),
  beforeLoad: async ({ context: { client }, location }) => {
    const user = await knownUser(client);
    if (user === null) throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
  },
  component: AppFrame,
});

/** Who is signed in; whose copy the browser keeps, if that is known first or the server is away. */
async function knownUser(client: Client): Promise<SessionUser | null> {
  const session = client.queries.ensureQueryData(sessionQuery(client));
  const kept = localCopy(client)
    .earlier()
    .then((copy) => copy?.user);
  return Promise.race([
    session.catch(async (error: unknown) => (await kept) ?? fail(error)),
    kept.then((user) => user ?? session),
  ]);
}

function fail(error: unknown): never {
  throw error;
}
