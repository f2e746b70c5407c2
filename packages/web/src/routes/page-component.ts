import { lazyRouteComponent, type AsyncRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { toRequestError } from "../api/request-error.ts";

/**
 * A page whose code is loaded when it is first shown. If the code is missing because the server has been upgraded, the
 * router reloads the window. If there is no server to reload from, the page fails with an error that says so instead.
 */
export function pageComponent(load: () => Promise<{ default: ComponentType }>): AsyncRouteComponent<object> {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      await fetch("/api/health", { cache: "no-store" }).catch((noResponse: unknown) => {
        throw toRequestError(noResponse);
      });
      throw error;
    }
  });
}
