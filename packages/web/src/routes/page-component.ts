import { lazyRouteComponent, type AsyncRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { loadCode, loadLater } from "../client/code-parts.ts";

/**
 * A page whose code is loaded when it is first shown, or ahead. If the code is missing because the server has been upgraded,
 * the router reloads the window. If there is no server to reload from, the page fails with an error that says so instead.
 */
export function pageComponent(load: () => Promise<{ default: ComponentType }>): AsyncRouteComponent<object> {
  loadLater(load);
  return lazyRouteComponent(() => loadCode(load));
}
