import type { AsyncRouteComponent } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import type { Client } from "../client/client.ts";
import { requestData } from "./page-component.ts";
import type { AppRouter } from "./router.tsx";

/**
 * Asks for who is signed in and for the code of the page that is opened, at the same time, and then for its data, before anything is
 * rendered. The router, which loads one after the other, then waits for what is on its way; failures are its to handle. Resolves once
 * all has been asked for.
 */
export async function requestFirstPage(client: Client, router: AppRouter): Promise<void> {
  void client.queries.prefetchQuery(sessionQuery(client));
  const matches: readonly { readonly routeId: keyof AppRouter["routesById"] }[] = router.matchRoutes(
    router.latestLocation,
  );
  const components = matches.map(
    ({ routeId }): AsyncRouteComponent<object> | undefined => router.routesById[routeId].options.component,
  );
  await Promise.allSettled(
    components.map(async (component) => {
      if (component === undefined) return;
      await Promise.all([component.preload?.(), requestData(component, client)]);
    }),
  );
}
