import { createRoute, redirect } from "@tanstack/react-router";
import { queryClient } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";
import { AppFrame } from "../features/shell/app-frame.tsx";
import { rootRoute } from "./root-route.tsx";

/** Everything behind the sign-in. `?task=` opens a task's panel beside any page, `?doc=` a document among the files. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "app",
  validateSearch: (search: Record<string, unknown>): { task?: string; doc?: string } => ({
    ...(typeof search["task"] === "string" && { task: search["task"] }),
    ...(typeof search["doc"] === "string" && { doc: search["doc"] }),
  }),
  beforeLoad: async ({ location }) => {
    const user = await queryClient.ensureQueryData(sessionQuery);
    if (user === null) throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
  },
  component: AppFrame,
});
