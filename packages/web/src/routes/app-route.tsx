import { createRoute, redirect } from "@tanstack/react-router";
import { AppFrame } from "../features/shell/app-frame.tsx";
import { knownUser } from "./known-user.ts";
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
