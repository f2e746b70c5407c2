import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import type { Client } from "../client/client.ts";
import { loadable } from "../components/loadable.tsx";
import { CrashPage } from "./crash-page.tsx";

const NotFoundPage = loadable(async () => (await import("./not-found.tsx")).NotFoundPage);

/** What routes receive besides the URL. */
interface RouterContext {
  readonly client: Client;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ({ error, reset }) => <CrashPage error={error} onRetry={reset} />,
  notFoundComponent: () => <NotFoundPage />,
});
