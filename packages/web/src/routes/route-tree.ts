import { createRoute, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import type { Client } from "../client/client.ts";
import { redirectPath } from "../features/auth/redirect-path.ts";
import { localCopy } from "../local-copy/local-copy.ts";
import { appRoute } from "./app-route.tsx";
import { pageComponent } from "./page-component.ts";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.tsx";

const parseSignInSearch = (
  search: Record<string, unknown>,
): { next?: string; ended?: true; step?: "code"; problem?: string } => ({
  ...(typeof search["next"] === "string" && { next: search["next"] }),
  ...(search["ended"] !== undefined && { ended: true }),
  ...(search["step"] === "code" && { step: "code" }),
  ...(typeof search["problem"] === "string" && { problem: search["problem"] }),
});

interface RedirectOptions {
  readonly context: { readonly client: Client };
  readonly search: { next?: string };
}

/**
 * Redirects users who are already signed in. If the session cannot be determined, the form is shown; it reports errors
 * itself.
 */
async function redirectIfSignedIn({ context: { client }, search }: RedirectOptions): Promise<void> {
  const user = await client.queries.ensureQueryData(sessionQuery(client)).catch(() => undefined);
  // Clears what is left of a session that has ended while no page was open.
  if (user === null) void localCopy(client).earlier();
  else if (user !== undefined) throw redirect({ href: redirectPath(search.next), replace: true });
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: parseSignInSearch,
  beforeLoad: redirectIfSignedIn,
  component: pageComponent(() => import("../features/auth/sign-in-page.tsx")),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: parseSignInSearch,
  beforeLoad: redirectIfSignedIn,
  component: pageComponent(() => import("../features/auth/sign-up-page.tsx")),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  component: pageComponent(() => import("../features/auth/forgot-password-page.tsx")),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  component: pageComponent(() => import("../features/auth/reset-password-page.tsx")),
});

/** Where a program sends the browser to ask for access. Only the server knows whether somebody is signed in who may give it. */
const authorizeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/authorize",
  validateSearch: (search: Record<string, unknown>): { request?: string; problem?: string } => ({
    ...(typeof search["request"] === "string" && { request: search["request"] }),
    ...(typeof search["problem"] === "string" && { problem: search["problem"] }),
  }),
  beforeLoad: async ({ context: { client }, location }) => {
    const user = await client.queries.ensureQueryData(sessionQuery(client));
    if (user === null) throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
  },
  component: pageComponent(() => import("../features/connect/authorize-page.tsx")),
});

/** The pages of the navigation. */
const pageRoutes = PAGES.map(({ path, load }) =>
  createRoute({ getParentRoute: () => appRoute, path, component: pageComponent(load) }),
);

/** Pages that are reached from another page. */
const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/projects/$projectId",
  component: pageComponent(() => import("../features/projects/project-page.tsx")),
});

const viewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/views/$viewId",
  component: pageComponent(() => import("../features/views/view-page.tsx")),
});

const deletedRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/deleted",
  component: pageComponent(() => import("../features/deleted/deleted-page.tsx")),
});

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/settings",
  component: pageComponent(() => import("../features/settings/settings-page.tsx")),
});

/** Former paths of what is on the page for everything deleted. */
const formerDeletedRoutes = (
  [
    ["/tasks/deleted", "task"],
    ["/documents/deleted", "document"],
    ["/memory/forgotten", "memory"],
  ] as const
).map(([path, kind]) =>
  createRoute({
    getParentRoute: () => appRoute,
    path,
    beforeLoad: () => {
      // The page knows its search parameters itself.
      throw redirect({ to: "/deleted", search: { kind } as object, replace: true });
    },
  }),
);

const hookSessionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/hooks/sessions/$sessionId",
  component: pageComponent(() => import("../features/hooks/session-page.tsx")),
});

const agentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/agents/$agentId",
  component: pageComponent(() => import("../features/agents/agent-page.tsx")),
});

/** A short URL for one document, which stays valid when it is renamed or moved. */
const documentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/$documentId",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/documents", search: { doc: params.documentId }, replace: true });
  },
});

/** A short URL for sharing one task. */
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
  forgotPasswordRoute,
  resetPasswordRoute,
  authorizeRoute,
  appRoute.addChildren([
    ...pageRoutes,
    projectRoute,
    viewRoute,
    deletedRoute,
    settingsRoute,
    ...formerDeletedRoutes,
    taskRoute,
    documentRoute,
    hookSessionRoute,
    agentRoute,
  ]),
]);
