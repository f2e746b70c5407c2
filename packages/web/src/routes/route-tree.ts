import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { queryClient } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";
import { nextAddress } from "../features/auth/next-address.ts";
import { appRoute } from "./app-route.tsx";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.tsx";

const parseSignInSearch = (search: Record<string, unknown>): { next?: string; ended?: true } => ({
  ...(typeof search["next"] === "string" && { next: search["next"] }),
  ...(search["ended"] !== undefined && { ended: true }),
});

/** Nobody signs in twice. Without an answer the form is shown: it tells what is wrong when it is used. */
async function leaveIfSignedIn({ search }: { search: { next?: string } }): Promise<void> {
  const user = await queryClient.ensureQueryData(sessionQuery).catch(() => null);
  if (user !== null) throw redirect({ href: nextAddress(search.next), replace: true });
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: parseSignInSearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyRouteComponent(() => import("../features/auth/sign-in-page.tsx")),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: parseSignInSearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyRouteComponent(() => import("../features/auth/sign-up-page.tsx")),
});

/** The pages of the navigation. */
const pageRoutes = PAGES.map(({ path, load }) =>
  createRoute({ getParentRoute: () => appRoute, path, component: lazyRouteComponent(load) }),
);

/** Pages that are reached from another page. */
const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/projects/$projectId",
  component: lazyRouteComponent(() => import("../features/projects/project-page.tsx")),
});

const deletedTasksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/tasks/deleted",
  component: lazyRouteComponent(() => import("../features/tasks/deleted-tasks-page.tsx")),
});

const forgottenMemoriesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/memory/forgotten",
  component: lazyRouteComponent(() => import("../features/memory/forgotten-memories-page.tsx")),
});

const hookSessionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/hooks/sessions/$sessionId",
  component: lazyRouteComponent(() => import("../features/hooks/session-page.tsx")),
});

const agentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/agents/$agentId",
  component: lazyRouteComponent(() => import("../features/agents/agent-page.tsx")),
});

const deletedDocumentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/deleted",
  component: lazyRouteComponent(() => import("../features/documents/deleted-documents-page.tsx")),
});

/** A short address for one document, which its renaming and moving do not change. */
const documentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/$documentId",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/documents", search: { doc: params.documentId }, replace: true });
  },
});

/** A short address for one task, to be shared. */
const taskRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/tasks/$taskId",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/tasks", search: { task: params.taskId }, replace: true });
  },
});

export const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  appRoute.addChildren([
    ...pageRoutes,
    projectRoute,
    deletedTasksRoute,
    taskRoute,
    deletedDocumentsRoute,
    documentRoute,
    forgottenMemoriesRoute,
    hookSessionRoute,
    agentRoute,
  ]),
]);
