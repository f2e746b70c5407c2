import { createRootRoute, Outlet } from "@tanstack/react-router";
import { CrashPage, NotFoundPage } from "./error-pages.tsx";

export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ({ error, reset }) => <CrashPage error={error} onRetry={reset} />,
  notFoundComponent: NotFoundPage,
});
