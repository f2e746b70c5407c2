import { createRouter } from "@tanstack/react-router";
import { atBase } from "../browser/base-path.ts";
import type { Client } from "../client/client.ts";
import { PageSkeleton } from "../features/shell/page-skeleton.tsx";
import { CrashPage } from "./crash-page.tsx";
import { routeTree } from "./route-tree.ts";
import { parseSearchText, stringifySearch } from "./search-text.ts";

export type AppRouter = ReturnType<typeof createAppRouter>;

export function createAppRouter(client: Client) {
  return createRouter({
    routeTree,
    basepath: atBase("/"),
    context: { client },
    defaultPreload: "intent",
    defaultPreloadDelay: 40,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ({ error, reset }) => <CrashPage error={error} onRetry={reset} />,
    parseSearch: parseSearchText,
    stringifySearch,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** Whether the entry was created by opening a panel from the page, so that closing the panel may go back. */
    isPanelOpenedHere?: boolean;
  }
}
