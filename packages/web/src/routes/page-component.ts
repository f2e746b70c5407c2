import { lazyRouteComponent, type AsyncRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Client } from "../client/client.ts";
import { loadCode, loadLater } from "../client/code-parts.ts";
import { knownUser } from "./known-user.ts";

interface PageModule {
  readonly default: ComponentType;
  /** Asks for the first data of the page, which asks for it itself once it is rendered. */
  readonly requestData?: (client: Client) => void;
}

const loads = new WeakMap<AsyncRouteComponent<object>, () => Promise<PageModule>>();

/**
 * A page whose code is loaded when it is first shown, or ahead. If the code is missing because the server has been upgraded,
 * the router reloads the window. If there is no server to reload from, the page fails with an error that says so instead.
 */
export function pageComponent(load: () => Promise<PageModule>): AsyncRouteComponent<object> {
  loadLater(load);
  const component = lazyRouteComponent(() => loadCode(load));
  loads.set(component, load);
  return component;
}

/** Asks for the first data of a page, if somebody is signed in. Resolves once the request is sent. */
export async function requestData(component: AsyncRouteComponent<object>, client: Client): Promise<void> {
  const load = loads.get(component);
  if (load === undefined) return;
  const [user, page] = await Promise.all([knownUser(client), load()]);
  if (user === null || page.requestData === undefined) return;
  page.requestData(client);
  // Calls that are made together are sent a moment later, and rendering would come before that.
  await new Promise((resolve) => setTimeout(resolve));
}
