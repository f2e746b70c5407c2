import type { ServerResponse } from "node:http";
import type { Response } from "express";

/** Notes which route serves a request, such as `/api/tasks/{id}`: a trace may not have the URL, which can contain names of notes. */
export function noteRoute(res: Response, route: string): void {
  res.locals["route"] = route;
}

/** Undefined if no route was found, or for what has only one. */
export function routeOf(res: ServerResponse & { readonly locals?: Record<string, unknown> }): string | undefined {
  const route = res.locals?.["route"];
  return typeof route === "string" ? route : undefined;
}
