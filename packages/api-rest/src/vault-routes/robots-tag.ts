import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Route } from "../rest/routes.ts";

const publiclyShared = z.object({ data: z.object({ document: z.object({ shareType: z.literal("public") }) }) });

/** Keeps documents that are shared by link only out of search engines when they are read through the API, as on their pages. */
export function setRobotsTag(res: ServerResponse, { name }: Route, output: unknown): void {
  if (name !== "documents.public" || publiclyShared.safeParse(output).success) return;
  res.setHeader("X-Robots-Tag", "noindex");
}
