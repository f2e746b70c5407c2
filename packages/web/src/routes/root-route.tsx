import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import type { Client } from "../client/client.ts";
import { CrashPage, NotFoundPage } from "./error-pages.tsx";

/** What routes receive besides the URL. */
interface RouterContext {
  readonly client: Client;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ({ error, reset }) => <CrashPage error={error} onRetry={reset} />,
  notFoundComponent: NotFoundPage,
});
