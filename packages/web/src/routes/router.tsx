import { createRouter } from "@tanstack/react-router";
import { PageSkeleton } from "../features/shell/page-skeleton.tsx";
import { CrashPage } from "./error-pages.tsx";
import { routeTree } from "./route-tree.ts";
import { parseSearchText, stringifySearch } from "./search-text.ts";

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadDelay: 40,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ({ error, reset }) => <CrashPage error={error} onRetry={reset} />,
  parseSearch: parseSearchText,
  stringifySearch,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The entry was made by opening a panel from the page, so that closing it may go back. */
    isPanelOpenedHere?: boolean;
  }
}
